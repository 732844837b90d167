import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root, run } from './run.mjs';

/** The programs in folders, by name: those whose first lines say that `npm run COMMAND -- NAME` runs them. */
export function programsIn(command, folders) {
  const found = new Map();
  for (const folder of folders)
    for (const file of readdirSync(join(root, folder)).filter((name) => name.endsWith('.mjs'))) {
      const name = file.slice(0, -'.mjs'.length);
      const [head] = readFileSync(join(root, folder, file), 'utf8').split('*/', 1);
      if (new RegExp(`npm run ${command} -- ${name}\\b`).test(head)) found.set(name, `${folder}/${file}`);
    }
  return found;
}

/**
 * Compiles what has changed, and runs the program that the command line names.
 *
 * @param command of `npm run`, for the message when there is no such program
 * @param flags of Node, by program
 * @returns its exit code; 2 where none is named
 */
export async function runNamed(command, folders, { flags = {} } = {}) {
  const programs = programsIn(command, folders);
  const [name, ...args] = process.argv.slice(2);
  const file = programs.get(name);
  if (file === undefined) {
    const got = name === undefined ? 'none' : `'${name}'`;
    console.error(`npm run ${command}: expected a name, got ${got}. There are: ${[...programs.keys()].join(', ')}`);
    return 2;
  }
  await must('Compiling TypeScript', 'node', ['scripts/compile.mjs']);
  return run(process.execPath, [...(flags[name] ?? []), file, ...args]);
}
