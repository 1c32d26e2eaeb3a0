"""Exceptions that are raised, caught, raised again and cleaned up after."""

import contextlib
import sys

try:
    profile  # noqa: B018  # of line_profiler and memory_profiler
except NameError:

    def profile(function):
        return function


class TooLarge(ValueError):  # noqa: N818
    pass


@profile
def check(number):
    if number % 3 == 0:
        raise TooLarge(f"{number} is too large")
    return number


@contextlib.contextmanager
def noted(log):
    log.append("begin")
    try:
        yield
    finally:
        log.append("end")


@profile
def careful(number, log):
    try:
        with noted(log):
            return check(number)
    except TooLarge as error:
        log.append(str(error))
        raise
    finally:
        log.append("left")


@profile
def main(rounds):
    log = []
    for number in range(9 * rounds):
        with contextlib.suppress(TooLarge):
            careful(number, log)
    return len(log)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
