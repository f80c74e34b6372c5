// @huggingface/jinja: chat templates alone, whatever file is loaded.

import { Template } from '@huggingface/jinja';
import { installed } from './installed.mjs';
import { serve, Unsupported } from './serve.mjs';

const { version, sha256 } = installed('@huggingface/jinja');

function refuse() {
  throw new Unsupported('does chat templates only');
}

function template(source, messages, options) {
  const { continue_final_message: goesOn, ...names } = options;
  if (goesOn) throw new Unsupported('continue_final_message');
  const given = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
  const context = { tools: null, documents: null, add_generation_prompt: false, ...names };
  return new Template(source).render({ messages: given, ...context });
}

serve({
  name: 'jinjajs',
  version,
  load: () => ({ encode: refuse, decode: refuse, template }),
  capabilities: ['encode', 'decode', 'template'],
  build: { sha256 },
});
