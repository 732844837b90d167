import { expected, factors, requireIn, shares } from '@tutti/core/input';

/** A class of nodes with equal links. */
export interface LinkClass {
  readonly name: string;
  /** Share of all nodes. */
  readonly share: number;
  /** Download rate, Mbit/s (10^6 bits per second). `upMbps` is the upload rate. */
  readonly downMbps: number;
  readonly upMbps: number;
}

/**
 * Links by class of node. `home` is EIP-7870's recommendation for attesters, `full-node` the one for nodes that only
 * follow the chain. The shares of gigabit and other links come from the simulations that the EIP reports (40 % and 60
 * %; the others had 15 Mbit/s of upload). The distribution in the real network is unknown.
 */
export const linkPresets = {
  'eip-7870': [
    { name: 'home', share: 0.6, downMbps: 50, upMbps: 25 },
    { name: 'datacenter', share: 0.4, downMbps: 1000, upMbps: 1000 },
  ],
  'eip-7870-least': [
    { name: 'home', share: 0.6, downMbps: 50, upMbps: 15 },
    { name: 'datacenter', share: 0.4, downMbps: 1000, upMbps: 1000 },
  ],
  home: [{ name: 'home', share: 1, downMbps: 50, upMbps: 25 }],
  gigabit: [{ name: 'datacenter', share: 1, downMbps: 1000, upMbps: 1000 }],
  unlimited: [{ name: 'unlimited', share: 1, downMbps: 1e6, upMbps: 1e6 }],
} as const satisfies Record<string, readonly LinkClass[]>;
/** Name of a preset in {@link linkPresets}. */
export type LinkPreset = keyof typeof linkPresets;
/** Names of all link presets. */
export const linkPresetNames = Object.keys(linkPresets) as readonly LinkPreset[];

/** Range of rates, Mbit/s. */
export const bandwidths = factors(0.001, 1e6);

/** Checks classes. @throws RangeError unless the shares sum to 1 and every rate is positive. */
export function validateLinkClasses(classes: readonly LinkClass[]): void {
  for (const { name, share, downMbps, upMbps } of classes) {
    requireIn(`share of ${name}`, share, shares);
    requireIn(`downMbps of ${name}`, downMbps, bandwidths);
    requireIn(`upMbps of ${name}`, upMbps, bandwidths);
  }
  const sum = classes.reduce((all, { share }) => all + share, 0);
  if (Math.abs(sum - 1) > 1e-9) throw new RangeError(expected('shares of link classes together', '1', sum));
}

/**
 * Returns the class of each node, with exact shares. Nodes with more validators get the classes with more upload first.
 * The assumption is that an operator of hundreds of validators rents a fast link for them. The given order breaks ties.
 */
export function classifyNodes(classes: readonly LinkClass[], validators: Int32Array, order: Int32Array): Uint8Array {
  const bySize = [...order].sort((a, b) => validators[b]! - validators[a]!);
  const byUpload = classes.map((_, index) => index).sort((a, b) => classes[b]!.upMbps - classes[a]!.upMbps);
  const of = new Uint8Array(validators.length);
  let share = 0;
  let rank = 0;
  for (const index of byUpload) {
    share += classes[index]!.share;
    const end = Math.round(share * of.length);
    for (; rank < end; rank++) of[bySize[rank]!] = index;
  }
  return of;
}

/** Converts a rate in Mbit/s to bytes per µs. */
export function bytesPerUs(mbps: number): number {
  return mbps / 8;
}
