import type { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Context } from './context.ts';
import { program } from './main.ts';

const silent: Context = { out: () => {}, err: () => {}, progress: 'none', signal: new AbortController().signal };

interface NamedFlag {
  readonly command: string;
  readonly option: Option;
}

/** All flags of all built-in commands. Extensions have terms of their own fields. */
const flags: NamedFlag[] = [];
const collect = (command: Awaited<ReturnType<typeof program>>, path: string): void => {
  for (const option of command.options) if (!option.hidden) flags.push({ command: path, option });
  for (const below of command.commands)
    if (!['anonymous', 'pixel', 'testbed', 'distributed-sweeps'].includes(below.name()))
      collect(below, `${path} ${below.name()}`.trim());
};
collect(await program(silent), '');

/** The placeholder of a flag's value in help; empty for a switch. */
const formOf = ({ flags: text }: Option): string => /[<[](.*)[>\]]$/.exec(text)?.[1] ?? '';

/** Forms of one flag that differ because some commands accept one value and others several of the same kind. */
const kinds: readonly (readonly string[])[] = [
  ['n', 'share|n', 'share', 'list'],
  ['ms', 'list', 's', 'slots'],
  ['name', 'flags', 'name or file'],
  ['name:share', 'name:share[:plan]'],
  ['field=values', 'name=values'],
  ['column', 'columns'],
  ['ids', 'operation'],
  // The number of a slot, or the name of a published one.
  ['n', 'name'],
];

describe('flags of all commands', () => {
  const names = [...new Set(flags.map(({ option }) => option.long!))].sort();

  it.each(names)('%s has values of one kind in every command', (name) => {
    const forms = new Set(flags.filter(({ option }) => option.long === name).map(({ option }) => formOf(option)));
    const isOneKind = forms.size === 1 || kinds.some((kind) => [...forms].every((form) => kind.includes(form)));
    expect(isOneKind, [...forms].join(' and ')).toBe(true);
  });

  it('--out names a file, and --out-folder a folder', () => {
    const formsOf = (name: string) =>
      new Set(flags.filter(({ option }) => option.long === name).map(({ option }) => formOf(option)));
    expect([...formsOf('--out')]).toEqual(['file']);
    expect([...formsOf('--out-folder')]).toEqual(['folder']);
  });
});
