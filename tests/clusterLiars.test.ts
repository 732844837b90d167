import { join } from 'node:path';
import { defaultScenario, delayBoundMs, type RunResult, simulate, wireAttacks } from '@tutti/simulation';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { clusterProtocolNames } from '../apps/node-cli/src/cluster/protocols.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { isSigned, publicKeysIn } from './isSigned.ts';
import { isWhole } from './sampled.ts';
import { schemaTakes } from './schemaTakes.ts';
import { temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const noble = await loadBls({ engine: 'noble' });

async function clusterOf(name: string, ...flags: string[]) {
  const common = ['--json', '--timeout', '300', '--out', join(folder, name)];
  const { code, out, err } = await tutti('cluster', ...common, ...flags);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

const rowOf = (document: Awaited<ReturnType<typeof clusterOf>>, name: string) =>
  document.protocols.find(({ protocol }: { protocol: string }) => protocol === name);

const nodes = isWhole ? 64 : 32;
const few = nodes / 2;

describe('tutti cluster with Byzantine nodes', () => {
  it('v1.03 4.3: with a fifth crashed and a fifth invalid, every honest node reaches the threshold, with about the additional checks of a simulation, and blacklists only invalid nodes', async () => {
    const document = await clusterOf('invalid.json', '--nodes', `${nodes}`, '--dead', '0.2', '--attack', 'invalid:0.2');
    const liars = Math.floor(nodes / 5);
    const honest = nodes - 2 * liars;
    expect(document).toMatchObject({ nodes, live: honest, reached: honest, threshold: honest });
    const { attack } = document;
    expect(attack).toMatchObject({
      attacks: [{ name: 'invalid', nodes: liars }],
      honest,
      reached: honest,
      liars,
      blacklisted: { liars, honest: 0 },
    });
    expect(attack.blacklisted.nodesPerLiar).toBeGreaterThan(0);
    expect(attack.ratio.checked).toBeCloseTo(attack.cost.checked / attack.costWithoutLiars.checked);
    expect(isSigned(noble, document, publicKeysIn(document.publicKeys))).toBe(true);
    expect(schemaTakes('cluster-result', document)).toBe(true);

    const { periodMs } = document.scenario;
    const world = { ...defaultScenario, nodes, dead: 0.2, priorities: 'independent', periodMs } as const;
    const simulated = (name: string): RunResult =>
      simulate(world, { attacks: [{ attack: wireAttacks.find((one) => one.name === name)!, share: 0.2 }] });
    const ratio = simulated('invalid').checked.mean / simulated('silent').checked.mean;
    expect(ratio).toBeGreaterThan(1.5);
    expect(attack.ratio.checked / ratio).toBeGreaterThan(0.5);
    expect(attack.ratio.checked / ratio).toBeLessThan(2);
  });

  it.runIf(isWhole)('other attacks and slow nodes: invalid packets are refused, no honest node excluded', async () => {
    const names = ['worthless', 'flood', 'equivocate', 'malformed', 'spoof'];
    const flags = names.flatMap((name) => ['--attack', `${name}:0.07`]);
    const size = ['--nodes', `${few}`, '--processes', '1', '--slow', '0.2'];
    const document = await clusterOf('others.json', ...size, ...flags);
    const each = few / 16;
    const live = few - names.length * each;
    expect(document).toMatchObject({ nodes: few, live, reached: live });
    expect(document.attack).toMatchObject({
      attacks: names.map((name) => ({ name, nodes: each })),
      reached: live,
      blacklisted: { honest: 0 },
    });
    for (const code of ['forged', 'blacklisted', 'oversized-message', 'level-out-of-range', 'truncated'])
      expect(document.refused[code], code).toBeGreaterThan(0);
    expect(isSigned(noble, document, publicKeysIn(document.publicKeys))).toBe(true);
  });

  it('delay holds each packet for the maximum time, and all nodes reach the threshold later by this time', async () => {
    const document = await clusterOf('delay.json', '--nodes', '8', '--processes', '1', '--attack', 'delay:0');
    expect(document.attack).toMatchObject({ honest: 8, reached: 8, liars: 0 });
    expect(document.timeToThresholdMs.min).toBeGreaterThan(delayBoundMs);
  });

  it.each([
    ['--ports-file', []],
    ['--ports-file', ['--protocol', 'all']],
    ['--certificate', []],
  ])('refuses a folder for %s before the run, with %j', async (flag, flags) => {
    expect(await runMain(['cluster', '--nodes', '8', ...flags, flag, folder, '--force'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`${folder}: expected a regular file to replace`),
    });
  });
});

describe('tutti cluster --protocol', () => {
  it.runIf(isWhole)('all: each protocol reaches the threshold, validly and with the simulated checks', async () => {
    const flags = ['--nodes', `${few}`, '--protocol', 'all', '--timeout', '60'];
    const document = await clusterOf('all.json', ...flags, '--ports-file', join(folder, 'all.ports'));
    const keys = publicKeysIn(document.publicKeys);
    expect(document.protocols.map(({ protocol }: { protocol: string }) => protocol)).toEqual(clusterProtocolNames);
    for (const row of document.protocols) {
      const { protocol, checked, simulated } = row;
      // San Fermín gives up on a partner that does not answer in time, for example on a busy machine.
      if (protocol !== 'san-fermin') expect(row, protocol).toMatchObject({ live: few, reached: few, signers: few });
      expect(isSigned(noble, { ...row, message: document.message }, keys), protocol).toBe(true);
      expect(checked.mean / simulated.checked, protocol).toBeGreaterThan(0.4);
      expect(checked.mean / simulated.checked, protocol).toBeLessThan(2.5);
    }
    expect(schemaTakes('protocols-result', document)).toBe(true);
    const checksOf = (name: string): number => rowOf(document, name).checked.mean;
    // The complete graph and gossip verify all contributions singly; San Fermín verifies one per level.
    expect(checksOf('complete-graph')).toBe(few - 1);
    expect(checksOf('complete-graph-bulk')).toBeLessThan(few - 1);
    expect(checksOf('san-fermin')).toBeLessThanOrEqual(Math.log2(few));
    expect(checksOf('gossip')).toBe(few - 1);
  });

  it.runIf(isWhole)('all: a protocol that no node finishes in time has a row that reports it', async () => {
    // Handel's nodes send nothing for ten minutes. The complete graph does not have such a period.
    const quiet = ['--period', '600000', '--level-start', '600000', '--fast-path', '0', '--timeout', '10'];
    const size = ['--nodes', '3', '--processes', '1', '--protocol', 'all'];
    const document = await clusterOf('late.json', ...size, ...quiet);
    expect(rowOf(document, 'handel')).toMatchObject({ live: 3, reached: 0, timeToThresholdMs: null, signature: null });
    expect(rowOf(document, 'complete-graph')).toMatchObject({ live: 3, reached: 3, signers: 3 });
  });

  it('each other protocol has the same JSON document as Handel', async () => {
    const document = await clusterOf('gossip.json', '--nodes', '13', '--processes', '1', '--protocol', 'gossip');
    expect(document).toMatchObject({ scenario: { protocol: 'gossip' }, live: 13, reached: 13, refused: {} });
    expect(isSigned(noble, document, publicKeysIn(document.publicKeys))).toBe(true);
  });
});
