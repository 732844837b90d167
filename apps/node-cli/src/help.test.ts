import { existsSync, readFileSync } from 'node:fs';
import { attacks } from '@tutti/simulation';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { extensions } from '../../../tests/extensions.ts';
import { runMain, words as shellWords, silent } from '../test/runMain.ts';
import { type CompletedCommand, completed } from './commands/completion.ts';
import { extensionCommand, knownExtensions } from './extensions.ts';
import { notes } from './helpNotes.ts';
import { program } from './main.ts';

/** Returns whether a command is available, which excludes the commands of extensions that are not installed. */
const isThere = (path: string) => !Object.hasOwn(knownExtensions, path) || extensions.some(({ name }) => name === path);
const all = completed(await program(silent))
  .filter(({ path }) => isThere(path))
  .map((one) => [one.path, one] as const);
const words = ({ path }: CompletedCommand) => path.split(' ').filter((word) => word !== '');
const helpOf = async (command: CompletedCommand) => {
  const all = command.flags.some(({ flag }) => flag === '--all') ? ['--all'] : [];
  return (await runMain([...words(command), ...all, '--help'])).out;
};

it.each(all)(
  "help of '%s' has at most 80 columns, the values of every flag with choices, and defaults as (default: VALUE)",
  async (_, command) => {
    const help = await helpOf(command);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const text = help.replaceAll(/\s+/g, ' ');
    for (const { flag, values } of command.flags) {
      expect(text).toContain(flag);
      const missing = values.filter((value) => !text.includes(value));
      expect(missing, `values of ${flag}`).toEqual([]);
    }
    // Defaults are shown without quotes or braces.
    expect(text.match(/; default:|\(default\)|\(default: ["{[]/g)).toBeNull();
  },
);

it.each(['simulate', 'open'])('help of %s has at most 100 lines, and with --all has every flag', async (name) => {
  const linesOf = async (...args: string[]) => (await runMain([...args, '--help'])).out.split('\n').length;
  expect(await linesOf(name)).toBeLessThanOrEqual(101);
  expect(await linesOf(name, '--all')).toBeGreaterThan(await linesOf(name));
});

it.each([
  ['--port-base', 'registry keygen', '--port'],
  ['--registry-file', 'node', '--registry, --token-file'],
])('an unknown flag %s gets the flags that share a word with it', async (flag, command, meant) => {
  expect((await runMain([...command.split(' '), flag])).err).toMatch(new RegExp(`Did you mean (one of )?${meant}\\?`));
});

/** Former and current names of flags in the table of the change log. */
const renamed = [
  ...readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8').matchAll(
    /^ {2}\| (`--.*) \| (`--.*) \|$/gm,
  ),
].flatMap(([, ...cells]) => {
  const [formers, currents] = cells.map((cell) => Array.from(cell.matchAll(/--[a-z-]+/g), ([name]) => name));
  return formers!.map((former, index) => [former, currents![index] ?? currents![0]!] as const);
});

it('a former name of a flag in the change log gets the current name', async () => {
  const said = renamed.map(async ([former, current]) => {
    const has = ({ flags }: CompletedCommand, name: string) => flags.some(({ flag }) => flag === name);
    const command = all.find(([, one]) => has(one, current) && !has(one, former))?.[1];
    return command && (await runMain([...words(command), former])).err.replace(/;.*\n/, '');
  });
  expect(await Promise.all(said)).toEqual(
    renamed.map(([former, current]) =>
      former === '--json' ? undefined : `tutti: unknown option '${former}': it is now '${current}'`,
    ),
  );
  expect(renamed.length).toBeGreaterThan(20);
});

it('help lists exactly the attacks that a command accepts', async () => {
  const attacksIn = async (name: string) =>
    /Byzantine nodes; repeatable: (.*?) \(default/.exec(
      (await runMain([name, '--help'])).out.replaceAll(/\s+/g, ' '),
    )![1];
  const handel = attacks.map(({ name }) => name).join(', ');
  expect(await attacksIn('open')).toBe(handel);
  expect(await attacksIn('simulate')).toBe(`${handel}; with horn silent, griefing, worthless, late`);
});

it.each(all)("an unknown flag of '%s' gets the most similar one, and the help to read", async (path, command) => {
  const see = `see 'tutti${path === '' ? '' : ` ${path}`} --help'`;
  // In a command with subcommands, the word after a flag is read as a subcommand.
  const flag = command.flags.find((one) => one.flag.length > 7)?.flag;
  const args = [...words(command), flag === undefined ? '--bogus' : `${flag}z`];
  const { code, out, err } = await runMain(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  const suggestion = flag === undefined ? '' : ` (Did you mean ${flag}?)`;
  expect(err).toBe(`tutti: unknown option '${args.at(-1)}'${suggestion}; ${see}\n`);
});

describe('the notes of help', () => {
  /** Returns whether a command is a group, which has subcommands and no flag other than the help flag. */
  const isGroup = ({ commands, flags }: CompletedCommand) => commands.length > 0 && flags.length === 1;
  const examplesOf = async (command: CompletedCommand): Promise<string> =>
    /\n\s*Examples?:\n([\s\S]*)$/.exec(await helpOf(command))?.[1] ?? '';
  const leaves = all.filter(([path, command]) => !isGroup(command) && !['', 'completion'].includes(path));
  const wordsOf = (line: string) => shellWords(line).map((word) => (word.startsWith('"$') ? 'ab'.repeat(149) : word));

  it('exist for every command with an action, and for no other', () => {
    const own = leaves.map(([path]) => path).filter((path) => !Object.hasOwn(knownExtensions, path.split(' ')[0]!));
    expect(Object.keys(notes).sort()).toEqual(own.sort());
  });

  it.each(leaves)("help of '%s' has an example that names it", async (path, command) => {
    expect(await examplesOf(command)).toContain(`tutti ${path}`);
  });

  const groups = all.filter(([, command]) => isGroup(command));
  it.each(groups)("help of the group '%s' has examples of its commands, and their pages", async (path, command) => {
    const examples = await examplesOf(command);
    expect(examples).toContain(`tutti ${path} ${command.commands[0]}`);
    expect(examples).toMatch(/\nDocs: [\s\S]+;\s+under\s+docs\//);
  });

  it.each(Object.entries(notes).flatMap(([path, { examples }]) => examples.map((example) => `${path} ${example}`)))(
    "'%s' is a valid command line of tutti",
    async (line) => {
      const given = wordsOf(line);
      const known = await program(silent, given[0]);
      let reached = false;
      const observe = (command: Command): void => {
        command.action(() => {
          reached = true;
        });
        command.commands.forEach(observe);
      };
      observe(known);
      await known.parseAsync(given, { from: 'user' });
      expect(reached).toBe(true);
    },
  );

  it('name existing pages, and no file that an installed command lacks', async () => {
    for (const { pages } of Object.values(notes))
      for (const page of pages)
        expect(existsSync(new URL(`../../../docs/${page}.md`, import.meta.url)), page).toBe(true);
    for (const [, command] of all) expect(await helpOf(command)).not.toMatch(/docs\/[\w-]/);
  });
});

describe('short flags', () => {
  it('-n is --nodes in every command', async () => {
    for (const [, command] of all.filter(([, { flags }]) => flags.some(({ flag }) => flag === '--nodes')))
      expect(await helpOf(command)).toContain('-n, --nodes <');
    const { code, out } = await runMain(['simulate', '-n', '8', '--json']);
    expect([code, JSON.parse(out).nodes]).toEqual([0, 8]);
  });

  it('-q disables progress', async () => {
    const run = (line: string) => runMain(line, { progress: 'line' });
    expect((await run('horn griefing --slots 2')).err).toContain('running');
    expect(await run('horn griefing --slots 2 -q')).toMatchObject({ code: 0, err: '' });
    // The flag is not a field of a scenario either.
    expect(await run('simulate --protocol horn --nodes 512 -q')).toMatchObject({ code: 0, err: '' });
  });
});

/** Returns the flags of a command and its subcommands, except the flags of extensions, which have their own terms. */
const flagsUnder = (command: Command): Option[] => [
  ...command.options,
  ...command.commands.filter((below) => !Object.hasOwn(knownExtensions, below.name())).flatMap(flagsUnder),
];
const flags = flagsUnder(await program(silent));

/** Placeholder for the value of a flag in help; empty for a switch. */
const formOf = ({ flags: text }: Option): string => /[<[](.*)[>\]]$/.exec(text)?.[1] ?? '';

/** Placeholders of one flag that may differ: some commands accept one value, and others several values. */
const kinds: readonly (readonly string[])[] = [
  ['n', 'share|n', 'share', 'list'],
  ['ms', 'list', 's', 'slots'],
  ['name', 'flags', 'name or file'],
  ['name:share', 'name:share[:plan]'],
  ['field=values', 'name=values'],
  ['column', 'columns'],
  ['ids', 'operation'],
  // The flag takes the number of a slot or the name of a published one.
  ['n', 'name'],
];

describe('flags of all commands', () => {
  const formsOf = (name: string) => [...new Set(flags.filter(({ long }) => long === name).map(formOf))];
  const names = [...new Set(flags.map(({ long }) => long!))].sort();

  it.each(names)('%s has values of one kind in every command', (name) => {
    const forms = formsOf(name);
    const isOneKind = forms.length === 1 || kinds.some((kind) => forms.every((form) => kind.includes(form)));
    expect(isOneKind, forms.join(' and ')).toBe(true);
  });

  it('--out names a file, and --out-folder a folder', () => {
    expect([formsOf('--out'), formsOf('--out-folder')]).toEqual([['file'], ['folder']]);
  });
});

it('a missing extension is listed, and its command prints how to install it, with any flags', async () => {
  const command = await extensionCommand('absent', 'Does what no other does.', silent);
  expect([command.name(), command.summary()]).toEqual(['absent', 'Does what no other does.']);
  expect(command.description()).toBe(
    'Does what no other does. This extension is not installed: npm install @tutti/absent',
  );
  await expect(command.parseAsync(['--some-flag', 'word'], { from: 'user' })).rejects.toMatchObject({
    name: 'UsageError',
    message: 'absent: expected the package @tutti/absent next to tutti, got none; npm install @tutti/absent',
  });
});
