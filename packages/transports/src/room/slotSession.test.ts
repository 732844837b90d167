import { hornSizes, neverUs } from '@tutti/core/horn';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { rethrow } from '../../test/compliance.ts';
import { votersOf, wrongSignature } from '../../test/hornNodes.ts';
import { VirtualClock } from '../../test/virtualClock.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { SharedTransport } from '../rounds/sharedTransport.ts';
import { noPackets, type PacketListener, type Transport } from '../transport/transport.ts';
import { decodeCard, makeIdentity } from './card.ts';
import { slotRegistry } from './roomState.ts';
import { type RoomBlock, type SlotAttack, SlotSession } from './slotSession.ts';

const bls = await loadBls();
const people = Array.from({ length: 3 }, (_, at) =>
  makeIdentity(nodeCrypto, bls, { label: `person ${at}`, mayLead: true }),
).sort((a, b) => (a.name < b.name ? -1 : 1));

const cards = people.map(({ card }) => decodeCard(card)!);

/** Named transports in one process. Their packet counts show whether any packet is in transit. */
class Names {
  packets = 0;
  readonly #listeners = new Map<string, PacketListener>();

  open(name: string): Transport {
    return {
      local: { host: name, port: 0 },
      maxPacketBytes: 1200,
      counters: noPackets(),
      send: ({ host }, bytes) => {
        this.packets++;
        const copy = bytes.slice();
        setImmediate(() => this.#listeners.get(host)?.(copy, { host: name, port: 0 }));
      },
      onPacket: (listener) => this.#listeners.set(name, listener),
      close: async () => void this.#listeners.delete(name),
    };
  }
}

async function vote(
  leaver?: { readonly name: string; readonly atUs: number },
  attackOf?: (name: string) => SlotAttack | undefined,
) {
  const [names, clock] = [new Names(), new VirtualClock()];
  const slot = slotRegistry(cards, 1000);
  const all = people.map((identity) => {
    const [blocks, refused, invalid]: [RoomBlock[], string[], Set<string>] = [[], [], new Set()];
    const session = new SlotSession({
      round: {
        ...{ number: 3, message: 'größer', share: 1, beacon: '7'.repeat(64), slot },
        ...{ entries: people.map(({ entry }) => entry), threshold: slot.validators.length },
      },
      ...{ identity, crypto: nodeCrypto, kernel: bls, openVerifier: undefined, clock },
      attack: attackOf?.(identity.name),
      transport: new SharedTransport(names.open(identity.name)),
      onProgress() {},
      onBlock: (block) => blocks.push(block),
      onRefused: (member, code) => refused.push(`${code} ${member}`),
      onInvalid: (member) => invalid.add(member),
      onFailure: rethrow,
    });
    return { name: identity.name, session, blocks, refused, invalid };
  });
  for (const { name, session } of all) {
    session.start();
    if (name === leaver?.name) clock.at(leaver.atUs, () => void session.close());
  }
  const present = all.filter(({ name }) => name !== leaver?.name);
  let before = -1;
  await clock.run(() => {
    const checked = present.reduce((sum, { session }) => sum + session.progress().checked, names.packets);
    const isQuiet = checked === before;
    before = checked;
    return isQuiet;
  });
  for (const { session } of all) await session.close();
  return present;
}

const placesOf = ({ block, message, publicKeys }: RoomBlock) =>
  votersOf(block.collections, message, (place) => publicKeys[place]!);

describe('slotRegistry', () => {
  it.each([
    [1, 8, 1, 2, 4],
    [2, 16, 1, 2, 8],
    [5, 32, 1, 2, 16],
    [8, 64, 2, 2, 16],
    [128, 1024, 8, 8, 16],
  ])('%i members have %i validators, in %i committees of %i subcommittees of %i', (members, ...sizes) => {
    const { parameters, validators } = slotRegistry(Array(members).fill(cards[0]!), 2000);
    const { subcommittee } = hornSizes(parameters);
    expect([validators.length, parameters.committees, parameters.subcommittees, subcommittee]).toEqual(sizes);
  });
});

describe('SlotSession', () => {
  it('every member has every vote in its block and the time of its arrival', async () => {
    for (const { name, session, blocks, refused, invalid } of await vote()) {
      expect([blocks.length, refused, invalid.size]).toEqual([1, [], 0]);
      const [block] = blocks as [RoomBlock];
      expect(new TextDecoder().decode(block.message)).toBe('Slot 3: größer');
      expect([placesOf(block).size, block.block.votes, block.reachedMs]).toEqual([16, 16, 3000]);
      const { castUs, seenUs, reachUs } = session.slot.votes;
      for (const place of castUs.keys()) {
        expect(castUs[place]).toBeLessThanOrEqual(seenUs[place]!);
        expect(seenUs[place]).toBeLessThanOrEqual(reachUs[place]!);
      }
      expect(session.slot.places.map((place) => session.assignment[place])).toEqual(
        Array(session.slot.places.length).fill(name),
      );
      expect(session.progress()).toMatchObject({ round: 3, weight: 16, levels: Array(3).fill([16, 16]) });
    }
  });

  it.each([
    ['before it votes costs its own votes alone', 500_000, false],
    ['after it has voted costs none', 1_500_000, true],
  ])('a member that leaves %s', async (_, atUs, voted) => {
    const { name } = people[0]!;
    for (const { session, blocks } of await vote({ name, atUs })) {
      const voters = placesOf(blocks[0]!);
      const { castUs } = session.slot.votes;
      for (const [place, host] of session.assignment.entries()) {
        expect(voters.has(place)).toBe(voted || host !== name);
        expect(castUs[place] === neverUs).toBe(!voters.has(place));
      }
      // The threshold requires all votes.
      expect(blocks[0]!.reachedMs).toBe(voted ? 3000 : null);
    }
  });

  it('a member that sends invalid messages is named and refused, and loses only its own votes', async () => {
    const byzantine = people[2]!.name;
    const falsify = wrongSignature(bls);
    const all = await vote(undefined, (name) => (name === byzantine ? () => ({ falsify }) : undefined));
    for (const { name, session, blocks, invalid, refused } of all) {
      if (name === byzantine) continue;
      expect([...invalid]).toEqual([byzantine]);
      for (const code of refused) expect(code).toBe(`blacklisted ${byzantine}`);
      expect(placesOf(blocks[0]!).size).toBe(session.assignment.filter((one) => one !== byzantine).length);
    }
  });
});
