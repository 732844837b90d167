import type { RegistryEntry, RegistryTransport } from '@tutti/core';
import type { HornParameters } from '@tutti/core/horn';
import type { HornBlock, HornReport, HornSlotOptions } from '@tutti/transports/horn';
import type { Impairment } from '@tutti/transports/raw';
import type { Engine } from '@tutti/wasm-bls';
import type { ClusterCast } from './cast.ts';

/** Settings that all nodes share, sent once before the first slot. */
export interface HornSetup {
  /** Registry entries, one per validator. */
  readonly entries: readonly RegistryEntry[];
  readonly parameters: HornParameters;
  readonly degree: number;
  readonly cast: ClusterCast;
  /** Region of each node, see `regionsOfEntries`. Default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** Impairment of sent packets. Default: none. */
  readonly impairment?: Impairment | undefined;
}

/** Message from the process that runs a Horn cluster to a process that hosts its nodes [first, end). */
export type ToHornMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      readonly transport: RegistryTransport;
      /** Validators of each hosted node. */
      readonly validators: readonly (readonly number[])[];
    }
  /** Checks the proofs of entries [first, end). All processes together check all entries. */
  | {
      readonly type: 'check';
      readonly entries: readonly RegistryEntry[];
      readonly first: number;
      readonly end: number;
    }
  /** Closes the previous slot. The validators sign the votes of the next one. `setup` comes with the first slot. */
  | { readonly type: 'prepare'; readonly setup?: HornSetup | undefined; readonly slot: HornSlotOptions }
  /** Starts the slot. It begins at `originUs`, µs on `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Asks for the results of the slot, and for the proposer's block. */
  | { readonly type: 'report'; readonly proposer: number };

/** Results of a process's nodes in the slot. */
export interface HornMemberReport {
  /** Reports of live nodes, including Byzantine ones. */
  readonly reports: readonly HornReport[];
  /** Block of the proposer; undefined if another process hosts that node. */
  readonly block: HornBlock | undefined;
  /** CPU time of the process in the slot, seconds. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

/** Message from a process that hosts nodes to the process that runs the Horn cluster. */
export type FromHornMember =
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[] }
  | { readonly type: 'checked' }
  | { readonly type: 'prepared' }
  | { readonly type: 'ended' }
  | { readonly type: 'progress'; readonly checked: number; readonly messages: number }
  | ({ readonly type: 'reported' } & HornMemberReport)
  | { readonly type: 'failed'; readonly line: string };
