import type { MultiSignatureScheme } from '@tutti/core';
import { createSimulation, defaultScenario, type Simulation, simulate } from '@tutti/simulation';
import { loadBls } from '@tutti/wasm-bls';
import { beforeAll, describe, expect, it } from 'vitest';
import { upTo } from '../../test/recordedRun.ts';
import { endOfRun, type InsecureRun, signInsecurely } from './insecureRun.ts';
import { isValidSignature, type KeyedSignature } from './keyedSignature.ts';

const nodes = 8;
const scenario = { ...defaultScenario, nodes, scheme: 'bls', seed: 2 } as const;

let insecureRun: InsecureRun;
let simulation: Simulation;
let claim: KeyedSignature;

beforeAll(async () => {
  const signed: number[] = [];
  insecureRun = signInsecurely(await loadBls(), nodes, scenario.seed, (count) => signed.push(count));
  expect(signed).toEqual(upTo(nodes).map((id) => id + 1));
  simulation = createSimulation(scenario, { scheme: insecureRun.scheme });
  while (simulation.advance(1000));
  const scheme = simulation.scheme as MultiSignatureScheme;
  const { bits, first, signature } = scheme.claim(simulation.heaviestOutput!.contribution);
  const signers = upTo(nodes).filter((id) => ((bits[(id - first) >> 3]! >>> ((id - first) & 7)) & 1) === 1);
  claim = { message: insecureRun.message, signature, publicKeys: signers.map((id) => insecureRun.publicKeys[id]!) };
}, 60_000);

describe('signInsecurely', () => {
  it('creates a run whose multi-signature is valid', () => {
    expect(simulation.reached).toBe(nodes);
    expect(claim.signature).toHaveLength(96);
    expect(isValidSignature(claim)).toBe(true);
  });

  it('creates the same run as the counting scheme, event by event', () => {
    expect(simulation.result().digest).toBe(simulate({ ...scenario, scheme: 'counting' }).digest);
  });

  it('gives each node and each seed a different key', async () => {
    const bls = await loadBls();
    const other = signInsecurely(bls, 2, scenario.seed + 1, () => {});
    const keys = [...insecureRun.publicKeys, ...other.publicKeys].map((key) => key.join());
    expect(new Set(keys).size).toBe(nodes + 2);
  });
});

describe('endOfRun', () => {
  it('completes deferred checks before it frees the curve, under any attack', async () => {
    const bls = await loadBls();
    for (const attacks of [
      [{ name: 'mixed', share: 0.3 }],
      [{ name: 'first-places', share: 0.3 }],
      [
        { name: 'invalid', share: 0.2 },
        { name: 'silent', share: 0.2 },
      ],
    ] as const) {
      const attacked = { ...defaultScenario, nodes: 16, scheme: 'bls', attacks } as const;
      const signed = signInsecurely(bls, attacked.nodes, attacked.seed, () => {});
      const run = createSimulation(attacked, { scheme: signed.scheme, record: true });
      while (run.advance(1000));
      const { recordingLater, output } = endOfRun(run, signed);
      expect(recordingLater().result.digest).toBe(simulate({ ...attacked, scheme: 'counting' }).digest);
      expect(output?.signature).toHaveLength(96);
    }
  });
});

describe('isValidSignature', () => {
  it('refuses another message, one signer fewer, a flipped bit, no signers', () => {
    const flipped = claim.signature.slice();
    flipped[40]! ^= 1;
    expect(isValidSignature({ ...claim, message: new Uint8Array(3) })).toBe(false);
    expect(isValidSignature({ ...claim, publicKeys: claim.publicKeys.slice(1) })).toBe(false);
    expect(isValidSignature({ ...claim, signature: flipped })).toBe(false);
    expect(isValidSignature({ ...claim, publicKeys: [] })).toBe(false);
  });

  it('refuses infinity as a key and as a signature', () => {
    const key = new Uint8Array(48).fill(0xc0, 0, 1);
    const signature = new Uint8Array(96).fill(0xc0, 0, 1);
    expect(isValidSignature({ ...claim, publicKeys: [key], signature })).toBe(false);
    expect(isValidSignature({ ...claim, signature })).toBe(false);
  });
});
