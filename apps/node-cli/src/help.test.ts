import { expect, it } from 'vitest';
import { runMain } from '../test/runMain.ts';
import type { Context } from './context.ts';
import { program } from './main.ts';
import { type CompletedCommand, completed } from './output/completionWords.ts';

const silent: Context = { out: () => {}, err: () => {}, progress: 'none', signal: new AbortController().signal };
const all = completed(await program(silent)).map((one) => [one.path, one] as const);
const words = ({ path }: CompletedCommand) => path.split(' ').filter((word) => word !== '');
const helpOf = async (command: CompletedCommand) => (await runMain([...words(command), '--help'])).out;

it.each(all)(
  "help of '%s' keeps to 80 columns and lists the values of every flag that has some",
  async (_, command) => {
    const help = await helpOf(command);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const text = help.replaceAll(/\s+/g, ' ');
    for (const { flag, values } of command.flags) {
      expect(text).toContain(flag);
      const missing = values.filter((value) => !text.includes(value));
      expect(missing, `values of ${flag}`).toEqual([]);
    }
  },
);

it.each(all)("a flag that '%s' has not gets the one most like it, and which help to read", async (path, command) => {
  const see = `see 'tutti${path === '' ? '' : ` ${path}`} --help'`;
  // A command with others below it reads the word behind a flag as one of them.
  const flag = command.flags.find((one) => one.flag.length > 7)?.flag;
  const args = [...words(command), flag === undefined ? '--bogus' : `${flag}z`];
  const { code, out, err } = await runMain(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  const suggestion = flag === undefined ? '' : ` (Did you mean ${flag}?)`;
  expect(err).toBe(`tutti: unknown option '${args.at(-1)}'${suggestion}; ${see}\n`);
});
