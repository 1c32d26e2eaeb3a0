"""Every kind of code whose lines are counted: each case is run plainly, with a trace function, with
probes and with events, and must do and count the same."""

# The layout of the lines is what is tested.
# fmt: off
# ruff: noqa
import asyncio
import functools
import threading


def plain(a, b=2, *rest, c=3, **more):
    total = a + b
    for each in rest:
        total += each
    return total + c + sum(more.values())


def case_functions():
    return plain(1), plain(1, 2, 3, 4, c=5, d=6)


class Shape:
    count = 0

    def __init__(self, size):
        self.size = size
        type(self).count += 1

    @property
    def area(self):
        return self.size**2

    @area.setter
    def area(self, value):
        self.size = value**0.5

    @classmethod
    def unit(cls):
        return cls(1)

    @staticmethod
    def double(value):
        return 2 * value

    @functools.cached_property
    def name(self):
        return f"shape of {self.size}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.size = 0


def case_methods():
    shape = Shape.unit()
    shape.area = Shape.double(8)
    half = functools.partial(Shape, 0.5)
    return shape.area, shape.name, shape.name, half().area, Shape.count > 0


def case_closures():
    total = 0

    def add(number):
        nonlocal total
        total += number
        return total

    functions = [lambda n, k=k: (n + k) if n else (add(k)) for k in range(4)]
    return [f(0) + f(1) for f in functions], (lambda: total)()


def counting(count):
    received = []
    try:
        for number in range(count):
            received.append((yield number))
    except KeyError as error:
        received.append(str(error))
        yield "caught"
    finally:
        received.append("closed")
    return received


def delegating(count):
    result = yield from counting(count)
    yield "delegated"
    return [
        result,
        (yield from counting(1)),
    ]


def outcome(generator):
    try:
        next(generator)
    except StopIteration as stop:
        return stop.value
    return None


def case_generators():
    one, other = counting(3), counting(3)
    seen = [next(one), next(other), one.send("x"), other.send("y"), next(one)]
    seen.append(outcome(one))
    seen.append(other.throw(KeyError("k")))
    other.close()
    unused = counting(1)
    unused.close()
    return seen, list(counting(4))


def case_delegation():
    generator = delegating(3)
    seen = [next(generator), generator.send("a"), generator.throw(KeyError("b")), next(generator)]
    seen.append(next(generator))
    seen.append(outcome(generator))
    closed = delegating(2)
    next(closed)
    closed.close()
    thrown = delegating(2)
    next(thrown)
    try:
        thrown.throw(ValueError("out"))
    except ValueError as error:
        seen.append(str(error))
    return seen, list(delegating(2))


class Ticker:
    def __init__(self, count):
        self.count = count

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.count == 0:
            raise StopAsyncIteration
        self.count -= 1
        await asyncio.sleep(0)
        return self.count

    async def __aenter__(self):
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, kind, *_):
        await asyncio.sleep(0)
        return kind is KeyError


async def squares(count):
    try:
        for number in range(count):
            yield number * number
            await asyncio.sleep(0)
    finally:
        await asyncio.sleep(0)


async def consume():
    found = []
    async with Ticker(2) as ticker, Ticker(1):
        async for tick in ticker:
            found.append(tick)
        else:
            found.append("none left")
    async with Ticker(1):
        raise KeyError("suppressed")
    found.extend([n async for n in squares(4) if n])
    generator = squares(3)
    await anext(generator)
    await generator.aclose()
    return found


async def wait_for_ever(log):
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        log.append("cancelled")
        raise
    finally:
        await asyncio.sleep(0)
        log.append("finally")


async def conversation():
    log = []
    task = asyncio.ensure_future(wait_for_ever(log))
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        log.append("seen")
    results = await asyncio.gather(
        consume(),
        consume(),
    )
    return log, results


def case_coroutines():
    return asyncio.run(conversation())


def case_comprehensions():
    rows = [
        (a, b)
        for a in range(4)
        if a % 2
        for b in "xy"
    ]
    table = {
        a: [
            b
            for _, b in rows
        ]
        for a, _ in rows
    }
    return table, {a for a, _ in rows}, sum(n for n in range(5)), [[x] for x in range(2)]


def matched(value):
    match value:
        case 0 | 1:
            return "small"
        case int(number) if number > 100:
            return "large"
        case [first, *rest]:
            return first, len(rest)
        case {"key": found, **others}:
            return found, others
        case Shape(size=size):
            return size
        case str() as text:
            pass
        case _:
            return "other"
    return text


def case_match():
    values = [0, 1, 7, 700, [1, 2, 3], [], {"key": 1, "b": 2}, {}, Shape(4), "text", 2.5]
    return [matched(value) for value in values]


def many(*values, **named):
    return sum(values) + len(named)


def case_calls_over_lines():
    return many(
        many(1, 2),
        many(
            3,
            *[
                4,
                5,
            ],
        ),
        many(6)
        + many(7)
        if many()
        else many(8),
        key=many(
            9,
        ),
    )


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def case_recursion():
    return fibonacci(10), is_even(20)


def case_loops():
    found = []
    for a in range(3):
        for b in range(3):
            if b == a:
                break
            found.append(b)
        else:
            found.append("all")
    number = 0
    while number < 5:
        number += 1
        if number == 3: continue
        while True: break
    else:
        found.append(number)
    for _ in range(4): number += 1
    x = [0] * 3; x[0] = 1
    while (number :=
           number - 2) > 0 and \
          number != 1:
        pass
    return found, number, x


def case_threads():
    results = []

    def work(count):
        total = 0
        for number in range(count):
            total += fibonacci(number % 7)
        results.append(total)

    threads = [threading.Thread(target=work, args=(60 + n,)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(results)


class Meta(type):
    def __new__(mcs, name, bases, names):
        names["made"] = len(names)
        return super().__new__(mcs, name, bases, names)


def case_classes():
    class Made(metaclass=Meta):
        """A class
        body."""

        a = 1
        b = [a for _ in range(2)]

        def method(self):
            return super().__repr__()[:3], __class__.__name__

    return Made.made, Made.b, Made().method()


def empty(): ...


def documented():
    """Nothing else."""


def constant():
    return 42


def globally():
    global made_global
    made_global = 1
    import os.path as path
    from string import digits, ascii_letters

    return made_global, path.sep, digits, len(ascii_letters)


def case_small_ones():
    return empty(), documented(), constant(), globally()
