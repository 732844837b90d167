import { expect, it } from 'vitest';

/** Entry points with exported names on which other programs depend. */
const entryPoints = [
  ...['core', 'core/horn'],
  ...['simulation', 'simulation/checks', 'ethereum', 'ethereum/lean', 'lab'],
  ...['certificates', 'certificates/groups', 'certificates/log'],
  ...['transports', 'transports/node', 'transports/rooms', 'transports/files'],
  'wasm-bls',
];

/** Returns the exported names of an entry point, one line per first letter. */
async function linesOf(entryPoint: string): Promise<string[]> {
  const names = Object.keys(await import(`@tutti/${entryPoint}`)).sort();
  const letters = new Set(names.map((name) => name[0]!.toLowerCase()));
  const of = (letter: string) => names.filter((name) => name[0]!.toLowerCase() === letter).join(' ');
  return [...letters].sort().map((letter) => `@tutti/${entryPoint}: ${of(letter)}`);
}

it('entry points export exactly the names that tests/exports.txt lists (vitest -u writes the list again)', async () => {
  const lines = await Promise.all(entryPoints.map(linesOf));
  await expect(`${lines.flat().join('\n')}\n`).toMatchFileSnapshot('exports.txt');
});
