// What the kit's own engines share: the package that is installed beside them, and the files they load.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Unsupported, sha256 } from './serve.mjs';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');

/** Version of an installed package, and the sha256 of `file` in it (the module that it begins with). */
export function installed(name, file) {
  const description = readJson(join(FOLDER, name, 'package.json'));
  const begins = file ?? description.module ?? description.main;
  return { version: description.version, sha256: sha256(join(FOLDER, name, begins)) };
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The tokenizer_config.json beside a tokenizer.json, {} where there is none. */
export function readConfig(path) {
  const config = join(dirname(path), 'tokenizer_config.json');
  return existsSync(config) ? readJson(config) : {};
}

/** The value of a call, whose errors with such a message say that the engine does not do this. */
export function refusing(message, call) {
  try {
    return call();
  } catch (error) {
    throw message.test(error.message) ? new Unsupported(error.message) : error;
  }
}
