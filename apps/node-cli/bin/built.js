import { existsSync, readFileSync, statSync } from 'node:fs';

const bundle = new URL('../bundle/main.js', import.meta.url);
const compiled = new URL('../dist/main.js', import.meta.url);

/** What runs: the bundle, unless sources were compiled after it; undefined where nothing is built. */
export function built() {
  if (isBundleFresh()) return bundle;
  return existsSync(compiled) ? compiled : undefined;
}

/** Whether there is a bundle, of what is compiled now; an installed package has nothing else. */
export function isBundleFresh() {
  try {
    const stamp = readFileSync(new URL('stamp', bundle), 'utf8');
    return [undefined, stamp].includes(compiledAt());
  } catch {
    return false;
  }
}

/** Whether the code would write another version into its runs: it was compiled without a name, or has changed since. */
export async function isMisnamed() {
  if (isBundleFresh()) return false;
  const { codeName, compiledName } = await import(new URL('../../../scripts/compile.mjs', import.meta.url).href);
  return codeName() !== compiledName();
}

/**
 * What was printed of the command when it was bundled; undefined where the bundle is not what runs.
 *
 * @param name `version`, or `help` for the list of commands.
 */
export function bundledText(name) {
  return isBundleFresh() ? readFileSync(new URL(name, bundle), 'utf8') : undefined;
}

/** When all that is bundled was compiled; undefined where that is not known. */
export function compiledAt() {
  const packages = ['core', 'simulation', 'ethereum', 'lab', 'transports', 'certificates'].map(
    (name) => `../../../packages/${name}/dist`,
  );
  const times = ['../dist', ...packages].map(
    (folder) => statSync(new URL(`${folder}/.tsbuildinfo`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs,
  );
  return times.includes(undefined) ? undefined : times.join(' ');
}
