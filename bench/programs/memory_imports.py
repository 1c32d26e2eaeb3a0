"""Imports scipy's and pandas' larger parts: code objects, dictionaries, shared libraries. Once,
whatever part of the work is asked for."""

from measured import measured

with measured():
    import pandas
    import scipy.integrate
    import scipy.linalg
    import scipy.optimize
    import scipy.sparse

    assert pandas
    assert scipy
