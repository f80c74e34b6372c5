/* A small engine, and the way to it: -DSTEP=1 is wrong in every way that is told in README.md, -DSTEP=6 is right.
 *
 *     cc -std=c99 -I.. -DSTEP=1 -o engine engine.c
 *
 * The tokenizer (tokenizer.json) knows the 256 bytes, id = byte, and one special token, "<|end|>" = 256.
 */
#include "tokassay_engine.h"

#ifndef STEP
#define STEP 6
#endif

#define END_ID 256
static const char END[] = "<|end|>";

const char tokassay_name[] = "bytes";
const char tokassay_version[] = "0.1";
const char tokassay_capabilities[] = "encode decode skip_special";

void *tokassay_open(const char *path, char *error) {
#if STEP == 1
  snprintf(error, TOKASSAY_ERROR_SIZE, "reading %s is not written yet", path);
  return NULL;
#else
  static int tokenizer; /* nothing to remember: a real engine reads the file here */
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    snprintf(error, TOKASSAY_ERROR_SIZE, "%s: %s", path, strerror(errno));
    return NULL;
  }
  fclose(file);
  return &tokenizer;
#endif
}

int64_t tokassay_encode(void *tokenizer, const char *text, size_t length, int add_special, uint32_t *ids,
                        size_t capacity, char *error) {
  size_t at = 0, count = 0;
  (void)tokenizer, (void)add_special, (void)capacity, (void)error;
#if STEP < 4
  length = strlen(text); /* a text may hold NUL */
#endif
  while (at < length) {
    uint32_t id = (unsigned char)text[at++];
#if STEP < 3
    id = (uint32_t)(signed char)text[at - 1]; /* a char may be signed */
#endif
#if STEP >= 6
    if (length - at + 1 >= sizeof END - 1 && memcmp(text + at - 1, END, sizeof END - 1) == 0) {
      id = END_ID;
      at += sizeof END - 2;
    }
#endif
#if STEP >= 5
    if (count < capacity) /* there may be more ids than room; the count tells */
#endif
      ids[count] = id;
    count++;
  }
  return (int64_t)count;
}

int64_t tokassay_decode(void *tokenizer, const uint32_t *ids, size_t count, int skip_special, char *text,
                        size_t capacity, char *error) {
  size_t length = 0, i, part;
  (void)tokenizer, (void)error;
  for (i = 0; i < count; i++) {
    char byte = (char)(unsigned char)ids[i];
    const char *piece = ids[i] == END_ID ? END : &byte;
    part = ids[i] == END_ID ? (skip_special ? 0 : sizeof END - 1) : ids[i] < END_ID ? 1 : 0;
    if (length + part <= capacity) memcpy(text + length, piece, part);
    length += part;
  }
  return (int64_t)length;
}

void tokassay_close(void *tokenizer) { (void)tokenizer; }
