import { badChoiceValue, type FlagReader } from '@tutti/node-cli/command';
import { awsOneWayUs, awsRegions, Jitter } from '@tutti/simulation';

/**
 * Returns the one-way latency from one host to another, µs. With jitter, each call draws the next value of the sender.
 */
export type Latency = (from: number, to: number) => number;

/**
 * Form of the latencies. With `aws`, host k is in the k-th region of v1.03 appendix B, modulo the number of regions.
 * Any other setting is one constant one-way latency between any two hosts, ms.
 */
export type LatencyForm = 'aws' | { readonly constantMs: number };

const maxConstantMs = 60_000;

/** Reads `aws`, `none` or `constant:MS`. */
export const latencyFlag: FlagReader<LatencyForm> = (text) => {
  if (text === 'aws') return 'aws';
  if (text === 'none') return { constantMs: 0 };
  const [, digits = ''] = /^constant:(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (digits !== '' && Number(digits) <= maxConstantMs) return { constantMs: Number(digits) };
  throw badChoiceValue(
    '--latency',
    ['aws', 'none', 'constant'],
    text,
    `aws, none or constant:MS with MS, one way, from 0 to ${maxConstantMs}`,
    text,
  );
};

/** Returns the text that {@link latencyFlag} reads as these latencies. */
export function latencyName(form: LatencyForm): string {
  if (form === 'aws') return 'aws';
  return form.constantMs === 0 ? 'none' : `constant:${form.constantMs}`;
}

/** Returns the region of a host as an index into `awsRegions`. */
function regionOf(host: number): number {
  return host % awsRegions.length;
}

/** Creates the latencies of a network. @param jitter whether to add the internet's jitter, as in a simulation. */
export function createLatency(form: LatencyForm, jitter: boolean, hosts: number, seed: number): Latency {
  const baseUs: Latency =
    form === 'aws' ? (from, to) => awsOneWayUs(regionOf(from), regionOf(to)) : () => Math.round(form.constantMs * 1000);
  if (!jitter) return baseUs;
  return new Jitter(hosts, seed).along(baseUs).oneWayUs;
}
