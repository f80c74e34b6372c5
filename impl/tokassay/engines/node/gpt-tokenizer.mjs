// gpt-tokenizer: OpenAI's encodings, built in.

import { encodingOf } from './builtin.mjs';
import { installed } from './installed.mjs';
import { serve } from './serve.mjs';

const { version, sha256 } = installed('gpt-tokenizer');

async function load(path) {
  const encoding = await import(`gpt-tokenizer/encoding/${encodingOf(path)}`);
  return {
    encode: (text) => encoding.encode(text, { allowedSpecial: 'all' }),
    decode: (ids) => encoding.decode(ids),
  };
}

serve({ name: 'gpt-tokenizer', version, load, build: { sha256 } });
