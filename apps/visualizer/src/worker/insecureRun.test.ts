import type { MultiSignatureScheme } from '@tutti/core';
import { createSimulation, defaultScenario, type Simulation, simulate } from '@tutti/simulation';
import { loadBls } from '@tutti/wasm-bls';
import { beforeAll, expect, it } from 'vitest';
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

it('creates the same run as the counting scheme, event by event, whose multi-signature is valid', () => {
  expect(simulation.reached).toBe(nodes);
  expect(claim.signature).toHaveLength(96);
  expect(isValidSignature(claim)).toBe(true);
  expect(simulation.result().digest).toBe(simulate({ ...scenario, scheme: 'counting' }).digest);
});

it.each([
  [[{ name: 'mixed', share: 0.3 }]],
  [[{ name: 'first-places', share: 0.3 }]],
  [['invalid', 'silent'].map((name) => ({ name, share: 0.2 }))],
])('endOfRun completes deferred checks before it frees the curve, under attack: %j', async (attacks) => {
  const attacked = { ...defaultScenario, nodes: 16, scheme: 'bls', attacks } as const;
  const signed = signInsecurely(await loadBls(), attacked.nodes, attacked.seed, () => {});
  const run = createSimulation(attacked, { scheme: signed.scheme, record: true });
  while (run.advance(1000));
  const { recordingLater, output } = endOfRun(run, signed);
  expect(recordingLater().result.digest).toBe(simulate({ ...attacked, scheme: 'counting' }).digest);
  expect(output?.signature).toHaveLength(96);
});

/** A point of order 3 on the curve: x is 0 and y is 2. Its pairing with any point is 1. */
const outside = new Uint8Array(48).fill(0x80, 0, 1);
const infinity = (length: number) => new Uint8Array(length).fill(0xc0, 0, 1);

it.each<[what: string, change: () => Partial<KeyedSignature>]>([
  ['another message', () => ({ message: new Uint8Array(3) })],
  ['one signer fewer', () => ({ publicKeys: claim.publicKeys.slice(1) })],
  ['a flipped bit', () => ({ signature: claim.signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) })],
  ['no signers', () => ({ publicKeys: [] })],
  ['infinity as a key and as a signature', () => ({ publicKeys: [infinity(48)], signature: infinity(96) })],
  ['infinity as a further key', () => ({ publicKeys: [...claim.publicKeys, infinity(48)] })],
  ['a further key outside the prime-order group', () => ({ publicKeys: [...claim.publicKeys, outside] })],
  ['infinity as a signature', () => ({ signature: infinity(96) })],
])('isValidSignature refuses %s', (_, change) => expect(isValidSignature({ ...claim, ...change() })).toBe(false));
