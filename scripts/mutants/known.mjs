import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';

const knownFile = join(root, 'node_modules/.cache/tutti/mutants.json');

/**
 * Mutants that earlier runs saw a test notice. One is not tried again while its source and that test are as they were;
 * what else they import may have changed, so a run from nothing has the last word.
 */
export class Known {
  #file;
  #killed;

  /** @param {boolean} fresh whether to begin with none. */
  constructor(fresh, file = knownFile) {
    this.#file = file;
    this.#killed = fresh || !existsSync(file) ? {} : JSON.parse(readFileSync(file, 'utf8'));
  }

  /** @returns {'test' | 'time' | undefined} how it was noticed, if it was. */
  killed(key, path) {
    const { how, test, digest } = this.#killed[key] ?? {};
    return test !== undefined && existsSync(test) && digest === digestOf(path, test) ? how : undefined;
  }

  add(key, path, test, how) {
    this.#killed[key] = { how, test, digest: digestOf(path, test) };
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#killed));
  }
}

function digestOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('base64');
}
