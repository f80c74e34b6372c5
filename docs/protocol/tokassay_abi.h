/* tokassay_abi.h: the C ABI of an engine under test. Four functions and three strings.
 *
 * A shared library that has them is reached as `cabi:./lib.so`; a program becomes an engine by including
 * tokassay_engine.h, which declares the same. Contract: docs/protocol/README.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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
#endif
