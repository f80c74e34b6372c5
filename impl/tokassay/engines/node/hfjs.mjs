// @huggingface/tokenizers: a tokenizer.json, and the tokenizer_config.json beside it where there is one.

import { Tokenizer } from '@huggingface/tokenizers';
import { installed, readConfig, readJson, refusing } from './installed.mjs';
import { serve } from './serve.mjs';

const { version, sha256 } = installed('@huggingface/tokenizers');

function load(path) {
  const loaded = refusing(/^Unknown [\w-]+ type/, () => new Tokenizer(readJson(path), readConfig(path)));
  return {
    encode: (text, { addSpecial, pair }) =>
      loaded.encode(text, { add_special_tokens: addSpecial, text_pair: pair ?? null }),
    decode: (ids, { skipSpecial }) =>
      loaded.decode(ids, { skip_special_tokens: skipSpecial, clean_up_tokenization_spaces: false }),
    idToToken: (id) => loaded.id_to_token(id),
    vocabSize: ({ withAddedTokens }) => loaded.get_vocab(withAddedTokens).size,
  };
}

serve({
  name: 'hfjs',
  version,
  load,
  capabilities: ['encode', 'decode', 'add_special', 'skip_special', 'pair', 'tokens', 'vocabulary'],
  build: { sha256 },
});
