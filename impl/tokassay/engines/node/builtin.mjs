// Which built-in encoding of OpenAI a tokenizer.json holds, for engines that load no files.

import { createHash } from 'node:crypto';
import { readJson } from './installed.mjs';
import { Unsupported } from './serve.mjs';

// sha256 of the tokens in the order of their ids, one per line, without the added tokens.
const ENCODINGS = {
  '0fc8da96e9c1e979d83a0ad79129255c04f3d2806273de8cba33bbc584ed23fe': 'o200k_base',
};

/** Name of the encoding whose vocabulary the file has; Unsupported where it is none that is built in. */
export function encodingOf(path) {
  const { model, added_tokens: added } = readJson(path);
  const name = ENCODINGS[digest(model?.vocab ?? {}, added ?? [])];
  if (name) return name;
  throw new Unsupported(`its encodings are built in, and this vocabulary is not ${Object.values(ENCODINGS)}`);
}

function digest(vocab, added) {
  const special = new Set(added.map((token) => token.content));
  const tokens = Object.entries(vocab).filter(([token]) => !special.has(token));
  tokens.sort((one, other) => one[1] - other[1]);
  return createHash('sha256').update(tokens.map(([token]) => token).join('\n')).digest('hex');
}
