"""Two children that allocate beside their parent, for tools that watch whole processes."""

import multiprocessing
import sys
import time


def allocate(megabytes):
    block = bytearray(megabytes << 20)
    time.sleep(0.3)
    return len(block)


def main(rounds):
    context = multiprocessing.get_context("fork")
    for _ in range(rounds):
        children = [context.Process(target=allocate, args=(size,)) for size in (20, 40)]
        for child in children:
            child.start()
        allocate(10)
        for child in children:
            child.join()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
