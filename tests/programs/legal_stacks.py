"""Every way of calling, with the functions that a line may call written behind it.

`# -> f, g` lists the only functions that may be called from that line; a module's name allows
any function outside of this file. A stack that shows another pair, or that begins elsewhere
than the program does, is one that cannot have been.

    legal_stacks.py SECONDS      of CPU per thread, in four threads
"""

import sys
import threading
import time


def leaf_sum(*, étendue=60):
    total = 0
    for number in range(étendue):
        total += number
    return total


def leaf_xor():
    total = 0
    for number in range(60):
        total ^= number
    return total


# Siblings that must never be mixed: the shape of cpython issue 151424.


def left():
    return leaf_sum()  # -> leaf_sum


def right():
    return leaf_xor()  # -> leaf_xor


def 变量é():  # noqa: N802
    return leaf_sum()  # -> leaf_sum


def siblings():
    for _ in range(20):
        left()  # -> left
        right()  # -> right
    变量é()  # -> 变量é


# Recursion, also over the ends of the data stack's chunks.


def recurse(depth):
    if depth == 0:
        return leaf_sum()  # -> leaf_sum
    return recurse(depth - 1) + 1  # -> recurse


def deep(depth):
    if depth:
        deep(depth - 1)  # -> deep


def big_frames(depth):
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = depth
    b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = b8 = b9 = depth
    if depth:
        big_frames(depth - 1)  # -> big_frames
    return (
        a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9,
        b0 ^ b1 ^ b2 ^ b3 ^ b4 ^ b5,
        b6,
        b7,
        b8,
        b9,
    )


# Generators.


def generate(count):
    for _ in range(count):
        yield leaf_xor()  # -> leaf_xor


def delegate(count):
    yield from generate(count)  # -> generate


def infinite():
    while True:
        try:
            yield leaf_sum()  # -> leaf_sum
        except ValueError:
            leaf_xor()  # -> leaf_xor


def drain():
    total = 0
    for value in delegate(12):  # -> delegate
        total += value
    total += sum(generate(6))  # -> generate
    total += sum(n * n for n in range(30))  # -> <genexpr>
    endless = infinite()  # -> infinite
    next(endless)  # -> infinite
    endless.throw(ValueError)  # -> infinite
    endless.close()  # -> infinite
    return total


# Methods, and C code that calls back.


class Point:  # -> Point
    def __init__(self, key):
        self.value = leaf_sum() + key  # -> leaf_sum

    def __lt__(self, other):
        return self.value < other.value

    @property
    def double(self):
        return leaf_xor() + self.value  # -> leaf_xor


class Derived(Point):  # -> Derived
    def __init__(self, key):
        super().__init__(key)  # -> __init__
        self.more = leaf_xor()  # -> leaf_xor


def call_back():
    points = [Point(n) for n in range(6)]  # -> __init__, <listcomp>
    points.append(Derived(7))  # -> __init__
    points.sort()  # -> __lt__
    max(points, key=sort_key)  # -> sort_key
    sorted(range(20), key=lambda n: -n)  # -> <lambda>
    list(map(sort_key, points))  # -> sort_key
    return points[0].double  # -> double


def sort_key(point):
    return leaf_sum() - point.value  # -> leaf_sum


# Exceptions.


def throw(depth):
    if depth == 0:
        raise ValueError
    throw(depth - 1)  # -> throw


def catch():
    try:
        throw(8)  # -> throw
    except ValueError:
        leaf_xor()  # -> leaf_xor
    finally:
        leaf_sum()  # -> leaf_sum


class Guard:  # -> Guard
    def __enter__(self):
        return leaf_sum()  # -> leaf_sum

    def __exit__(self, *_):
        return bool(leaf_xor() >= 0)  # -> leaf_xor


def guarded():
    with Guard():  # -> __enter__, __exit__
        throw(3)  # -> throw


# Coroutines.


class Pause:  # -> Pause
    def __await__(self):
        leaf_sum()  # -> leaf_sum
        yield


async def inner():
    await Pause()  # -> __await__
    return leaf_xor()  # -> leaf_xor


async def stream():
    for _ in range(3):
        yield leaf_sum()  # -> leaf_sum


async def outer():
    await inner()  # -> inner
    async for _ in stream():  # -> stream
        leaf_xor()  # -> leaf_xor


def run_coroutine():
    coroutine = outer()  # -> outer
    try:
        while True:
            coroutine.send(None)  # -> outer
    except StopIteration:
        pass


def everything():
    siblings()  # -> siblings
    recurse(18)  # -> recurse
    drain()  # -> drain
    call_back()  # -> call_back
    catch()  # -> catch
    guarded()  # -> guarded
    run_coroutine()  # -> run_coroutine
    deep(150)  # -> deep
    big_frames(90)  # -> big_frames


def work(seconds):
    clock = time.thread_time
    end = clock() + seconds
    while clock() < end:
        everything()  # -> everything


def worker(seconds):
    work(seconds)  # -> work


def main():
    seconds = float(sys.argv[1])
    make = threading.Thread
    threads = [make(target=worker, args=[seconds]) for _ in range(3)]  # -> threading, <listcomp>
    for thread in threads:
        thread.start()  # -> threading
    work(seconds)  # -> work
    for thread in threads:
        thread.join()  # -> threading


main()  # -> main
