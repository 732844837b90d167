import { leanProfiles } from '@tutti/ethereum/lean';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../tests/sampled.ts';
import { runMain, silent } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { completed } from '../commands/completion.ts';
import { program } from '../main.ts';
import { type StatedWorld, worldFields } from '../output/statedWorld.ts';
import { seedsText } from '../output/text.ts';

const { write, writeJson } = temporaryFiles();
const profile = writeJson('profile.json', { ...leanProfiles['lean-2026-09'], validators: 256 });
const mesh = write(
  'mesh.yaml',
  [
    'topology: { num_nodes: 24, degree: 8, type: random, seed: 42, super_node_fraction: 0.2 }',
    'gossipsub: { D: 8, Dlow: 6, Dhigh: 12 }',
    'num_slots: 1\nslot_duration_seconds: 12\nblock_size: 4096\nverify_delay_ms: 10\n',
  ].join('\n'),
);

const two = '--seed 5 --seeds 2';
const small = '--validators 2048 --beacon-nodes 32';
const nodes = `${small} --max-consecutive-slots 1 --jobs 1`;
const electra = `--preset electra ${nodes} ${two}`;
const lean = `--profile ${profile} --subnets 2 ${two}`;
const slotOfProofs = `${lean} --nodes 8 --cores 4`;

/** Settings with which each command that prints results runs fast, and the expected seeds if they are not 5 and 6. */
const commands: Readonly<Record<string, readonly [settings: string, seeds?: readonly number[]]>> = {
  'slots network': [electra],
  'slots deadlines': [`${nodes} ${two} --slot-seconds 4 --proposals none --attest-bps 2500`],
  'slots map': [`${electra} --vary cores=1 --slot-seconds 12`],
  'slots proposals': [`${small} ${two} --proposals none`],
  'slots sensitivity': [`${electra} --change '--cores 1'`],
  'slots compare-simulators': [`${mesh} ${two}`],
  'slots arrivals': ["--slot 'nobody late' --seed 5 --seeds 1", [5]],
  'horn tables': ['--section sizes', [1]],
  'horn griefing': ['--slots 2 --share 0.2 --seed 5', [5]],
  'horn systems': ['--preset post --nodes 1536 --committees 3 --seed 5 --seeds 1', [5]],
  'horn open-questions': [`${two} --slots 1`],
  'horn sensitivity': [`${two} --nodes 512 --machine epyc-native`],
  'lean slot': [`${slotOfProofs} --strategy spec`],
  'lean strategies': [`${slotOfProofs} --strategies spec --shares 0`],
  'lean map': [`${lean} --cores 4 --deadlines 4000`],
  'lean chain': [`--story steady --slots 8 ${two}`],
  'lean rules': ['--subnets 2', []],
};

/** Commands without results: for these, a profile is an input. */
const withoutResults = ['lean profile'];

const existing = completed(await program(silent)).map(({ path }) => path);
const ofGroups = existing.filter((path) => /^(slots|horn|lean) /.test(path));

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('the settings in results', () => {
  it('are checked for every command of slots, horn and lean with results', () => {
    expect([...Object.keys(commands), ...withoutResults].sort()).toEqual([...ofGroups].sort());
  });

  it.each(sampled(Object.entries(commands), 4))(
    '%s states profile, nodes, cores, start, network, links and seeds, in JSON and in text',
    async (name, [settings, expected = [5, 6]]) => {
      const [json, text] = [await runMain(`${name} ${settings} --json`), await runMain(`${name} ${settings}`)];
      expect([json.code, text.code, json.err]).toEqual([0, 0, '']);
      const world: StatedWorld = JSON.parse(json.out).world;
      expect(world.seeds).toEqual(expected);
      const shown = plain(text.out);
      expect(shown).toContain(seedsText(world.seeds));
      for (const field of worldFields) {
        if (field === 'seeds') continue;
        expect(world[field], field).toMatch(/\S/);
        expect(shown).toContain(plain(`${field} ${world[field]}`));
      }
    },
  );
});
