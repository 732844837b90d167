/**
 * `npm run bench -- NAME [ARGUMENTS]` runs a benchmark, which prints its tables and writes its page in
 * docs/benchmarks/. `npm run data -- NAME [ARGUMENTS]` generates data that the packages and the page contain. Both
 * commands compile changed code first. Without a name, the commands list the available names.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionFolders } from './compile.mjs';
import { must, root, run } from './run.mjs';

const benches = extensionFolders()
  .map((folder) => `${folder}/bench`)
  .filter((folder) => existsSync(join(root, folder)));
const folders = { bench: ['scripts/bench', 'packages/wasm-bls/bench', ...benches], data: ['scripts/data'] };

/**
 * Returns the files of `bench` or of `data` by the names in the files' first comments. Some files have several names.
 */
export function programsOf(command) {
  const heads = folders[command].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8').split('*/', 1)[0]]),
  );
  const asked = new RegExp(`npm run ${command} -- ([\\w-]+)`, 'g');
  return new Map(heads.flatMap(([file, head]) => [...head.matchAll(asked)].map(([, name]) => [name, file])));
}

if (process.argv[1] === import.meta.filename) {
  const [command, name, ...args] = process.argv.slice(2);
  const programs = programsOf(command);
  const file = programs.get(name);
  if (file === undefined) {
    const got = name === undefined ? 'none' : `'${name}'`;
    console.error(`npm run ${command}: expected a name, got ${got}. There are: ${[...programs.keys()].join(', ')}`);
    process.exit(2);
  }
  await must('Compiling TypeScript', 'node', ['scripts/compile.mjs']);
  // A file with several names gets the name as its first argument.
  const given = [...programs.values()].filter((one) => one === file).length > 1 ? [name, ...args] : args;
  process.exitCode = await run(process.execPath, [file, ...given]);
}
