import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../slab.ts';
import { PeerFact, Peers } from './peers.ts';

const facts = Object.values(PeerFact);

function newPeers(slab = new Slab()): Peers {
  const peers = new Peers(slab);
  peers.open(slab.reserve(4));
  return peers;
}

type Model = Map<number, { facts: number; verified: number }>;

const at = (model: Model, id: number) => model.get(id) ?? { facts: 0, verified: 0 };

function expectSame(peers: Peers, model: Model, ids: Iterable<number>): void {
  for (const id of ids) {
    const { facts: known, verified } = at(model, id);
    for (const fact of facts) {
      if (peers.has(id, fact) !== ((known & fact) !== 0)) expect.fail(`peer ${id}, fact ${fact}: ${known}`);
    }
    if (peers.verified(id) !== verified) expect.fail(`peer ${id}: verified ${verified}`);
  }
}

it('Peers stores the same as a map, for any peers in any order, with another node in the same slab', () => {
  const anyId = fc.oneof(
    fc.nat(40),
    fc.nat(2 ** 20 - 1),
    fc.nat(300).map((id) => id * 4096),
    fc.constant(2 ** 20 - 1),
  );
  const step = fc.record({ node: fc.nat(2), id: anyId, what: fc.nat(3), ask: anyId });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
      const slab = new Slab();
      const nodes = [0, 1, 2].map(() => ({ peers: newPeers(slab), model: new Map() as Model }));
      for (const { node, id, what, ask } of steps) {
        const { peers, model } = nodes[node]!;
        const known = at(model, id);
        if (what < 3) {
          peers.add(id, facts[what]!);
          model.set(id, { ...known, facts: known.facts | facts[what]! });
        } else {
          peers.countVerified(id);
          model.set(id, { ...known, verified: known.verified + 1 });
        }
        expectSame(peers, model, [id, ask]);
      }
      for (const { peers, model } of nodes) expectSame(peers, model, [...model.keys(), 0, 1, 2 ** 20 - 1]);
    }),
  );
});

it('v1.0 3.6: Peers counts verifications beyond the capacity of the slot, and leaves the facts next to the count unchanged', () => {
  const peers = newPeers();
  peers.add(3, PeerFact.individualKnown);
  const max = 2 ** 17 - 1;
  for (let count = 1; count <= max + 200; count++) {
    peers.countVerified(3);
    if (peers.verified(3) !== Math.min(max, count)) expect.fail(`verified ${peers.verified(3)} after ${count}`);
  }
  peers.countVerified(4);
  const last = (1 << 20) - 1;
  for (let count = 1; count <= 300; count++) peers.countVerified(last);
  expect([3, 4, 5, last, 0].map((id) => peers.verified(id))).toEqual([max, 1, 0, 300, 0]);
  expect(facts.map((fact) => peers.has(3, fact))).toEqual(facts.map((fact) => fact === PeerFact.individualKnown));
});
