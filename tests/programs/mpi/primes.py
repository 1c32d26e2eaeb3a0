"""Prime numbers by mpi4py.futures: rank 0 hands out tasks, the others work.

python -m mpi4py.futures primes.py COUNT
"""

import sys

from mpi4py.futures import MPIPoolExecutor


def is_prime(number: int) -> bool:
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True


if __name__ == "__main__":
    count = int(sys.argv[1])
    with MPIPoolExecutor() as executor:
        found = sum(executor.map(is_prime, range(1_000_000, 1_000_000 + count), chunksize=50))
    print(found, "primes")
