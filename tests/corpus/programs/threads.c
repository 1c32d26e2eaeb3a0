// Two threads that do different work: threads ROUNDS.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int rounds = 1;

__attribute__((noinline)) static long count_bits(long number) {
  long bits = 0;
  for (; number != 0; number &= number - 1) ++bits;
  return bits;
}

static void* bits(void* unused) {
  long total = 0;
  for (long i = 0; i < 2000L * rounds; ++i) total += count_bits(i);
  (void)unused;
  return (void*)total;
}

__attribute__((noinline)) static long divisors(long number) {
  long found = 0;
  for (long i = 1; i <= number; ++i) found += number % i == 0;
  return found;
}

static void* divide(void* unused) {
  long total = 0;
  for (long i = 0; i < 60L * rounds; ++i) total += divisors(i % 100);
  (void)unused;
  return (void*)total;
}

int main(int argc, char** argv) {
  pthread_t first, second;
  void *one, *two;
  if (argc > 1) rounds = atoi(argv[1]);
  pthread_create(&first, NULL, bits, NULL);
  pthread_create(&second, NULL, divide, NULL);
  pthread_join(first, &one);
  pthread_join(second, &two);
  printf("%ld %ld\n", (long)one, (long)two);
  return 0;
}
