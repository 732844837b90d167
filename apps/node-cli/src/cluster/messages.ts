import type { HandelConfig, RegistryEntry, WireForm } from '@tutti/core';
import type { RoundPlan, RoundReport } from '@tutti/transports';
import type { Impairment } from '@tutti/transports/raw';
import type { Engine, Variant } from '@tutti/wasm-bls';
import type { ClusterCast } from './cast.ts';
import type { ClusterProtocolName } from './protocols.ts';

/** Settings that all nodes of a cluster share before its rounds. */
export interface ClusterSetup {
  readonly entries: readonly RegistryEntry[];
  readonly config: HandelConfig;
  /** Form of signatures on the wire. Default: compressed. */
  readonly points?: WireForm | undefined;
  /** Region of each entry, see `regionsOfEntries`. Default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** Intentional impairment of the sent packets. Default: none. */
  readonly impairment?: Impairment | undefined;
  /** Protocol of all rounds. Default: Handel. */
  readonly protocol?: ClusterProtocolName | undefined;
  /** Slow, dead and Byzantine entries. Default: none. */
  readonly cast?: ClusterCast | undefined;
}

/**
 * Messages from the process that runs the cluster to one that hosts some of its nodes, the registry entries [first,
 * end).
 */
export type ToMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      /** URL of a `SignersModule`. Default: BLS. */
      readonly signers?: string | undefined;
      /** Variant of BLS. */
      readonly variant?: Variant;
      /** Address on which the nodes listen. */
      readonly host: string;
      /** Port of the first node; the other nodes use the following ports. With 0, any free ports. */
      readonly firstPort: number;
    }
  /**
   * Verifies the entries [verifyFirst, verifyEnd) of the registry, and opens the nodes. All processes together verify
   * all entries.
   */
  | { readonly type: 'prepare'; readonly setup: ClusterSetup; readonly verifyFirst: number; readonly verifyEnd: number }
  /** Signs a round's message and starts to receive its packets. */
  | { readonly type: 'enter'; readonly plan: RoundPlan }
  /** Starts the round that was entered. `originUs` is the common start, by `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Requests the report of the round. */
  | { readonly type: 'report' }
  /** Requests the present secret key of the first node, as a thief would steal it: an insecure test key. */
  | { readonly type: 'steal' };

/** Results of a process's nodes in a round. */
export interface MemberReport {
  readonly reports: readonly RoundReport[];
  /** Number of rejected packets so far, by code, over all rounds. */
  readonly refused: Readonly<Record<string, number>>;
  /** CPU time between the start of the round and this report, seconds. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

/** Messages from a process that hosts nodes to the process that runs the cluster. */
export type FromMember =
  /** Commitments to the first beacon, in the order of the entries. */
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[]; readonly commitments: readonly Uint8Array[] }
  /** Openings of the commitments, sent once all commitments are fixed. */
  | { readonly type: 'prepared'; readonly openings: readonly Uint8Array[] }
  | { readonly type: 'entered' }
  | {
      readonly type: 'progress';
      readonly round: number;
      /** Number of the process's nodes that gave an output in that round. */
      readonly reached: number;
      /** Number of messages received, in all rounds. */
      readonly messages: number;
      readonly checked: number;
    }
  | ({
      readonly type: 'reported';
      /**
       * Entries that the process's honest nodes blacklisted in any round so far, each with the number of these nodes.
       */
      readonly blacklisted: readonly (readonly [index: number, nodes: number])[];
    } & MemberReport)
  | { readonly type: 'stolen'; readonly secretKey: Uint8Array }
  | { readonly type: 'failed'; readonly line: string };
