// @lenml/tokenizers, a fork of transformers.js: a tokenizer.json, and the tokenizer_config.json beside it.

import { TokenizerLoader } from '@lenml/tokenizers';
import { installed, readConfig, readJson, refusing } from './installed.mjs';
import { serve } from './serve.mjs';

const { version, sha256 } = installed('@lenml/tokenizers');

function load(path) {
  const files = { tokenizerJSON: readJson(path), tokenizerConfig: readConfig(path) };
  const loaded = refusing(/^Unknown [\w-]+ type/, () => TokenizerLoader.fromPreTrained(files));
  return {
    encode: (text, { addSpecial, pair }) =>
      loaded.encode(text, { add_special_tokens: addSpecial, text_pair: pair ?? null }),
    decode: (ids, { skipSpecial }) =>
      loaded.decode(ids, { skip_special_tokens: skipSpecial, clean_up_tokenization_spaces: false }),
  };
}

serve({
  name: 'lenml',
  version,
  load,
  capabilities: ['encode', 'decode', 'add_special', 'skip_special', 'pair'],
  build: { sha256 },
});
