import type { HandelConfig, WireForm } from '@tutti/core';
import type { RegistryEntry } from '@tutti/core/registry';
import type { RoundPlan, RoundReport } from '@tutti/transports';
import type { Impairment } from '@tutti/transports/raw';
import type { Engine, Variant } from '@tutti/wasm-bls';
import type { ClusterCast } from './cast.ts';
import type { ClusterProtocolName } from './protocols.ts';

/** What all nodes of a cluster agree on before its rounds. */
export interface ClusterSetup {
  readonly entries: readonly RegistryEntry[];
  readonly config: HandelConfig;
  /** How signatures travel; default: compressed. */
  readonly points?: WireForm | undefined;
  /** Where each entry is, see `awsRegions`; default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** What is to happen to the packets that are sent; default: nothing. */
  readonly impairment?: Impairment | undefined;
  /** Protocol of all rounds; default: Handel. */
  readonly protocol?: ClusterProtocolName | undefined;
  /** Which entries are slow, dead or lie; default: none. */
  readonly cast?: ClusterCast | undefined;
}

/** From the process that runs the cluster to one that hosts some of its nodes, the registry entries [first, end). */
export type ToMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      /** URL of a `SignersModule`; default: BLS. */
      readonly signers?: string | undefined;
      /** Of BLS. */
      readonly variant?: Variant;
      /** The address that its nodes listen at. */
      readonly host: string;
      /** The port of its first node, which those of the others follow; 0 for any free ports. */
      readonly firstPort: number;
    }
  /** `verifyFirst`, `verifyEnd`: the part of the registry that this process checks; between them they check all of it. */
  | { readonly type: 'prepare'; readonly setup: ClusterSetup; readonly verifyFirst: number; readonly verifyEnd: number }
  /** Signs a round's message and listens to its packets. */
  | { readonly type: 'enter'; readonly plan: RoundPlan }
  /** Starts the round that was entered. `originUs`: the common start, by `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Asks how the round went. */
  | { readonly type: 'report' }
  /** Takes the secret key that its first node has now, as a thief would: an insecure test key. */
  | { readonly type: 'steal' };

/** How a process's honest nodes did in a round. */
export interface MemberReport {
  readonly reports: readonly RoundReport[];
  /** What was refused so far, by code, whatever round it was of. */
  readonly refused: Readonly<Record<string, number>>;
  /** Spent between the start of the round and this report. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

export type FromMember =
  /** The commitments to the first beacon, an entry's at its place. */
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[]; readonly commitments: readonly Uint8Array[] }
  /** With what opens them, once all commitments are fixed. */
  | { readonly type: 'prepared'; readonly openings: readonly Uint8Array[] }
  | { readonly type: 'entered' }
  | {
      readonly type: 'progress';
      readonly round: number;
      /** Of its nodes, those that gave an output in that round. */
      readonly reached: number;
      /** Received, in all rounds. */
      readonly messages: number;
      readonly checked: number;
    }
  | ({
      readonly type: 'reported';
      /** Entries that its honest nodes blacklisted in any round so far, and how many of these nodes did. */
      readonly blacklisted: readonly (readonly [index: number, nodes: number])[];
    } & MemberReport)
  | { readonly type: 'stolen'; readonly secretKey: Uint8Array }
  | { readonly type: 'failed'; readonly line: string };
