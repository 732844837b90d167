import type { WireForm } from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../test/entryOf.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { Group } from './group.ts';
import type { RoundPlan } from './plan.ts';

const bls = await loadBls();
const entries = Array.from({ length: 11 }, (_, index) => entryOf(bls, index, { host: '127.0.0.1', port: index + 1 }));

function counted(of = entries, form?: WireForm) {
  const verifiers = { open: 0, keys: [] as (readonly Uint8Array[])[] };
  const group = new Group({
    crypto: nodeCrypto,
    kernel: bls,
    entries: of,
    ...(form && { form }),
    openVerifier(publicKeys) {
      verifiers.open++;
      verifiers.keys.push(publicKeys);
      return { verifyBatch: async (claims) => claims.map(() => true), close: async () => void verifiers.open-- };
    },
  });
  return { group, verifiers };
}

const plan: RoundPlan = { number: 4, message: new TextEncoder().encode('m'), seed: new Uint8Array(32) };

describe('a group', () => {
  it('opens a round once for all its peers, and frees it with the last peer', () => {
    const { group, verifiers } = counted();
    const rounds = [group.enter(plan), group.enter({ ...plan }), group.enter(plan)];
    expect(new Set(rounds).size).toBe(1);
    const other = group.enter({ ...plan, number: 5 });
    expect(other).not.toBe(rounds[0]);
    expect([group.openRounds, verifiers.open]).toEqual([2, 2]);
    for (const round of rounds.slice(1)) group.leave(round);
    expect([group.openRounds, verifiers.open]).toEqual([2, 2]);
    group.leave(rounds[0]!);
    expect([group.openRounds, verifiers.open]).toEqual([1, 1]);
    expect(() => group.leave(rounds[0]!)).toThrow('round 4: expected a round that this peer has entered and not left');
    expect(group.enter(plan)).not.toBe(rounds[0]);
  });

  it('lists the keys of a round by position, and maps sets of positions to entries', () => {
    const { group, verifiers } = counted();
    const round = group.enter(plan);
    const points = entries.map(({ publicKey }) => bls.validatePublicKey(publicKey));
    for (const [position, index] of round.placement.entries()) {
      expect(points[index]).toEqual({ ok: true, point: verifiers.keys[0]![position] });
      const bits = new Uint8Array(2);
      bits[position >> 3]! |= 1 << (position & 7);
      const expected = new Uint8Array(2);
      expected[index >> 3]! |= 1 << (index & 7);
      expect(round.inRegistryOrder(bits)).toEqual(expected);
      expect(round.positions[index]).toBe(position);
    }
    expect(round.inRegistryOrder(Uint8Array.of(0xff, 0x07))).toEqual(Uint8Array.of(0xff, 0x07));
  });

  it('signs in the requested form, compressed by default', () => {
    expect(counted().group.enter(plan).scheme.signatureBytes).toBe(96);
    expect(counted(entries, 'uncompressed').group.enter(plan).scheme.signatureBytes).toBe(192);
  });

  it('refuses an entry with an invalid key', () => {
    const bad = entries.with(3, { ...entries[3]!, publicKey: new Uint8Array(48) });
    expect(() => counted(bad)).toThrow(/^entry 3: expected a valid publicKey, got /);
  });
});
