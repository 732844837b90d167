import { shuffle } from '@tutti/core';
import { awsOneWayUs, createNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { packetDelays, regionsOfEntries } from './cast.ts';

const size = 24;
const seed = 5;
const regions = regionsOfEntries(size, seed);
const endpoints = regions.map((_, index) => ({ host: '127.0.0.1', port: 4000 + index }));

it('an entry has the place of the simulated node at its position with the same seed', () => {
  const { region } = createNetwork('aws', size, seed);
  for (const [position, index] of shuffle(size, seed).entries()) expect(regions[index]).toBe(region[position]);
  expect(new Set(regions).size).toBeGreaterThan(1);
});

it('a packet has the latency between the regions of its sender and receiver, v1.03 appendix B', () => {
  const to = packetDelays(endpoints, regions);
  for (const [sender, from] of endpoints.entries())
    expect(to(3)(from)).toBe(awsOneWayUs(regions[sender]!, regions[3]!) / 1000);
});

it('a packet from a port of no entry has no latency', () => {
  expect(packetDelays(endpoints, regions)(3)({ host: '127.0.0.1', port: 4000 + size })).toBe(0);
});
