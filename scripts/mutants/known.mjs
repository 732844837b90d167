import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';

const knownFile = join(root, 'node_modules/.cache/tutti/mutants.json');

/**
 * Mutants that a test detected in earlier runs. A mutant is not tried again while its source and that test are
 * unchanged. Other imports of the test may have changed, so only a fresh run is conclusive.
 */
export class Known {
  #killed;

  /** @param {boolean} fresh whether to ignore earlier runs. */
  constructor(fresh) {
    this.#killed = fresh || !existsSync(knownFile) ? {} : JSON.parse(readFileSync(knownFile, 'utf8'));
  }

  /** @returns {'test' | 'time' | undefined} how the mutant was detected; undefined if it was not detected. */
  killed(key, path) {
    const { how, test, digest } = this.#killed[key] ?? {};
    return test !== undefined && existsSync(test) && digest === digestOf(path, test) ? how : undefined;
  }

  add(key, path, test, how) {
    this.#killed[key] = { how, test, digest: digestOf(path, test) };
    mkdirSync(dirname(knownFile), { recursive: true });
    writeFileSync(knownFile, JSON.stringify(this.#killed));
  }
}

function digestOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('base64');
}
