import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as d3 from 'd3';
import { describe, expect, it } from 'vitest';
import { readTable } from '../apps/node-cli/src/results/readTable.ts';
import { root } from '../scripts/run.mjs';
import { bin, temporaryFolder, tutti } from './tutti.ts';

/** Path of the Python that `npm test` found; undefined if there is none. */
const python = process.env.NOTEBOOK_PYTHON;
const notebooks = join(root, 'examples/notebooks');
const folder = temporaryFolder();

describe.skipIf(python === undefined)('notebooks of the examples', () => {
  /** Runs a notebook, and returns the outputs of its cells. */
  function outputsOf(name: string): readonly { readonly data?: object }[] {
    for (const one of [name, 'growth.json']) copyFileSync(join(notebooks, one), join(folder, one));
    const words = ['-c', 'from nbclient.cli import main; main()', '--inplace', name];
    const { status, stderr } = spawnSync(python!, words, {
      cwd: folder,
      encoding: 'utf8',
      // Jupyter, IPython and matplotlib store files in HOME.
      env: { ...process.env, HOME: folder, TUTTI: `"${process.execPath}" "${bin}"`, TUTTI_PROGRESS: 'none' },
    });
    expect(status, stderr).toBe(0);
    const { cells } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return cells.flatMap((cell: { readonly outputs?: readonly object[] }) => cell.outputs ?? []);
  }

  it('growth.ipynb runs and draws its figures', () => {
    const outputs = outputsOf('growth.ipynb');
    expect(JSON.stringify(outputs)).toContain('tutti sweep growth.json --out growth.parquet');
    expect(outputs.some(({ data }) => 'image/png' in (data ?? {}))).toBe(true);
  });

  it('joins.ipynb reads the tables of three sweeps into one frame, with each of four libraries', () => {
    const text = JSON.stringify(outputsOf('joins.ipynb'));
    for (const library of ['pandas', 'polars', 'DuckDB', 'pyarrow'])
      expect(text).toContain(`${library}: 8 runs, 8 digests`);
  });
});

const withWait = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;

/** Returns the notebooks' part of Observable's standard library, with text in place of drawings. */
function observable(shown: unknown[]) {
  const text = (parts: TemplateStringsArray, ...values: readonly unknown[]) =>
    String.raw({ raw: parts }, ...values.map((value) => (Array.isArray(value) ? value.join('') : value)));
  return {
    ...{ d3, html: text, svg: text },
    display: (value: unknown) => void shown.push(value),
    FileAttachment: (name: string) => ({
      parquet: async () => {
        const { columns, rows } = await readTable(join(folder, name));
        return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
      },
    }),
  };
}

/** Runs a notebook's cells in order, as Notebook Kit 2 does: values are shown, and names visible in all cells. */
async function runCells(
  source: string,
): Promise<{ readonly shown: unknown[]; readonly known: Record<string, unknown> }> {
  const shown: unknown[] = [];
  const known: Record<string, unknown> = observable(shown);
  for (const [, cell = ''] of source.matchAll(/<script [^>]*type="module"[^>]*>(.*?)<\/script>/gs)) {
    const names = Array.from(cell.matchAll(/^ {4}(?:const|let|function) (\w+)/gm), ([, name]) => name);
    const body = names.length > 0 ? `${cell}\nreturn { ${names.join()} };` : `return { shown: (${cell}\n) };`;
    const made = await withWait(...Object.keys(known), body)(...Object.values(known));
    if (names.length > 0) Object.assign(known, made);
    else shown.push(made.shown);
  }
  return { shown, known };
}

describe("Observable's notebooks of the examples", () => {
  it.each(readdirSync(notebooks).filter((name) => name.endsWith('.html')))('%s draws its figures', async (name) => {
    const sweep = JSON.parse(readFileSync(join(notebooks, 'growth.json'), 'utf8'));
    writeFileSync(join(folder, 'once.json'), JSON.stringify({ ...sweep, seeds: { count: 1 } }));
    const { code, err } = await tutti('sweep', join(folder, 'once.json'), '--out', join(folder, 'growth.parquet'));
    expect(code, err).toBe(0);
    const { shown, known } = await runCells(readFileSync(join(notebooks, name), 'utf8'));
    expect(known.runs).toHaveLength(8);
    const [figure, doubling] = shown as [string, Readonly<Record<string, number>>];
    expect(figure).toMatch(/^<svg .*<\/svg>$/s);
    expect(figure.match(/<circle /g)).toHaveLength(8);
    expect(figure).not.toMatch(/NaN|undefined|null|\[object/);
    expect(doubling.handel).toBeLessThan(1.5);
    expect(doubling['complete-graph']).toBeGreaterThan(1.5);
  });
});
