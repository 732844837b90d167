import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

const script = async (shell: string) => (await runMain(['completion', shell])).out;
const bash = await script('bash');

/** Returns the completions that bash offers after the given words. */
function offered(...words: string[]): string[] {
  const typed = ['tutti', ...words].map((word) => `'${word}'`).join(' ');
  const { stdout, stderr, status } = spawnSync('bash', ['--norc'], {
    input: `${bash}\nCOMP_WORDS=(${typed})\nCOMP_CWORD=${words.length}\n_tutti\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

it.each<[typed: string[], offers: string[]]>([
  [['simu'], ['simulate']],
  [['horn', 'se'], ['sensitivity']],
  [['horn', 'sensitivity', '--mach'], ['--machine']],
  [
    ['horn', 'sensitivity', '--machine', 'epyc'],
    ['epyc-native', 'epyc-wasm'],
  ],
  [['simulate', '--protocol', 'g'], ['gossip']],
  [['simulate', '--nodes', '8', '--gossip-o'], ['--gossip-of']],
  [['simulate', '--nodes', ''], []],
  [['completion', '--h'], ['--help']],
])('bash completes %j with %j', (typed, offers) => {
  expect(offered(...typed)).toEqual(offers);
});

it('fish has a line for each flag, and zsh accepts the completions of bash', async () => {
  const fish = await script('fish');
  expect(fish).toMatch(/^complete -c tutti -n "test \(__tutti_path\) = 'simulate'" -l protocol -x -a 'handel /m);
  expect(await script('zsh')).toContain(bash);
});
