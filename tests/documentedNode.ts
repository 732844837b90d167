import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, runMain } from '../apps/node-cli/test/runMain.ts';
import { freePorts } from './freePorts.ts';
import { requested } from './requested.ts';
import { printed, start } from './tutti.ts';

/** Starts a node with a documented command, whose texts `places` replaces. Returns its answers' status codes. */
export async function statusesOf(
  words: readonly string[],
  folder: string,
  places: Readonly<Record<string, string>>,
  requests: readonly Parameters<typeof requested>[0][],
): Promise<number[]> {
  const [nodePort] = await freePorts(1);
  const path = join(folder, 'registry.json');
  outputOf(await runMain(['registry', 'keygen', '--count', '1', '--out', path, '--force', '-q']));
  const registry = JSON.parse(readFileSync(path, 'utf8'));
  registry.entries[0].address.port = nodePort;
  writeFileSync(path, JSON.stringify(registry));
  const replaced = (word: string) =>
    Object.entries(places).reduce((text, [from, to]) => text.replace(from, to.replace('{port}', `${nodePort}`)), word);
  const node = start(...words.map(replaced));
  try {
    const port = Number(await printed(node, /certificates at (?:unix:\S+|http:\S+:(\d+))\/certificates/));
    const answers = requests.map((given) => requested({ host: '127.0.0.1', port, ...given }));
    return (await Promise.all(answers)).map(({ status }) => status);
  } finally {
    node.child.kill('SIGTERM');
    await node.finished;
  }
}
