/* As echo.c, until one of two texts comes: at SEGFAULT it is gone, at HANG it never answers. */
#ifdef LIBRARY
#include "tokassay_abi.h"
#else
#include "tokassay_engine.h" /* first: its main() is to call the function below */
#endif
#define tokassay_encode echo_encode
#include "../wire/echo.c"
#undef tokassay_encode
#include <unistd.h>

static int is(const char *text, size_t length, const char *other) {
  return length == strlen(other) && memcmp(text, other, length) == 0;
}

int64_t tokassay_encode(void *tokenizer, const char *text, size_t length, int add_special, uint32_t *ids,
                        size_t capacity, char *error) {
  if (is(text, length, SEGFAULT)) *(volatile int *)0 = 0;
  while (is(text, length, HANG)) pause();
  return echo_encode(tokenizer, text, length, add_special, ids, capacity, error);
}
