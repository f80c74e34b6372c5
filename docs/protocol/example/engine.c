/* A small engine, and the way to it: -DSTEP=1 is wrong in every way that is told in README.md, -DSTEP=7 is right.
 *
 *     cc -std=c99 -I.. -DSTEP=1 -o engine engine.c
 *
 * The tokenizer (tokenizer.json) knows the 256 bytes, id = byte, and one special token, "<|end|>" = 256.
 */
#include "tokassay_engine.h"

#ifndef STEP
#define STEP 7
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

#if STEP >= 7
/* The character at `text`: answers its bytes and `whole` = 1, or the bytes that one U+FFFD stands for. */
static size_t character(const char *text, size_t left, int *whole) {
  const unsigned char *at = (const unsigned char *)text;
  unsigned char low = at[0] == 0xE0 ? 0xA0 : at[0] == 0xF0 ? 0x90 : 0x80;
  unsigned char high = at[0] == 0xED ? 0x9F : at[0] == 0xF4 ? 0x8F : 0xBF;
  size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0, i;
  for (i = 1; i < length && i < left && at[i] >= low && at[i] <= high; i++) low = 0x80, high = 0xBF;
  *whole = i == length;
  return i;
}

/* Bytes to UTF-8: what is no character becomes U+FFFD. */
static int64_t replaced(const char *bytes, size_t count, char *text, size_t capacity) {
  size_t at = 0, length = 0, step, part;
  int whole;
  while (at < count) {
    step = character(bytes + at, count - at, &whole);
    part = whole ? step : 3;
    if (length + part <= capacity) memcpy(text + length, whole ? bytes + at : "\xEF\xBF\xBD", part);
    at += step;
    length += part;
  }
  return (int64_t)length;
}
#endif

int64_t tokassay_decode(void *tokenizer, const uint32_t *ids, size_t count, int skip_special, char *text,
                        size_t capacity, char *error) {
  size_t length = 0, i, part;
#if STEP >= 7
  char *utf8 = text;
  size_t room = capacity;
  int64_t answer;
  capacity = count * (sizeof END - 1); /* the bytes of the tokens; they need not be UTF-8 */
  text = (char *)malloc(capacity + 1);
  if (text == NULL) return TOKASSAY_ERROR;
#endif
  (void)tokenizer, (void)error;
  for (i = 0; i < count; i++) {
    char byte = (char)(unsigned char)ids[i];
    const char *piece = ids[i] == END_ID ? END : &byte;
    part = ids[i] == END_ID ? (skip_special ? 0 : sizeof END - 1) : ids[i] < END_ID ? 1 : 0;
    if (length + part <= capacity) memcpy(text + length, piece, part);
    length += part;
  }
#if STEP >= 7
  answer = replaced(text, length, utf8, room);
  free(text);
  return answer;
#else
  return (int64_t)length;
#endif
}

void tokassay_close(void *tokenizer) { (void)tokenizer; }
