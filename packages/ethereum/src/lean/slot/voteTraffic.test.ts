import { loadNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { leanProfiles } from '../profile.ts';
import { defaultLeanScenario, type LeanSubscribers } from './scenario.ts';
import { voteTraffic } from './voteTraffic.ts';

const profile = { ...leanProfiles['lean-2026-09']!, validators: 256 };
const small = { ...defaultLeanScenario, profile, subnets: 4, aggregators: 8, nodes: 32 };
const traffic = (subscribers: LeanSubscribers, change = {}) => voteTraffic({ ...small, subscribers, ...change });
const allVotes = 256 * profile.votes.bytes;

await loadNetwork('cities');

it('a node on no topic receives none; one on all topics receives every vote at least once', () => {
  const [aggregators, all] = [traffic('aggregators'), traffic('all')];
  expect(aggregators.others).toBe(0);
  expect(all.others).toBeGreaterThan(0.9 * allVotes);
  expect(all.others).toBeLessThan(8 * allVotes);
});

it('a node with one subnet’s validators receives a share of all votes: of four subnets less than half', () => {
  const ratio = traffic('own-subnet').others / traffic('all').others;
  // In small meshes, a node receives more copies of a vote.
  expect(ratio).toBeGreaterThan(0.2);
  expect(ratio).toBeLessThan(0.5);
});

it('nodes with as many consecutive validators as subnets are on all of them', () => {
  expect(traffic('validators')).toEqual(traffic('all'));
  // Four of the eight nodes are aggregators. Each aggregator has a group of four validators, one from each subnet.
  const few = { profile: { ...profile, validators: 16 }, nodes: 8, aggregators: 4 };
  expect(traffic('validators', few).others).toBe(0);
  expect(traffic('all', few).others).toBeGreaterThan(0);
});
