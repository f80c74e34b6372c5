// js-tiktoken: OpenAI's encodings, built in.

import { Tiktoken } from 'js-tiktoken/lite';
import { encodingOf } from './builtin.mjs';
import { installed } from './installed.mjs';
import { serve } from './serve.mjs';

const { version, sha256 } = installed('js-tiktoken', 'dist/lite.js');

async function load(path) {
  const ranks = await import(`js-tiktoken/ranks/${encodingOf(path)}`);
  const encoding = new Tiktoken(ranks.default);
  return {
    encode: (text) => encoding.encode(text, 'all', []),
    decode: (ids) => encoding.decode(ids),
  };
}

serve({ name: 'js-tiktoken', version, load, build: { sha256 } });
