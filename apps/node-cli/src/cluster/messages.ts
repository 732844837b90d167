import type { HostReport, Impairment, RegistryEntry, SignedOutput } from '@tutti/transports';

/** What all nodes of a cluster agree on before they start. */
export interface ClusterRound {
  readonly entries: readonly RegistryEntry[];
  readonly message: Uint8Array;
  /** 32 bytes, fresh for every run: names the session of the channels. */
  readonly session: Uint8Array;
  readonly seed: number;
  /** Contributions that an output must contain. */
  readonly threshold: number;
  readonly periodMs: number;
  readonly levelStartMs: number;
  readonly fastPath: number;
  readonly emulate: 'aws' | 'none';
  /** What is to happen to the packets that are sent; default: nothing. */
  readonly impairment?: Impairment | undefined;
}

/** From the process that runs the cluster to one that hosts some of its nodes, the registry entries [first, end). */
export type ToMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: 'wasm' | 'noble';
      /** The address that its nodes listen at. */
      readonly host: string;
      /** The port of its first node, those of the others follow; 0 takes free ones. */
      readonly firstPort: number;
    }
  /** `checkFirst`, `checkEnd`: the part of the registry that this process checks; between them they check all of it. */
  | { readonly type: 'prepare'; readonly round: ClusterRound; readonly checkFirst: number; readonly checkEnd: number }
  /** `originNs`: the common start, on the machine's monotonic clock. */
  | { readonly type: 'start'; readonly originNs: bigint }
  | { readonly type: 'stop' };

export type FromMember =
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[] }
  | { readonly type: 'prepared' }
  | { readonly type: 'progress'; readonly reached: number; readonly messages: number; readonly checked: number }
  | {
      readonly type: 'stopped';
      readonly reports: readonly HostReport[];
      readonly heaviest: SignedOutput | undefined;
      /** Spent between the start and the stop. */
      readonly cpuSeconds: number;
      readonly peakRssBytes: number;
    }
  | { readonly type: 'failed'; readonly line: string };
