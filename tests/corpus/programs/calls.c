// Recursion, a callback from the C library, and static functions: calls ROUNDS.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSize = 400 };

__attribute__((noinline)) static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static int compare(const void* left, const void* right) {
  const int a = *(const int*)left, b = *(const int*)right;
  return (a > b) - (a < b);
}

__attribute__((noinline)) static int sort_numbers(unsigned seed) {
  int numbers[kSize];
  for (int i = 0; i < kSize; ++i) {
    seed = seed * 1103515245 + 12345;
    numbers[i] = (int)(seed >> 8);
  }
  qsort(numbers, kSize, sizeof numbers[0], compare);
  return numbers[0];
}

__attribute__((noinline)) static double add_roots(int count) {
  double total = 0;
  for (int i = 0; i < count; ++i) total += sqrt(i) * sin(i);
  return total;
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  double total = 0;
  for (int i = 0; i < rounds; ++i) {
    total += fibonacci(12) + sort_numbers((unsigned)i) + add_roots(500);
  }
  printf("%g\n", total);
  return 0;
}
