/* Every byte is an id. Compiled as a program (tokassay_engine.h), and with -DLIBRARY as a library. */
#ifdef LIBRARY
#include "tokassay_abi.h"
#else
#include "tokassay_engine.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tokassay_name[] = "echo";
const char tokassay_version[] = "1.0";
const char tokassay_capabilities[] = "encode decode encode_bytes decode_bytes";

void *tokassay_open(const char *path, char *error) {
  if (strstr(path, "refuse") != NULL) {
    snprintf(error, TOKASSAY_ERROR_SIZE, "cannot read \"%s\"", path);
    return NULL;
  }
  printf("loading %s\n", path); /* stdout belongs to the protocol: this must not be seen there */
  fflush(stdout);
  return malloc(1);
}

void tokassay_close(void *tokenizer) { free(tokenizer); }

int64_t tokassay_encode(void *tokenizer, const char *text, size_t length, int add_special, uint32_t *ids,
                        size_t capacity, char *error) {
  size_t i;
  (void)tokenizer, (void)add_special;
  if (strcmp(text, "crash") == 0) abort();
  if (strcmp(text, "refuse") == 0) return TOKASSAY_UNSUPPORTED;
  if (strcmp(text, "fail") == 0) {
    snprintf(error, TOKASSAY_ERROR_SIZE, "no \xff way");
    return TOKASSAY_ERROR;
  }
  for (i = 0; i < length && i < capacity; i++) ids[i] = (unsigned char)text[i];
  return (int64_t)length;
}

int64_t tokassay_decode(void *tokenizer, const uint32_t *ids, size_t count, int skip_special, char *text,
                        size_t capacity, char *error) {
  size_t i;
  (void)tokenizer, (void)skip_special, (void)error;
  for (i = 0; i < count && i < capacity; i++) text[i] = (char)(unsigned char)ids[i];
  return (int64_t)count;
}
