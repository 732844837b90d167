import { badChoiceValue, type FlagReader } from '@tutti/node-cli/command';
import { awsOneWayUs, awsRegions, Jitter } from '@tutti/simulation';

/** How long the router keeps a packet from one host to another: one way, microseconds, the next of the sender's. */
export type Latency = (from: number, to: number) => number;

/** `aws`: host k is in the k-th region of v1.03 appendix B, round and round. Otherwise one way between any two, ms. */
export type LatencyForm = 'aws' | { readonly constantMs: number };

const longestMs = 60_000;

export const latencyFlag: FlagReader<LatencyForm> = (text) => {
  if (text === 'aws') return 'aws';
  if (text === 'none') return { constantMs: 0 };
  const [, digits = ''] = /^constant:(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (digits !== '' && Number(digits) <= longestMs) return { constantMs: Number(digits) };
  throw badChoiceValue(
    '--latency',
    ['aws', 'none', 'constant'],
    text,
    `aws, none or constant:MS with MS, one way, from 0 to ${longestMs}`,
    text,
  );
};

export function latencyName(form: LatencyForm): string {
  if (form === 'aws') return 'aws';
  return form.constantMs === 0 ? 'none' : `constant:${form.constantMs}`;
}

/** The region of a host, by its place in `awsRegions`. */
export function regionOf(host: number): number {
  return host % awsRegions.length;
}

/** @param jitter whether the internet's jitter is added, as a simulation draws it. */
export function createLatency(form: LatencyForm, jitter: boolean, hosts: number, seed: number): Latency {
  const baseUs: Latency =
    form === 'aws' ? (from, to) => awsOneWayUs(regionOf(from), regionOf(to)) : () => Math.round(form.constantMs * 1000);
  if (!jitter) return baseUs;
  const drawn = new Jitter(hosts, seed);
  return (from, to) => baseUs(from, to) + drawn.nextUs(from);
}
