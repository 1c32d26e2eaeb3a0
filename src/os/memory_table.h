/* How the agent and the library that stands before malloc (preload/memory_*) find each other, in
 * the way of collect/agent_table.h. The library counts every byte itself and decides by these
 * numbers which blocks the agent hears of; the agent knows where in the program they were made. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming,modernize-redundant-void-arg): this is C. */
/* NOLINTBEGIN(cppcoreguidelines-pro-type-cstyle-cast): likewise. */
#define PYROMETER_MEMORY_VERSION 4
#define PYROMETER_MEMORY_SYMBOL "pyrometer_memory_table"

/* Blocks of this size are told of one by one, whatever the sampling. */
#define PYROMETER_BIG_BLOCK ((size_t)1 << 20)
/* A block may be one the agent was told of only if the bit of its slot is set in the filter. */
#define PYROMETER_BLOCK_SLOT_BITS 16
#define PYROMETER_BLOCK_FILTER_BYTES ((size_t)1 << (PYROMETER_BLOCK_SLOT_BITS - 3))

/* What a thread did with memory, by malloc alone; the thread itself writes. */
struct pyrometer_thread_memory {
  int64_t until_sample; /* bytes until a block is told of */
  int64_t until_object; /* likewise of Python's small objects */
  int64_t live;         /* bytes it allocated less those it freed */
  int64_t allocated;    /* bytes ever */
  int64_t most_live;    /* the most of `live` since somebody last set it */
  int64_t published;    /* of `live`, what is in the heap of the process */
  uint32_t is_inside;   /* not 0: memory of ours, which does not count */
  uint32_t count;       /* the number of the count from zero that this belongs to */
  uint32_t is_met;
};

enum pyrometer_block_kind { PYROMETER_HEAP_BLOCK, PYROMETER_OBJECT, PYROMETER_BIG };

struct pyrometer_memory_agent {
  uint32_t version; /* PYROMETER_MEMORY_VERSION */
  uint32_t size;    /* of this struct, as the agent knows it */
  /* The calling thread made a block. Returns the bytes until the next one to be told of. */
  int64_t (*block_came)(const void* block, size_t size, enum pyrometer_block_kind kind,
                        const void* caller);
  /* A block that may be among those is about to be freed. */
  void (*block_goes)(const void* block);
  void (*mapping_came)(const void* begin, size_t size, const void* caller);
  /* Returns how many bytes of that range were told of. */
  int64_t (*mapping_goes)(const void* begin, size_t size);
  /* The heap of the process is larger than ever before. */
  void (*heap_peak)(int64_t heap);
};

/* As Python's PyMemAllocatorEx and PyObjectArenaAllocator. */
struct pyrometer_pool {
  void* context;
  void* (*malloc)(void* context, size_t size);
  void* (*calloc)(void* context, size_t count, size_t size);
  void* (*realloc)(void* context, void* block, size_t size);
  void (*free)(void* context, void* block);
};
struct pyrometer_arenas {
  void* context;
  void* (*alloc)(void* context, size_t size);
  void (*free)(void* context, void* arena, size_t size);
};

struct pyrometer_memory_table {
  uint32_t version;
  uint32_t size;
  /* The agent is there from now on; NULL: nobody is told any more. */
  void (*agent_came)(const struct pyrometer_memory_agent* agent);
  struct pyrometer_thread_memory* (*own_thread)(void);
  /* Bytes of the process in blocks, mappings and arenas, up to some KiB per thread. */
  int64_t (*heap)(void);
  /* By pyrometer_block_slot(); of blocks and of objects told of, written by the agent. */
  uint8_t* block_filter;
  uint8_t* object_filter;
  /* Puts itself before a pool for blocks of at most `largest` bytes, or before the arenas of
   * all pools; false: there are too many pools. */
  int (*wrap_pool)(struct pyrometer_pool* pool, size_t largest);
  /* Likewise before CPython's own, which asks malloc for what is larger than 512 bytes: objects
   * that are told of lie in blocks of malloc, and of others the end is not heard. False: it is
   * another. */
  int (*wrap_moving_pool)(struct pyrometer_pool* pool);
  void (*wrap_arenas)(struct pyrometer_arenas* arenas);
  /* Where the library was loaded into a running program: it replaces what all libraries but the one
   * that `except` is in import of malloc and its relatives, and counts from zero, what was there
   * before never. Then it looks for libraries that came since, and at the end puts back what it
   * replaced. */
  void (*stand_before_imports)(const void* except);
  void (*follow_imports)(void);
  void (*leave_imports)(void);
  /* Where the library came before the program: what the library that `inside` is in imports of
   * malloc and its relatives leads past us from now on, as its memory is not the program's. */
  void (*let_pass)(const void* inside);
};

/* Neighbours have slots near each other: a program that frees what it just made stays in few lines
 * of the cache. */
static inline uint32_t pyrometer_block_slot(const void* block) {
  const uint64_t place = (uint64_t)(uintptr_t)block >> 4;
  const uint64_t mixed = place + (place >> PYROMETER_BLOCK_SLOT_BITS) * 0x9e3779b1U;
  return (uint32_t)(mixed & (((uint64_t)1 << PYROMETER_BLOCK_SLOT_BITS) - 1));
}

/* NOLINTEND(cppcoreguidelines-pro-type-cstyle-cast) */
/* NOLINTEND(readability-identifier-naming,modernize-redundant-void-arg) */

#ifdef __cplusplus
}
#endif
