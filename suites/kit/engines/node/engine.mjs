// An engine with every optional method, beside a copy of serve.mjs. Ids are UTF-16 code units of the text.

import { Unsupported, serve } from './serve.mjs';

const units = (text) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
let calls = 0;

class Units {
  encode(text, { pair, want }) {
    if (text === 'die') process.abort();
    if (text === 'throw') throw new RangeError('not today');
    if (text === 'refuse') throw new Unsupported('no such text');
    console.log('encoded', ++calls); // stdout is for replies: this must not get there
    const ids = units(text + (pair ?? ''));
    return want.includes('tokens') ? { ids, tokens: ids.map((id) => String.fromCharCode(id)) } : ids;
  }
  async encodeBytes(bytes) {
    return bytes;
  }
  decode(ids) {
    return ids.includes(0xff) ? Uint8Array.from(ids) : String.fromCharCode(...ids);
  }
  decodeBytes(ids) {
    return Uint8Array.from(ids);
  }
  stream() {
    const held = [];
    return {
      step: (id) => (held.push(id) % 2 ? null : String.fromCharCode(...held.splice(0))),
      flush: () => (held.length ? String.fromCharCode(...held.splice(0)) : null),
    };
  }
  stages(text) {
    return { pieces: [...text] };
  }
  vocabSize({ withAddedTokens }) {
    return withAddedTokens ? 65536 : 0;
  }
  idToToken(id) {
    return id < 65536 ? String.fromCharCode(id) : undefined;
  }
}

serve({
  name: 'units',
  version: '1.0',
  load: async () => new Units(),
  capabilities: [
    'encode', 'decode', 'pair', 'tokens', 'encode_bytes', 'decode_bytes', 'stream', 'flush', 'stages', 'vocabulary',
  ],
  invalidUtf8: 'replace',
  handles: 3,
});
