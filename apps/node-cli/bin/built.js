import { existsSync, readFileSync, statSync } from 'node:fs';

const bundle = new URL('../bundle/main.js', import.meta.url);
const compiled = new URL('../dist/main.js', import.meta.url);

/**
 * Returns the code to run: the bundle, unless sources were compiled after the bundle was built; undefined if neither
 * exists.
 */
export function built() {
  if (isBundleFresh()) return bundle;
  return existsSync(compiled) ? compiled : undefined;
}

/** Returns whether the bundle contains the code as currently compiled; an installed package has only the bundle. */
export function isBundleFresh() {
  try {
    const stamp = readFileSync(new URL('stamp', bundle), 'utf8');
    return [undefined, stamp].includes(compiledAt());
  } catch {
    return false;
  }
}

/**
 * Returns whether runs would record a wrong version of the code: the code was compiled without a name, or has changed
 * since its compilation.
 */
export async function isMisnamed() {
  if (isBundleFresh()) return false;
  const { codeName, compiledName } = await import(new URL('../../../scripts/compile.mjs', import.meta.url).href);
  return codeName() !== compiledName();
}

/**
 * Returns the text that the command printed when it was bundled; undefined if the bundle is not the code to run.
 *
 * @param name `version`, or `help` for the list of commands.
 */
export function bundledText(name) {
  return isBundleFresh() ? readFileSync(new URL(name, bundle), 'utf8') : undefined;
}

/**
 * Returns the times at which the packages in the bundle were compiled, as one text; undefined if any of these times is
 * unknown.
 */
export function compiledAt() {
  const packages = ['core', 'simulation', 'ethereum', 'lab', 'transports', 'certificates'].map(
    (name) => `../../../packages/${name}/dist`,
  );
  const times = ['../dist', ...packages].map(
    (folder) => statSync(new URL(`${folder}/.tsbuildinfo`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs,
  );
  return times.includes(undefined) ? undefined : times.join(' ');
}
