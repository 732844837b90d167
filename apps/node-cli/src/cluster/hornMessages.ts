import type { HornParameters } from '@tutti/core/horn';
import type { RegistryEntry, RegistryTransport } from '@tutti/core/registry';
import type { HornBlock, HornReport, HornSlotOptions } from '@tutti/transports/horn';
import type { Impairment } from '@tutti/transports/raw';
import type { Engine } from '@tutti/wasm-bls';

/** Attacks that liars of a cluster of Horn carry out: invalid messages, and attacks of the simulated slot. */
export const hornLies = ['invalid', 'silent', 'worthless'] as const;
export type HornLie = (typeof hornLies)[number];

/** What the nodes of a cluster do: nodes [0, honest) keep the protocol, [honest, end) lie, and the rest are dead. */
export interface HornCast {
  readonly honest: number;
  readonly end: number;
  /** Nodes [first, end) that carry out an attack, from node `honest` on. */
  readonly liars: readonly { readonly attack: HornLie; readonly first: number; readonly end: number }[];
}

/** What all nodes agree on before the first slot. */
export interface HornSetup {
  /** One per validator. */
  readonly entries: readonly RegistryEntry[];
  readonly parameters: HornParameters;
  readonly degree: number;
  readonly cast: HornCast;
  /** See `awsRegions`; default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** What is to happen to the packets that are sent; default: nothing. */
  readonly impairment?: Impairment | undefined;
}

/** From the process that runs a cluster of Horn to one that hosts its nodes [first, end). */
export type ToHornMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      readonly transport: RegistryTransport;
      /** Validators of each node. */
      readonly validators: readonly (readonly number[])[];
    }
  /** Checks the proofs of entries [first, end). Between them, the processes check all entries. */
  | {
      readonly type: 'check';
      readonly entries: readonly RegistryEntry[];
      readonly first: number;
      readonly end: number;
    }
  /** Leaves the slot before and has the validators of its nodes sign their votes. `setup` comes with the first slot. */
  | { readonly type: 'prepare'; readonly setup?: HornSetup | undefined; readonly slot: HornSlotOptions }
  /** `originUs`: when the slot begins, by `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Asks how the slot went, and for the block of a node. */
  | { readonly type: 'report'; readonly proposer: number };

/** How a process's nodes did in the slot. */
export interface HornMemberReport {
  /** Of live nodes, liars included. */
  readonly reports: readonly HornReport[];
  /** Of the proposer, in the process that hosts it. */
  readonly block: HornBlock | undefined;
  /** Spent in the slot. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

export type FromHornMember =
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[] }
  | { readonly type: 'checked' }
  | { readonly type: 'prepared' }
  | { readonly type: 'ended' }
  | { readonly type: 'progress'; readonly checked: number; readonly messages: number }
  | ({ readonly type: 'reported' } & HornMemberReport)
  | { readonly type: 'failed'; readonly line: string };
