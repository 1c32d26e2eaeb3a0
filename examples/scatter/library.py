"""What the program takes from numpy and scipy, or from plain Python where they are missing."""

try:
    from numpy import dot
    from numpy.linalg import norm, solve

    HAS_NUMPY = True
except ImportError:
    from linear import dot, norm, solve

    HAS_NUMPY = False

try:
    from scipy.special import hankel1
except ImportError:
    from bessel import hankel1

__all__ = ["HAS_NUMPY", "dot", "hankel1", "norm", "solve"]
