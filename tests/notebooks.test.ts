import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin, temporaryFolder } from './tutti.ts';

/** Where `npm test` found one. */
const python = process.env.NOTEBOOK_PYTHON;
const notebooks = join(new URL('..', import.meta.url).pathname, 'examples/notebooks');
const folder = temporaryFolder();

describe.skipIf(python === undefined)('notebooks of the examples', () => {
  it.each(readdirSync(notebooks).filter((name) => name.endsWith('.ipynb')))('%s runs, and draws', (name) => {
    copyFileSync(join(notebooks, name), join(folder, name));
    const words = ['-c', 'from nbclient.cli import main; main()', '--inplace', name];
    const { status, stderr } = spawnSync(python!, words, {
      cwd: folder,
      encoding: 'utf8',
      // Jupyter, IPython and matplotlib keep files where HOME says.
      env: { ...process.env, HOME: folder, TUTTI: `"${process.execPath}" "${bin}"`, TUTTI_PROGRESS: 'none' },
    });
    expect(status, stderr).toBe(0);
    const { cells } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const outputs = cells.flatMap((cell: { readonly outputs?: readonly object[] }) => cell.outputs ?? []);
    expect(JSON.stringify(outputs)).toContain('tutti sweep growth.json --out growth.parquet');
    expect(outputs.some((output: { readonly data?: object }) => 'image/png' in (output.data ?? {}))).toBe(true);
  });
});
