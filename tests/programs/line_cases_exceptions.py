"""As line_cases.py: exceptions and whatever deals with them."""

# The layout of the lines is what is tested.
# fmt: off
# ruff: noqa
import contextlib
import traceback


class Shape:
    def __init__(self, size):
        self.size = size

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.size = 0


def risky(number):
    log = []
    try:
        log.append(10 / number)
        if number > 2:
            raise KeyError(number)
    except ZeroDivisionError:
        log.append("zero")
    except (KeyError, ValueError) as error:
        log.append(repr(error))
        try:
            raise ValueError from error
        except ValueError:
            log.append("inner")
    else:
        log.append("else")
        return log
    finally:
        log.append("finally")
        for _ in range(number):
            if _ == 1:
                continue
            log.append(_)
    return log


def groups():
    try:
        raise ExceptionGroup("many", [ValueError(1), KeyError(2), OSError(3)])
    except* ValueError as group:
        first = group.exceptions
    except* (KeyError, OSError):
        second = "others"
    return len(first), second


def case_exceptions():
    return [risky(n) for n in (0, 1, 3)], groups()


@contextlib.contextmanager
def manager(log, name, suppressed=()):
    log.append(f"enter {name}")
    try:
        yield name
    except suppressed:
        log.append(f"suppressed in {name}")
    finally:
        log.append(f"exit {name}")


def with_several(log, error):
    with (
        manager(log, "a") as a,
        manager(log, "b", (KeyError, IndexError)) as b,
        Shape(3) as shape,
    ):
        log.append(a + b + str(shape.size))
        if error is not None:
            raise error
        return "returned"
    return "after"


def with_in_loop(log):
    for number in range(4):
        with manager(log, number, ValueError), contextlib.suppress(KeyError):
            if number == 1:
                continue
            if number == 2:
                raise KeyError
            if number == 3:
                raise ValueError
    return log


def case_with():
    log = []
    seen = [with_several(log, error) for error in (None, KeyError(1), IndexError(2))]
    try:
        with_several(log, OSError("out"))
    except OSError as error:
        seen.append(str(error))
    return seen, with_in_loop(log)


def raises(depth):
    if depth:
        return raises(
            depth - 1
        ) + 1
    values = {"a": [1]}
    return (values["a"][0]
            + values["a"][1].missing)


def case_exception_leaves():
    return raises(3)


def case_exception_chain():
    try:
        raises(1)
    except IndexError as error:
        error.add_note("noted")
        raise ValueError("chained", sum(
            n for n in [1, 2]
        )) from error


def refuse(*values):
    raise LookupError(values)


def failing_generator(count):
    yield count
    refuse(
        count,
    )


def catch_around_calls(number):
    try:
        for each in failing_generator(number):
            number += each
    except LookupError as error:
        number += len(error.args)
    try:
        number += (
            refuse(
                number,
                len(
                    "ab",
                ),
            )
            + 1
        )
    except LookupError:
        number += 10
    finally:
        number += 1
    return number


def receiving():
    caught = 0
    while True:
        try:
            refuse((yield caught))
        except LookupError:
            caught += 1


def case_exceptions_of_callees():
    """Again and again, as the interpreter comes to call them in other ways."""
    receiver = receiving()
    next(receiver)
    return [(catch_around_calls(number), receiver.send(number)) for number in range(30)]


def case_exception_in_generator():
    generator = (1 // (2 - n) for n in range(5))
    return list(generator)


def case_exception_text():
    texts = []
    for number in (0, 1):
        try:
            with manager([], "m"), Shape(2) as shape:
                risky("a") if number else shape.missing
        except (AttributeError, TypeError):
            texts.append(traceback.format_exc())
    return texts


def case_deleted_in_handler():
    log = []
    for n in range(3):
        try:
            try:
                if n == 0:
                    raise KeyError(n)
            finally:
                log.append(n)
                if n == 1:
                    continue
        except KeyError as error:
            log.append(repr(error))
            del error
    return log


def deep(n):
    return deep(n + 1)


def case_recursion_error():
    try:
        deep(0)
    except RecursionError as error:
        return str(error).split(" while")[0]
    return None


def case_asserts():
    log = []
    for n in range(3):
        try:
            assert n != 1, \
                f"wrong {n}"
            log.append(n if n
                       else -1)
        except AssertionError as error:
            log.append(str(error))
    return log
