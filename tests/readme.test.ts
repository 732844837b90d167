import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** Runs the one program that a page shows, as a reader would who copies it into a file of the repository. */
function runProgramOf(page: string): string {
  const programs = [...readFileSync(join(root, page), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)];
  expect(programs, `${page} shows one program`).toHaveLength(1);
  return run(page.replaceAll(/\W/g, '-'), programs[0]![1]!);
}

function run(name: string, program: string): string {
  const folder = join(root, 'node_modules/.cache/tutti/pages');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, program);
  return execFileSync(process.execPath, [file], { encoding: 'utf8', cwd: root });
}

/** The programs of a page each with what the page says that it prints. */
function stepsOf(page: string): { program: string; printed: string }[] {
  const steps = readFileSync(join(root, page), 'utf8').matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g);
  return [...steps].map(([, program, printed]) => ({ program: program!, printed: printed! }));
}

describe('programs that the pages show', () => {
  it('README.md: four runs, all live nodes at the threshold', () => {
    const lines = runProgramOf('README.md').trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      const [, reached, live] = /^\d+ nodes: (\d+) of (\d+) at 99 % after \d+ ms, \d+ messages/.exec(line) ?? [];
      expect(reached, line).toBe(live);
    }
  });

  it('docs/library.md: the node contacts its level 1 peer at once and gives its output', () => {
    expect(runProgramOf('docs/library.md')).toBe('to node 4 on level 1\noutput of weight 1\n');
  });

  it('docs/quickstart.md: three sign, and it is valid', () => {
    expect(runProgramOf('docs/quickstart.md')).toBe('valid: 3 of 3\n');
  });

  const steps = stepsOf('docs/tutorial.md');
  it('docs/tutorial.md has eight steps', () => expect(steps).toHaveLength(8));
  it.each(steps.map((step, index) => [index + 1, step] as const))('docs/tutorial.md, step %i', (index, step) => {
    expect(run(`tutorial-${index}`, step.program)).toBe(step.printed);
  });

  it('docs/pixel.md: a proof of possession and a signature of period 3 hold', () => {
    expect(runProgramOf('docs/pixel.md')).toBe('true true 149\n');
  });

  it('docs/ring-signatures.md: two messages of one member go together, and say whose they are where that is traced', () => {
    expect(runProgramOf('docs/ring-signatures.md')).toBe(
      'linkable 320 {"kind":"double"}\ntraceable 544 {"kind":"double","signer":5}\n',
    );
  });

  it('docs/succinct-proof.md: a proof about 64 keys has 796 bytes, is accepted, and speaks for nobody else', () => {
    expect(runProgramOf('docs/succinct-proof.md')).toBe('796 true\nfalse\n');
  });
});
