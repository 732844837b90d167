import { createHash } from 'node:crypto';
import { thresholdCount, version, type WireForm } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import type { AttackShare, RunResult } from '@tutti/simulation';
import type { Impairment, PriorityRows } from '@tutti/transports';
import type { Variant } from '@tutti/wasm-bls';
import { columnTable, grouped, spreadTable } from '../output/text.ts';
import { messageText } from './multiSignature.ts';
import type { ClusterProtocolName } from './protocols.ts';
import type { AttackOutcome, ClusterOutcome, RoundFigures, RoundOutcome } from './roundOutcome.ts';

/** Paths of the files with a cluster's keys: one with only the public keys, and the registry. */
export interface KeyFiles {
  readonly publicKeys: string;
  readonly registry: string;
}

/** Settings of the run, as stored in the document. */
export interface ClusterScenario {
  readonly protocol: ClusterProtocolName;
  readonly nodes: number;
  /** Threshold as given by the user: a share or a count. */
  readonly threshold: number;
  /** Description of the network. */
  readonly network: string;
  /** Name of the signature scheme, for example `bls`. */
  readonly scheme: string;
  /** Variant of BLS, which determines the group of the keys; `min-pk` if undefined. */
  readonly variant?: Variant;
  /** Form of signatures on the wire; BLS only. */
  readonly points?: WireForm;
  /** Period of the first round; only for a scheme with periods. */
  readonly firstPeriod?: number;
  readonly kernel: string;
  readonly processes: number;
  readonly periodMs: number;
  readonly levelStartMs: number;
  readonly fastPath: number;
  readonly batch: number;
  readonly priorities: PriorityRows;
  /** Intentional impairment of the sent packets. */
  readonly impairment?: Impairment;
  /** Share of dead nodes. */
  readonly dead?: number;
  /** Share of nodes with slow verification. */
  readonly slow?: number;
  readonly attacks?: readonly AttackShare[];
  readonly seed: number;
}

/** Multi-signature of a round. */
interface SignedRound {
  /** Period of the round; only for a scheme with periods. */
  readonly period?: number;
  readonly message: string;
  readonly signers: number;
  /** Signature, hexadecimal: for BLS 96 bytes, compressed G2 (48, G1, for min-sig). */
  readonly signature: string;
  /** Signers, hexadecimal: bit b & 7 of byte b >> 3 is set if the b-th key of `publicKeys` signed. */
  readonly bitset: string;
}

/** One of several rounds, with its cost and its result. */
export interface ClusterRound extends RoundFigures, SignedRound {
  readonly round: number;
  /** Seed of the round's shuffle and priorities: 32 bytes, hexadecimal. */
  readonly seed: string;
}

/**
 * Output of `tutti cluster --json`: the fields of a simulation, and the multi-signature of the run, or of the last
 * round if there are several.
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
  /**
   * Digest of the message, the signers and the signature, 16 hexadecimal digits. The digest identifies the result,
   * which differs from run to run.
   */
  readonly digest: string;
  /** Number of rejected packets by code, over all nodes and rounds. */
  readonly refused: Readonly<Record<string, number>>;
  /**
   * Path of a JSON file: an array of public keys in hexadecimal, for BLS 48 bytes each, compressed G1 (96 bytes, G2,
   * for min-sig). Null if no such file was written.
   */
  readonly publicKeys: string | null;
  /**
   * Path of the registry, which contains the public keys with their proofs of possession. Null if no such file was
   * written.
   */
  readonly registryFile: string | null;
  readonly verifiedBy: 'noble-curves';
  /** Time from the start of the command to the last result, before the command writes the document, seconds. */
  readonly wallSeconds: number;
  /** Effect of the Byzantine nodes. Undefined for a cluster without Byzantine nodes. */
  readonly attack?: AttackOutcome;
  /** All rounds; only if there were several. */
  readonly rounds?: readonly ClusterRound[];
}

/**
 * Returns the document of a cluster's result.
 *
 * @param wallSeconds duration of the command, seconds.
 */
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
    digest: resultDigest([signed.message, signed.bitset, signed.signature]),
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

/** Returns 16 hexadecimal digits of the SHA-256 hash of values in JSON, which identify the result of a run. */
export function resultDigest(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

function signedRound({ plan, output }: RoundOutcome): SignedRound {
  return {
    message: messageText(plan.message),
    ...(plan.period === undefined ? {} : { period: plan.period }),
    // The entries of a cluster have no weights.
    signers: output.weight,
    signature: toHex(output.signature),
    bitset: toHex(output.bits),
  };
}

/** Returns the table of measurements over the nodes. */
export function measuredTable(document: ClusterDocument): string {
  const { percentiles } = document;
  return spreadTable([
    ['time to threshold, ms', { ...document.timeToThresholdMs, ...percentiles.timeToThresholdMs }, 1],
    ['messages sent', { ...document.messagesSent, ...percentiles.messagesSent }],
    ['messages received', { ...document.messagesReceived, ...percentiles.messagesReceived }],
    ['bytes sent', { ...document.bytesSent, ...percentiles.bytesSent }],
    ['bytes received', document.bytesReceived],
    ['contributions checked', { ...document.checked, ...percentiles.checked }],
  ]);
}

/** Returns the table of costs of several rounds. */
export function roundsTable(rounds: NonNullable<ClusterDocument['rounds']>): string {
  return columnTable(
    [
      'round',
      'signers',
      'mean time to threshold, ms',
      'max time, ms',
      'sent per node',
      'checks per node',
      'CPU, s',
      'peak memory, MB',
    ],
    rounds.map(({ round, signers, timeToThresholdMs, messagesSent, checked, cpuSeconds, peakRssBytes }) => [
      String(round),
      grouped(signers),
      grouped(timeToThresholdMs.mean, 1),
      grouped(timeToThresholdMs.max, 1),
      grouped(messagesSent.mean, 1),
      grouped(checked.mean, 1),
      grouped(cpuSeconds, 2),
      grouped(peakRssBytes / 1e6),
    ]),
  );
}

/** Returns the number of rejected packets by code, as text. */
export function refusedText(refused: Readonly<Record<string, number>>): string {
  const refusals = Object.entries(refused).map(([code, count]) => `${grouped(count)} ${code}`);
  return refusals.length === 0 ? 'nothing' : refusals.join(', ');
}

/** Returns the rows of the printed table of a cluster: a label and a value each. */
export function outcomeRows(document: ClusterDocument): (readonly [string, string])[] {
  return [
    ['refused', refusedText(document.refused)],
    [
      'took',
      `${grouped(document.wallSeconds, 2)} s; ${grouped(document.cpuSeconds, 2)} s of CPU time to the threshold`,
    ],
    ['message', JSON.stringify(document.message)],
    ['signed by', `${grouped(document.signers)} of ${grouped(document.nodes)}, as noble-curves confirms`],
    ['bitset', document.bitset],
    ['signature', document.signature],
    ...(document.publicKeys === null ? [] : [['public keys', document.publicKeys] as const]),
  ];
}
