import { requireObject } from '@tutti/core/internal';
/** What verifying takes on one core of a machine: all figures are from the same one. */
export interface Machine {
  /** One signature by itself, read from bytes and its subgroup checked, the message hashed before, ms. */
  readonly verifyMs: number;
  /** The part of it that each of many checked together takes: reading, and its share of the weighted sums, ms. */
  readonly claimMs: number;
  /** One addition of a public key in a batched affine sum of many, ns. */
  readonly additionNs: number;
  /**
   * `measured`: all three on that machine. `derived`: the addition was measured on it (Horn: "Verification time for
   * collections"), and checks take as many additions as they do on the machine of docs/records/bench-machine.md without
   * WebAssembly.
   */
  readonly origin: 'measured' | 'derived';
}

/** On a quiet machine: the least that `npm run bench -- machine` gave, each when its kernel was new. */
const native: Machine = { verifyMs: 0.861, claimMs: 0.109, additionNs: 287, origin: 'measured' };
const wasm: Machine = { verifyMs: 2.78, claimMs: 0.316, additionNs: 876, origin: 'measured' };

function derived(seconds: number): Machine {
  const additionNs = (1e9 * seconds) / (512 * 32_768);
  const faster = additionNs / native.additionNs;
  return {
    verifyMs: thousandths(native.verifyMs * faster),
    claimMs: thousandths(native.claimMs * faster),
    additionNs: thousandths(additionNs),
    origin: 'derived',
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;

/** Machines by name: the post's three, and the one that measured docs/records/bench-machine.md, natively and in WebAssembly. */
export const machines = {
  'i9-11980HK': derived(2.8),
  'i7-8550U': derived(6.1),
  'raspberry-pi-4': derived(36),
  'epyc-native': native,
  'epyc-wasm': wasm,
} as const satisfies Record<string, Machine>;

export type MachineName = keyof typeof machines;
export const machineNames = Object.keys(machines) as readonly MachineName[];

/** The post's second laptop. */
export const defaultMachine: MachineName = 'i7-8550U';

/**
 * What a signature takes where this many are always checked together, ms: two pairings for all of them, and each one's
 * own part. It is a bound from below, for a node must have that many at hand; where its queue is long, which is where
 * verdicts hang on it, it has.
 */
export function batchedMs(machine: Pick<Machine, 'verifyMs' | 'claimMs'>, batch: number): number {
  requireObject('machine', machine);
  const { verifyMs, claimMs } = machine;
  return batch === 1 ? verifyMs : claimMs + (verifyMs - claimMs) / batch;
}
