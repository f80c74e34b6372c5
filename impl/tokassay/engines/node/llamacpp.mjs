// llama.cpp through node-llama-cpp: a GGUF that holds a vocabulary and no weights.

import { LlamaLogLevel, getLlama } from 'node-llama-cpp';
import { installed } from './installed.mjs';
import { serve } from './serve.mjs';

const BINARIES = `bins/${process.platform}-${process.arch}`;
const { version } = installed('node-llama-cpp');
const { sha256 } = installed(`@node-llama-cpp/${process.platform}-${process.arch}`, `${BINARIES}/llama-addon.node`);

const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: LlamaLogLevel.error,
  logger: (level, message) => process.stderr.write(`${message}\n`),
});

async function load(path) {
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  return {
    encode: (text) => model.tokenize(text, true),
    decode: (ids, { skipSpecial }) => model.detokenize(ids, !skipSpecial),
  };
}

serve({
  name: 'llamacpp',
  version,
  load,
  capabilities: ['encode', 'decode', 'skip_special'],
  build: { sha256, 'llama.cpp': llama.llamaCppRelease.release },
});
