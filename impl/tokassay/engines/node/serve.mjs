// An engine in JavaScript behind the wire protocol: serve({name, version, load}). Node 18 or newer, no packages.
//
// The file stands alone: copy it beside an engine. The protocol is told on one page, docs/protocol/README.md.
//
//     import { serve } from './serve.mjs';
//     serve({ name: 'toy', version: '1.0', load: (path) => ({
//       encode: (text) => [...Buffer.from(text)],
//       decode: (ids) => Buffer.from(ids).toString(),
//     }) });
//
// A loaded tokenizer is an object; every method may be async:
//   encode(text, {addSpecial, pair, want})   ids, or an object with ids and the columns that are claimed
//   decode(ids, {skipSpecial})               a string, or bytes where it need not be UTF-8
// and, where they exist: encodeBytes(bytes, {addSpecial}), decodeBytes(ids, {skipSpecial}), stages(text),
//   stream({skipSpecial}) with step(id) and flush(), vocabSize({withAddedTokens}), idToToken(id),
//   template(source, messages, options).
// Throw an Unsupported for what the engine does not do; any other exception is an error of the engine.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PROTOCOL = 1;
const FLUSH_MS = 50; // an answer waits no longer than this for the next ones
const LINE_FEED = 10;
const TIMED = new Set(['encode', 'decode', 'decode_bytes']); // operations whose replies tell how long they took
const COLUMNS = {
  tokens: ['tokens'],
  offsets: ['offsets'],
  masks: ['type_ids', 'attention_mask', 'special_tokens_mask', 'word_ids'],
};

/** What the engine does not do: verdict `unsupported`. */
export class Unsupported extends Error {}

/** sha256 of a file, '' where there is none. */
export function sha256(path) {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}

/**
 * Answer requests on stdin until it ends.
 *
 * @param {object} engine
 *   name, version;
 *   load(path): a loaded tokenizer, or a promise of one;
 *   capabilities: what is claimed, ['encode', 'decode'] by default;
 *   formats: what load reads, ['tokenizer.json'] by default;
 *   invalidUtf8: what encodeBytes does with it, 'replace' or 'reject';
 *   build: more facts for the report; sha256 is the script's unless it is given;
 *   handles: how many tokenizers may be loaded at a time.
 */
export async function serve(engine) {
  const write = process.stdout.write.bind(process.stdout);
  // The answers have stdout for themselves: whatever the engine prints goes to stderr.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const served = { load: engine.load, greeting: greeting(engine), tokenizers: new Map(), streams: new Map() };
  for await (const lines of chunks(process.stdin)) await answerAll(served, lines, write);
}

function greeting(engine) {
  return {
    protocol: PROTOCOL,
    engine: {
      name: engine.name,
      version: engine.version,
      build: { sha256: sha256(process.argv[1]), node: process.version, ...engine.build },
    },
    capabilities: engine.capabilities ?? ['encode', 'decode'],
    formats: engine.formats ?? ['tokenizer.json'],
    invalid_utf8: engine.invalidUtf8 ?? null,
    handles: engine.handles ?? 2,
  };
}

/** The whole lines at hand, cut at line feeds and nothing else. */
async function* chunks(source) {
  let rest = [];
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end < 0) {
      rest.push(chunk);
      continue;
    }
    const whole = Buffer.concat([...rest, chunk.subarray(0, end)]);
    rest = [chunk.subarray(end + 1)];
    yield whole.toString('utf8').split('\n').filter(Boolean);
  }
}

/** Replies leave together when nothing more is at hand, or after a while. */
async function answerAll(served, lines, write) {
  let ready = [];
  let flushed = performance.now();
  for (const line of lines) {
    ready.push(JSON.stringify(await reply(served, line)) + '\n');
    if (performance.now() - flushed > FLUSH_MS) {
      write(ready.join(''));
      ready = [];
      flushed = performance.now();
    }
  }
  write(ready.join(''));
}

async function reply(served, line) {
  let request;
  try {
    request = JSON.parse(line);
  } catch (error) {
    return { id: null, error: `not a request: ${error.message}` };
  }
  try {
    const operation = OPERATIONS[request.op];
    if (!operation) return { id: request.id, unsupported: `unknown operation ${request.op}` };
    const started = performance.now();
    const answer = await operation(served, request);
    if (TIMED.has(request.op)) answer.ns = Math.round((performance.now() - started) * 1e6);
    return { id: request.id, ...answer };
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { id: request.id, [error instanceof Unsupported ? 'unsupported' : 'error']: said };
  }
}

const tokenizer = (served, request) => served.tokenizers.get(request.handle);
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const text = (value) => (value instanceof Uint8Array ? { bytes_hex: hex(value) } : { text: value ?? null });

/** Ids, and no more of the rest than was asked for. */
function encoding(found, want) {
  const reply = { ids: Array.from(found.ids ?? found) };
  for (const capability of want ?? []) {
    for (const column of COLUMNS[capability]) reply[column] = Array.from(found[column]);
  }
  return reply;
}

const OPERATIONS = {
  hello(served, request) {
    if (request.protocol === PROTOCOL) return served.greeting;
    return { unsupported: `protocol ${request.protocol}; this engine speaks ${PROTOCOL}` };
  },
  async load(served, request) {
    served.tokenizers.delete(request.handle); // before, so that the two never need memory together
    served.tokenizers.set(request.handle, await served.load(request.path));
    return { loaded: true };
  },
  async encode(served, request) {
    const options = { addSpecial: request.add_special, pair: request.pair, want: request.want ?? [] };
    const loaded = tokenizer(served, request);
    const found =
      request.bytes_hex === undefined
        ? await loaded.encode(request.text, options)
        : await loaded.encodeBytes(Buffer.from(request.bytes_hex, 'hex'), options);
    return encoding(found, request.want);
  },
  async decode(served, request) {
    return text(await tokenizer(served, request).decode(request.ids, { skipSpecial: request.skip_special }));
  },
  async decode_bytes(served, request) {
    const options = { skipSpecial: request.skip_special };
    return { bytes_hex: hex(await tokenizer(served, request).decodeBytes(request.ids, options)) };
  },
  async stream(served, request) {
    const stream = await tokenizer(served, request).stream({ skipSpecial: request.skip_special });
    served.streams.set(request.stream, stream);
    return { opened: true };
  },
  async step(served, request) {
    return text(await served.streams.get(request.stream).step(request.token));
  },
  async flush(served, request) {
    return text(await served.streams.get(request.stream).flush());
  },
  async stages(served, request) {
    return tokenizer(served, request).stages(request.text);
  },
  async vocab_size(served, request) {
    const options = { withAddedTokens: request.with_added_tokens };
    return { size: await tokenizer(served, request).vocabSize(options) };
  },
  async template(served, request) {
    return text(await tokenizer(served, request).template(request.template, request.messages, request.options));
  },
  async id_to_token(served, request) {
    return text(await tokenizer(served, request).idToToken(request.token));
  },
  bye() {
    return { bye: true };
  },
};
