import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import { temporaryFolder } from '../../test/temporaryFolder.ts';

const folder = temporaryFolder();
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
  [
    ['simulate', '--scheme', ''],
    ['counting', 'bls'],
  ],
  [
    ['simulate', '--without', 'r'],
    ['rank-growth', 'rank-between-levels'],
  ],
  [['simulate', '--nodes', '8', '--gossip-o'], ['--gossip-of']],
  [['simulate', '--nodes', ''], []],
  [['completion', '--h'], ['--help']],
])('bash completes %j with %j', (typed, offers) => expect(offered(...typed)).toEqual(offers));

it('fish has a line for each flag', async () => {
  const fish = await script('fish');
  expect(fish).toMatch(/^complete -c tutti -n "test \(__tutti_path\) = 'simulate'" -l protocol -x -a 'handel /m);
});

const zshIsThere = spawnSync('zsh', ['--version']).status === 0;

it.skipIf(!zshIsThere).each([
  ['in its folder of functions', 'fpath=($PWD $fpath); compinit -u -D'],
  ['that it sourced', 'compinit -u -D; source ./_tutti'],
])('zsh completes with the script %s, beginning with the first Tab', async (_, setup) => {
  writeFileSync(join(folder, '_tutti'), await script('zsh'));
  // The key ^X prints the line, which Tab completed, between < and >.
  const { stdout, stderr } = spawnSync('zsh', ['-f'], {
    cwd: folder,
    encoding: 'utf8',
    input: `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; ${setup}; show() { print -r -- "<$BUFFER>"; BUFFER=; }; zle -N show'
zpty -w shell 'bindkey ^X show; print "<rea""dy>"'
zpty -r -m shell line '*<ready>*'
for typed in simu 'horn sensitivity --mach'; do
  zpty -n -w shell "tutti $typed"$'\t\x18'
  zpty -r -m shell line '*<*>*' && print -r -- "\${\${line##*<}%%>*}"
done
zpty -d shell
`,
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'tutti simulate \ntutti horn sensitivity --machine \n', stderr: '' });
});
