import { createHash } from 'node:crypto';
import { thresholdCount, version, type WireForm } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import type { AttackShare, RunResult } from '@tutti/simulation';
import type { PriorityRows } from '@tutti/transports';
import type { Impairment } from '@tutti/transports/raw';
import type { Variant } from '@tutti/wasm-bls';
import type { AttackOutcome } from './attackOutcome.ts';
import type { ClusterProtocolName } from './protocols.ts';
import type { RoundFigures, RoundOutcome } from './roundOutcome.ts';
import type { ClusterOutcome } from './runCluster.ts';

/** Where the keys of a cluster were written: bare ones, and the registry. */
export interface KeyFiles {
  readonly publicKeys: string;
  readonly registry: string;
}

/** What was asked for, as it stands in the document. */
export interface ClusterScenario {
  readonly protocol: ClusterProtocolName;
  readonly nodes: number;
  /** As it was asked for: a share, or a count. */
  readonly threshold: number;
  /** In words. */
  readonly network: string;
  /** Such as `bls`. */
  readonly scheme: string;
  /** Of BLS, which group keys are in; `min-pk` where it is missing. */
  readonly variant?: Variant;
  /** Of BLS, how signatures travelled. */
  readonly points?: WireForm;
  /** Of a scheme with periods, the first round's. */
  readonly firstPeriod?: number;
  readonly kernel: string;
  readonly processes: number;
  readonly periodMs: number;
  readonly levelStartMs: number;
  readonly fastPath: number;
  readonly batch: number;
  readonly priorities: PriorityRows;
  /** What happened to the packets sent, on purpose. */
  readonly impairment?: Impairment;
  /** Share of the nodes that were dead. */
  readonly dead?: number;
  /** Share of the nodes that verified slowly. */
  readonly slow?: number;
  readonly attacks?: readonly AttackShare[];
  readonly seed: number;
}

/** A round's multi-signature. */
interface SignedRound {
  /** Of a scheme with periods, the one of the round. */
  readonly period?: number;
  readonly message: string;
  readonly signers: number;
  /** Hexadecimal: of BLS 96 bytes, compressed G2 (48, G1, of min-sig). */
  readonly signature: string;
  /** Hexadecimal; bit b & 7 of byte b >> 3 is the b-th key of `publicKeys`. */
  readonly bitset: string;
}

/** One of several rounds: its cost and its result. */
export interface ClusterRound extends RoundFigures, SignedRound {
  readonly round: number;
  /** Of its shuffle and its priorities: 32 bytes, hexadecimal. */
  readonly seed: string;
}

/**
 * What `tutti cluster --json` prints: what a simulation prints, and the multi-signature that came of it; of several
 * rounds, the last.
 */
export interface ClusterDocument
  extends Omit<
      RunResult,
      | 'scenario'
      | 'ended'
      | 'signers'
      | 'checkedInvalid'
      | 'checks'
      | 'checkingMs'
      | 'keptInts'
      | 'untilThreshold'
      | 'injected'
    >,
    RoundFigures,
    SignedRound {
  readonly scenario: ClusterScenario;
  /** 16 hexadecimal digits over message, signers and signature: names the result, which differs from run to run. */
  readonly digest: string;
  /** What was refused, by code, over all nodes and rounds. */
  readonly refused: Readonly<Record<string, number>>;
  /**
   * Path of a JSON file: an array of public keys, hexadecimal: of BLS 48 bytes each, compressed G1 (96, G2, of min-sig).
   * Null when none was written.
   */
  readonly publicKeys: string | null;
  /** Path of the registry: those keys with their proofs of possession. Null when none was written. */
  readonly registryFile: string | null;
  readonly verifiedBy: 'noble-curves';
  /** From the start to the end of the command. */
  readonly wallSeconds: number;
  /** What the liars achieved, where there were any. */
  readonly attack?: AttackOutcome;
  /** All rounds, when there were several. */
  readonly rounds?: readonly ClusterRound[];
}

export function clusterDocument(
  scenario: ClusterScenario,
  { rounds, refused }: Pick<ClusterOutcome, 'rounds' | 'refused'>,
  keys: KeyFiles | undefined,
  wallSeconds: number,
): ClusterDocument {
  const last = rounds.at(-1)!;
  const signed = signedRound(last);
  return {
    scenario,
    seed: scenario.seed,
    version,
    digest: createHash('sha256')
      .update(JSON.stringify([signed.message, signed.bitset, signed.signature]))
      .digest('hex')
      .slice(0, 16),
    nodes: scenario.nodes,
    threshold: thresholdCount(scenario.threshold, last.figures.live),
    ...last.figures,
    refused,
    ...signed,
    publicKeys: keys?.publicKeys ?? null,
    registryFile: keys?.registry ?? null,
    verifiedBy: 'noble-curves',
    wallSeconds,
    ...(rounds.length === 1 ? {} : { rounds: rounds.map(clusterRound) }),
  };
}

function clusterRound(outcome: RoundOutcome): ClusterRound {
  const { number: round, seed } = outcome.plan;
  return { round, seed: toHex(seed), ...outcome.figures, ...signedRound(outcome) };
}

function signedRound({ plan, output }: RoundOutcome): SignedRound {
  return {
    // A byte order mark would be signed too.
    message: new TextDecoder('utf-8', { ignoreBOM: true }).decode(plan.message),
    ...(plan.period === undefined ? {} : { period: plan.period }),
    signers: output.weight,
    signature: toHex(output.signature),
    bitset: toHex(output.bits),
  };
}
