/* tokassay_engine.h: four C functions become an engine under test.
 *
 * Include it in one source file, after or before the functions of the first part are defined, and link nothing:
 * it brings a main() that speaks the wire protocol (docs/protocol/README.md) on stdin and stdout. C99 or C++,
 * POSIX. What the engine prints to stdout goes to stderr.
 *
 *     cc -std=c99 -O2 -o engine engine.c && tokassay run --engine exec:./engine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOKASSAY_ENGINE_H
#define TOKASSAY_ENGINE_H

#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

/* ---- part 1: what the engine brings (the same as tokassay_abi.h) ------------------------------------------- */

#ifndef TOKASSAY_ABI_H
#define TOKASSAY_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOKASSAY_UNSUPPORTED (-1) /* this engine does not do that: not a failure */
#define TOKASSAY_ERROR (-2)       /* it should, but could not */
#define TOKASSAY_ERROR_SIZE 256   /* bytes behind every `error`: write why, as a C string, or leave it */

extern const char tokassay_name[];
extern const char tokassay_version[];
/* Words, apart by one space: encode decode, and where they are true: add_special skip_special
 * encode_bytes decode_bytes. */
extern const char tokassay_capabilities[];

/* The tokenizer in a file, or NULL. */
void *tokassay_open(const char *path, char *error);

/* Text to ids. `text` is `length` bytes of UTF-8, which may hold NUL, and a closing NUL. Writes at most
 * `capacity` ids and answers how many there are: where that is more, it is called again with that much room. */
int64_t tokassay_encode(void *tokenizer, const char *text, size_t length, int add_special, uint32_t *ids,
                        size_t capacity, char *error);

/* Ids to bytes of text, without a closing NUL; counted like the ids above. */
int64_t tokassay_decode(void *tokenizer, const uint32_t *ids, size_t count, int skip_special, char *text,
                        size_t capacity, char *error);

void tokassay_close(void *tokenizer);

#ifdef __cplusplus
}
#endif
#endif /* TOKASSAY_ABI_H */

/* ---- part 2: the protocol ---------------------------------------------------------------------------------- */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TKA_PROTOCOL 1
#define TKA_HANDLES 4            /* tokenizers held at a time */
#define TKA_DEPTH 64             /* nesting of JSON that is skipped */
#define TKA_FLUSH_NS 50000000LL  /* an answer waits no longer than this for the next ones */
#define TKA_READ (1u << 18)
#define TKA_ROOM 256             /* ids, or bytes of text, that a first call has room for */
#define TKA_GUARD 16             /* items behind a result that must stay as they are */
#define TKA_GUARD_BYTE 0xA5

static void tka_die(const char *why) {
  fprintf(stderr, "tokassay_engine.h: %s\n", why);
  fflush(stderr);
  abort(); /* the host starts a fresh process and blames the case */
}

/* -- bytes that grow -- */

typedef struct {
  char *data;
  size_t length, capacity;
} tka_bytes;

static void tka_reserve(tka_bytes *bytes, size_t more) {
  size_t capacity = bytes->capacity ? bytes->capacity : 256;
  char *data;
  if (more > (size_t)-1 / 4 || bytes->length > (size_t)-1 / 4) tka_die("out of memory");
  if (bytes->length + more <= bytes->capacity) return;
  while (capacity < bytes->length + more) capacity *= 2;
  data = (char *)realloc(bytes->data, capacity);
  if (data == NULL) tka_die("out of memory");
  bytes->data = data;
  bytes->capacity = capacity;
}

static void tka_put(tka_bytes *out, const char *data, size_t length) {
  if (length == 0) return;
  tka_reserve(out, length);
  memcpy(out->data + out->length, data, length);
  out->length += length;
}

static void tka_puts(tka_bytes *out, const char *text) { tka_put(out, text, strlen(text)); }

static void tka_put_number(tka_bytes *out, unsigned long long value) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  tka_put(out, digits + at, sizeof digits - at);
}

static void tka_put_hex(tka_bytes *out, const char *data, size_t length) {
  static const char digits[] = "0123456789abcdef";
  size_t i;
  tka_reserve(out, 2 * length);
  for (i = 0; i < length; i++) {
    out->data[out->length++] = digits[(unsigned char)data[i] >> 4];
    out->data[out->length++] = digits[(unsigned char)data[i] & 15];
  }
}

/* Length of the UTF-8 sequence at `data`, 0 where there is none (overlong, surrogate, cut, too large). */
static size_t tka_sequence(const unsigned char *data, size_t left) {
  unsigned char first = data[0];
  size_t length, i;
  if (first < 0x80) return 1;
  length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || length > left) return 0;
  for (i = 1; i < length; i++)
    if ((data[i] & 0xC0) != 0x80) return 0;
  if (first == 0xE0 && data[1] < 0xA0) return 0;
  if (first == 0xED && data[1] > 0x9F) return 0;
  if (first == 0xF0 && data[1] < 0x90) return 0;
  if (first == 0xF4 && data[1] > 0x8F) return 0;
  return length;
}

static int tka_is_utf8(const char *data, size_t length) {
  size_t at = 0, step;
  while (at < length) {
    step = tka_sequence((const unsigned char *)data + at, length - at);
    if (step == 0) return 0;
    at += step;
  }
  return 1;
}

/* A JSON string; a byte that is not UTF-8 (in a message, say) becomes a question mark. */
static void tka_put_string(tka_bytes *out, const char *data, size_t length) {
  size_t at = 0, step;
  char escape[8];
  tka_puts(out, "\"");
  while (at < length) {
    unsigned char c = (unsigned char)data[at];
    step = tka_sequence((const unsigned char *)data + at, length - at);
    if (step == 0) {
      tka_puts(out, "?");
      step = 1;
    } else if (c == '"' || c == '\\') {
      escape[0] = '\\';
      escape[1] = (char)c;
      tka_put(out, escape, 2);
    } else if (c < 0x20 || c == 0x7F) {
      snprintf(escape, sizeof escape, "\\u%04x", c);
      tka_put(out, escape, 6);
    } else {
      tka_put(out, data + at, step);
    }
    at += step;
  }
  tka_puts(out, "\"");
}

/* -- reading one request -- */

typedef struct {
  const char *at, *end;
} tka_scanner;

typedef struct {
  int has_id, has_handle, has_text, has_ids, lone_surrogate, bad_hex, wide_id;
  long long id, handle, protocol;
  int add_special, skip_special, wants_more;
  tka_bytes op, path, text, key, ids; /* ids: uint32_t after uint32_t */
} tka_request;

static void tka_blank(tka_scanner *in) {
  while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\r')) in->at++;
}

static int tka_next(tka_scanner *in, char c) {
  tka_blank(in);
  if (in->at == in->end || *in->at != c) return 0;
  in->at++;
  return 1;
}

static int tka_word(tka_scanner *in, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) return 0;
  in->at += length;
  return 1;
}

static int tka_nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static int tka_unit(tka_scanner *in, unsigned *unit) {
  int i, nibble;
  *unit = 0;
  for (i = 0; i < 4; i++) {
    if (in->at == in->end || (nibble = tka_nibble(*in->at)) < 0) return 0;
    *unit = *unit << 4 | (unsigned)nibble;
    in->at++;
  }
  return 1;
}

static void tka_put_utf8(tka_bytes *out, unsigned long point) {
  char bytes[4];
  size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4, i;
  for (i = length - 1; i > 0; i--) {
    bytes[i] = (char)(0x80 | (point & 0x3F));
    point >>= 6;
  }
  bytes[0] = (char)(length == 1 ? point : (0xF00ul >> length & 0xFF) | point);
  tka_put(out, bytes, length);
}

/* After "\u": one code point from one or two escapes. */
static int tka_escaped(tka_scanner *in, tka_bytes *out, int *lone) {
  unsigned high, low;
  tka_scanner ahead;
  if (!tka_unit(in, &high)) return 0;
  ahead = *in;
  if (high >= 0xD800 && high < 0xDC00 && tka_word(&ahead, "\\u") && tka_unit(&ahead, &low) && low >= 0xDC00 &&
      low < 0xE000) {
    *in = ahead;
    tka_put_utf8(out, 0x10000ul + ((unsigned long)(high - 0xD800) << 10) + (low - 0xDC00));
    return 1;
  }
  if (high >= 0xD800 && high < 0xE000) *lone = 1;
  tka_put_utf8(out, high);
  return 1;
}

static int tka_string(tka_scanner *in, tka_bytes *out, int *lone) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  const char *start, *name;
  out->length = 0;
  if (!tka_next(in, '"')) return 0;
  for (;;) {
    start = in->at;
    while (in->at < in->end && *in->at != '"' && *in->at != '\\') in->at++;
    tka_put(out, start, (size_t)(in->at - start));
    if (in->at == in->end) return 0;
    if (*in->at++ == '"') return 1;
    if (in->at == in->end) return 0;
    if (*in->at == 'u') {
      in->at++;
      if (!tka_escaped(in, out, lone)) return 0;
    } else {
      name = (const char *)memchr(names, *in->at, sizeof names - 1);
      if (name == NULL) return 0;
      tka_put(out, values + (name - names), 1);
      in->at++;
    }
  }
}

static int tka_integer(tka_scanner *in, long long *value) {
  int negative, digits = 0;
  unsigned long long sum = 0;
  tka_blank(in);
  negative = in->at < in->end && *in->at == '-';
  if (negative) in->at++;
  while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
    if (digits++ < 18) sum = sum * 10 + (unsigned)(*in->at - '0'); /* what is longer is too large anyway */
    in->at++;
  }
  *value = negative ? -(long long)sum : (long long)sum;
  return digits > 0 && (in->at == in->end || memchr(".eE", *in->at, 3) == NULL);
}

static int tka_boolean(tka_scanner *in, int *value) {
  tka_blank(in);
  *value = tka_word(in, "true");
  return *value || tka_word(in, "false");
}

static int tka_skip(tka_scanner *in, tka_bytes *scratch, int depth);

/* The items of an array or object, after its opening bracket. */
static int tka_skip_items(tka_scanner *in, tka_bytes *scratch, int depth, char close) {
  int lone;
  if (tka_next(in, close)) return 1;
  for (;;) {
    if (close == '}' && !(tka_string(in, scratch, &lone) && tka_next(in, ':'))) return 0;
    if (!tka_skip(in, scratch, depth - 1)) return 0;
    if (tka_next(in, close)) return 1;
    if (!tka_next(in, ',')) return 0;
  }
}

static int tka_skip(tka_scanner *in, tka_bytes *scratch, int depth) {
  int lone;
  const char *start;
  tka_blank(in);
  if (in->at == in->end || depth == 0) return 0;
  if (*in->at == '"') return tka_string(in, scratch, &lone);
  if (tka_next(in, '{')) return tka_skip_items(in, scratch, depth, '}');
  if (tka_next(in, '[')) return tka_skip_items(in, scratch, depth, ']');
  if (tka_word(in, "true") || tka_word(in, "false") || tka_word(in, "null")) return 1;
  start = in->at;
  while (in->at < in->end && *in->at != '\0' && strchr("+-.0123456789eE", *in->at) != NULL) in->at++;
  return in->at > start;
}

static int tka_id_list(tka_scanner *in, tka_request *request) {
  long long value;
  uint32_t id;
  request->ids.length = 0;
  if (!tka_next(in, '[')) return 0;
  if (tka_next(in, ']')) return 1;
  for (;;) {
    if (!tka_integer(in, &value)) return 0;
    if (value < 0 || value > 0xFFFFFFFFLL) request->wide_id = 1;
    id = (uint32_t)value;
    tka_put(&request->ids, (const char *)&id, sizeof id);
    if (tka_next(in, ']')) return 1;
    if (!tka_next(in, ',')) return 0;
  }
}

static int tka_hex_string(tka_scanner *in, tka_request *request) {
  size_t i;
  int high, low;
  tka_bytes *text = &request->text;
  if (!tka_string(in, text, &request->lone_surrogate)) return 0;
  request->bad_hex = text->length % 2 != 0;
  for (i = 0; i + 1 < text->length; i += 2) {
    high = tka_nibble(text->data[i]);
    low = tka_nibble(text->data[i + 1]);
    if (high < 0 || low < 0) request->bad_hex = 1;
    text->data[i / 2] = (char)(high * 16 + low);
  }
  text->length /= 2;
  return 1;
}

/* A C string, for an engine that counts on one; the closing NUL is not part of the text. */
static int tka_close_text(tka_bytes *text) {
  tka_put(text, "", 1);
  text->length--;
  return 1;
}

static int tka_is(const tka_bytes *bytes, const char *word) {
  return bytes->length == strlen(word) && memcmp(bytes->data, word, bytes->length) == 0;
}

/* "want": an empty list asks for nothing more than the ids. */
static int tka_want(tka_scanner *in, tka_request *request) {
  tka_scanner ahead = *in;
  tka_bytes scratch = {NULL, 0, 0};
  int good;
  if (!(tka_next(&ahead, '[') && tka_next(&ahead, ']'))) request->wants_more = 1;
  good = tka_skip(in, &scratch, TKA_DEPTH);
  free(scratch.data);
  return good;
}

static int tka_value(tka_scanner *in, tka_request *request) {
  const tka_bytes *key = &request->key;
  int lone, flag;
  if (tka_is(key, "op")) return tka_string(in, &request->op, &lone);
  if (tka_is(key, "id")) return request->has_id = tka_integer(in, &request->id);
  if (tka_is(key, "handle")) return request->has_handle = tka_integer(in, &request->handle);
  if (tka_is(key, "protocol")) return tka_integer(in, &request->protocol);
  if (tka_is(key, "path")) return tka_string(in, &request->path, &lone);
  if (tka_is(key, "text"))
    return request->has_text =
               tka_string(in, &request->text, &request->lone_surrogate) && tka_close_text(&request->text);
  if (tka_is(key, "bytes_hex"))
    return request->has_text = tka_hex_string(in, request) && tka_close_text(&request->text);
  if (tka_is(key, "ids")) return request->has_ids = tka_id_list(in, request);
  if (tka_is(key, "add_special")) return tka_boolean(in, &request->add_special);
  if (tka_is(key, "skip_special")) return tka_boolean(in, &request->skip_special);
  if (tka_is(key, "want")) return tka_want(in, request);
  if (tka_is(key, "limits")) {
    if (!tka_boolean(in, &flag)) return 0;
    request->wants_more |= flag;
    return 1;
  }
  if (tka_is(key, "pair")) request->wants_more = 1;
  return tka_skip(in, &request->key, TKA_DEPTH);
}

static int tka_parse(const char *line, size_t length, tka_request *request) {
  tka_scanner in;
  int lone;
  in.at = line;
  in.end = line + length;
  request->has_id = request->has_handle = request->has_text = request->has_ids = 0;
  request->lone_surrogate = request->bad_hex = request->wide_id = request->wants_more = 0;
  request->add_special = request->skip_special = 1;
  request->handle = request->protocol = 0;
  request->op.length = request->path.length = 0;
  if (!tka_next(&in, '{')) return 0;
  for (;;) {
    if (!tka_string(&in, &request->key, &lone) || !tka_next(&in, ':')) return 0;
    if (!tka_value(&in, request)) return 0;
    if (tka_next(&in, '}')) break;
    if (!tka_next(&in, ',')) return 0;
  }
  tka_blank(&in);
  return in.at == in.end && request->has_id;
}

/* -- answering -- */

typedef struct {
  void *tokenizers[TKA_HANDLES];
  tka_bytes out, ids, text;
  size_t id_room, text_room; /* what was needed so far: a second call is rare */
  char error[TOKASSAY_ERROR_SIZE];
} tka_state;

static void tka_begin(tka_bytes *out, const tka_request *request) {
  tka_puts(out, request->id < 0 ? "{\"id\":-" : "{\"id\":");
  tka_put_number(out, (unsigned long long)(request->id < 0 ? -request->id : request->id));
}

static void tka_fail(tka_bytes *out, const char *kind, const char *reason) {
  tka_puts(out, ",\"");
  tka_puts(out, kind);
  tka_puts(out, "\":");
  tka_put_string(out, reason, strlen(reason));
  tka_puts(out, "}\n");
}

static void tka_hello(tka_state *state) {
  tka_bytes *out = &state->out;
  const char *word = tokassay_capabilities;
  int first = 1;
  tka_puts(out, ",\"protocol\":1,\"engine\":{\"name\":");
  tka_put_string(out, tokassay_name, strlen(tokassay_name));
  tka_puts(out, ",\"version\":");
  tka_put_string(out, tokassay_version, strlen(tokassay_version));
  tka_puts(out, "},\"handles\":");
  tka_put_number(out, TKA_HANDLES);
  tka_puts(out, ",\"capabilities\":[");
  while (*word) {
    size_t length = strcspn(word, " ");
    if (length > 0) {
      if (!first) tka_puts(out, ",");
      tka_put_string(out, word, length);
      first = 0;
    }
    word += length + (word[length] == ' ');
  }
  tka_puts(out, "]}\n");
}

static void tka_load(tka_state *state, tka_request *request) {
  void **slot = &state->tokenizers[request->handle];
  if (*slot != NULL) tokassay_close(*slot);
  tka_put(&request->path, "", 1); /* a C string */
  state->error[0] = '\0';
  *slot = tokassay_open(request->path.data, state->error);
  state->error[TOKASSAY_ERROR_SIZE - 1] = '\0';
  if (*slot == NULL)
    tka_fail(&state->out, "error", state->error[0] ? state->error : "tokassay_open answered NULL");
  else
    tka_puts(&state->out, ",\"loaded\":true}\n");
}

/* Room for `capacity` items and the guard behind them. */
static void tka_room(tka_bytes *bytes, size_t capacity, size_t size) {
  bytes->length = 0;
  if (capacity > (size_t)-1 / 16 / size) tka_die("the engine asks for too much memory");
  tka_reserve(bytes, (capacity + TKA_GUARD) * size);
  memset(bytes->data + capacity * size, TKA_GUARD_BYTE, TKA_GUARD * size);
}

static void tka_check(const tka_bytes *bytes, size_t capacity, size_t size, const char *function) {
  size_t i;
  char why[96];
  for (i = 0; i < TKA_GUARD * size; i++)
    if ((unsigned char)bytes->data[capacity * size + i] != TKA_GUARD_BYTE) {
      snprintf(why, sizeof why, "%s wrote past its capacity of %lu", function, (unsigned long)capacity);
      tka_die(why);
    }
}

/* A negative answer of the engine, told; 0 where there was none. */
static int tka_failed(tka_state *state, int64_t answer, const char *function) {
  char why[64];
  if (answer >= 0) return 0;
  state->error[TOKASSAY_ERROR_SIZE - 1] = '\0';
  snprintf(why, sizeof why, "%s answered %ld", function, (long)answer);
  tka_fail(&state->out, answer == TOKASSAY_UNSUPPORTED ? "unsupported" : "error",
           state->error[0] ? state->error : why);
  return 1;
}

static long long tka_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The end of a reply: how long the engine took for it. */
static void tka_end(tka_state *state, long long started, long long ended) {
  tka_puts(&state->out, ",\"ns\":");
  tka_put_number(&state->out, ended > started ? (unsigned long long)(ended - started) : 0);
  tka_puts(&state->out, "}\n");
}

static void tka_encode(tka_state *state, const tka_request *request) {
  size_t capacity, i, attempt;
  int64_t count = 0;
  long long started = 0, ended = 0;
  uint32_t *ids;
  for (attempt = 0; attempt < 2; attempt++) {
    capacity = state->id_room;
    tka_room(&state->ids, capacity, sizeof *ids);
    state->error[0] = '\0';
    started = tka_now();
    count = tokassay_encode(state->tokenizers[request->handle], request->text.data, request->text.length,
                            request->add_special, (uint32_t *)(void *)state->ids.data, capacity, state->error);
    ended = tka_now();
    tka_check(&state->ids, capacity, sizeof *ids, "tokassay_encode");
    if (tka_failed(state, count, "tokassay_encode")) return;
    if ((uint64_t)count <= capacity) break;
    state->id_room = (size_t)count;
  }
  if (attempt == 2) {
    tka_fail(&state->out, "error", "tokassay_encode asks for more room again");
    return;
  }
  ids = (uint32_t *)(void *)state->ids.data;
  tka_puts(&state->out, ",\"ids\":[");
  for (i = 0; i < (size_t)count; i++) {
    if (i) tka_puts(&state->out, ",");
    tka_put_number(&state->out, ids[i]);
  }
  tka_puts(&state->out, "]");
  tka_end(state, started, ended);
}

static void tka_decode(tka_state *state, const tka_request *request, int as_hex) {
  size_t capacity, attempt;
  int64_t length = 0;
  long long started = 0, ended = 0;
  static uint32_t none;
  const uint32_t *ids = request->ids.length ? (const uint32_t *)(const void *)request->ids.data : &none;
  for (attempt = 0; attempt < 2; attempt++) {
    capacity = state->text_room;
    tka_room(&state->text, capacity, 1);
    state->error[0] = '\0';
    started = tka_now();
    length = tokassay_decode(state->tokenizers[request->handle], ids, request->ids.length / sizeof *ids,
                             request->skip_special, state->text.data, capacity, state->error);
    ended = tka_now();
    tka_check(&state->text, capacity, 1, "tokassay_decode");
    if (tka_failed(state, length, "tokassay_decode")) return;
    if ((uint64_t)length <= capacity) break;
    state->text_room = (size_t)length;
  }
  if (attempt == 2) {
    tka_fail(&state->out, "error", "tokassay_decode asks for more room again");
    return;
  }
  if (as_hex || !tka_is_utf8(state->text.data, (size_t)length)) {
    tka_puts(&state->out, ",\"bytes_hex\":\"");
    tka_put_hex(&state->out, state->text.data, (size_t)length);
    tka_puts(&state->out, "\"");
  } else {
    tka_puts(&state->out, ",\"text\":");
    tka_put_string(&state->out, state->text.data, (size_t)length);
  }
  tka_end(state, started, ended);
}

/* Why a request cannot be answered, or NULL. */
static const char *tka_fault(const tka_state *state, const tka_request *request) {
  if (request->handle < 0 || request->handle >= TKA_HANDLES) return "no such handle";
  if (tka_is(&request->op, "load")) return request->path.length ? NULL : "load without a path";
  if (state->tokenizers[request->handle] == NULL) return "nothing is loaded under this handle";
  if (tka_is(&request->op, "encode")) {
    if (!request->has_text) return "encode without a text";
    if (request->lone_surrogate) return "the text holds a lone surrogate, which is no UTF-8";
    return request->bad_hex ? "bytes_hex is not hexadecimal" : NULL;
  }
  if (!request->has_ids) return "decode without ids";
  return request->wide_id ? "an id does not fit into 32 bits" : NULL;
}

static void tka_answer(tka_state *state, tka_request *request) {
  const tka_bytes *op = &request->op;
  const char *fault;
  tka_begin(&state->out, request);
  if (tka_is(op, "hello")) {
    if (request->protocol == TKA_PROTOCOL)
      tka_hello(state);
    else
      tka_fail(&state->out, "unsupported", "this engine speaks protocol 1");
    return;
  }
  if (tka_is(op, "bye")) {
    tka_puts(&state->out, ",\"bye\":true}\n");
    return;
  }
  if (!(tka_is(op, "load") || tka_is(op, "encode") || tka_is(op, "decode") || tka_is(op, "decode_bytes")) ||
      request->wants_more) {
    tka_fail(&state->out, "unsupported", "tokassay_engine.h does not do this");
    return;
  }
  fault = tka_fault(state, request);
  if (fault != NULL)
    tka_fail(&state->out, "error", fault);
  else if (tka_is(op, "load"))
    tka_load(state, request);
  else if (tka_is(op, "encode"))
    tka_encode(state, request);
  else
    tka_decode(state, request, tka_is(op, "decode_bytes"));
}

/* -- lines in, lines out -- */

static void tka_flush(int to, tka_bytes *out) {
  size_t done = 0;
  while (done < out->length) {
    ssize_t written = write(to, out->data + done, out->length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) exit(0); /* nobody reads any more */
    done += (size_t)written;
  }
  out->length = 0;
}

static void tka_line(tka_state *state, tka_request *request, const char *line, size_t length) {
  if (length == 0) return;
  if (tka_parse(line, length, request))
    tka_answer(state, request);
  else
    tka_puts(&state->out, "{\"id\":null,\"error\":\"not a request\"}\n");
}

/* Answer every whole line of `in`; what is left of it is the beginning of the next one. */
static void tka_lines(tka_state *state, tka_request *request, tka_bytes *in, int to) {
  const char *line = in->data, *end = in->data + in->length, *stop;
  long long flushed = tka_now();
  while ((stop = (const char *)memchr(line, '\n', (size_t)(end - line))) != NULL) {
    tka_line(state, request, line, (size_t)(stop - line));
    line = stop + 1;
    if (tka_now() - flushed > TKA_FLUSH_NS) {
      tka_flush(to, &state->out);
      flushed = tka_now();
    }
  }
  in->length = (size_t)(end - line);
  memmove(in->data, line, in->length);
  tka_flush(to, &state->out);
}

int main(void) {
  static tka_state state;
  static tka_request request;
  tka_bytes in = {NULL, 0, 0};
  ssize_t got;
  int i, to = dup(1);
  state.id_room = state.text_room = TKA_ROOM;
  dup2(2, 1); /* the answers have stdout for themselves */
  for (;;) {
    tka_reserve(&in, TKA_READ);
    got = read(0, in.data + in.length, TKA_READ);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    in.length += (size_t)got;
    if (memchr(in.data + in.length - (size_t)got, '\n', (size_t)got) != NULL) tka_lines(&state, &request, &in, to);
  }
  for (i = 0; i < TKA_HANDLES; i++)
    if (state.tokenizers[i] != NULL) tokassay_close(state.tokenizers[i]);
  free(in.data); /* all of it, so that a leak checker speaks of the engine only */
  free(state.out.data), free(state.ids.data), free(state.text.data);
  free(request.op.data), free(request.path.data), free(request.text.data);
  free(request.key.data), free(request.ids.data);
  return 0;
}

#endif /* TOKASSAY_ENGINE_H */
