"""Three named threads at work beside one that sleeps."""

import sys
import threading
import time


def count(limit):
    total = 0
    for number in range(limit):
        total += number % 7
    return total


def join_words(limit):
    return " ".join(str(number) for number in range(limit))


def counting(rounds):
    for _ in range(rounds):
        count(20_000)


def joining(rounds):
    for _ in range(rounds):
        join_words(8_000)


def sleeping(rounds):
    for _ in range(rounds):
        time.sleep(0.002)


def main(rounds):
    threads = [
        threading.Thread(target=work, args=(rounds,), name=work.__name__)
        for work in (counting, joining, sleeping)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
