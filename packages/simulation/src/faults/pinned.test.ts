import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { drawFault, drawRun, toldBy } from '../../test/drawnRuns.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { faultKinds } from '../scenario/validateFaults.ts';
import { generateFaults } from './generate.ts';
import { faultsByNode } from './nodeFaults.ts';
import { idsIn, named } from './nodeSets.ts';

it('runs under every kind of fault are what they were', () => {
  const pins = drawn(24, (draw, seed) => {
    const scenario = drawRun(draw, seed, { dead: 0, without: [], authenticated: draw.chance(0.6) });
    const faults = draw.list(draw.integer(1, 4), () => drawFault(draw, scenario.nodes));
    return outcomeOf(() => toldBy({ ...scenario, faults }));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "bdfc9a35bd48",
      "9e93bd58f00a",
      "d69e70e69d57",
      "710b1d0e044e",
      "fac512223587",
      "d24375bbc8d6",
      "5a91f5f3f273",
      "addb4e0b45d4",
      "05befa7babb8",
      "6d145b73188f",
      "9579314a1ccc",
      "4c3aba7795af",
      "365d59356856",
      "cfec18301acb",
      "b0df67a8b57b",
      "22ab9339adf5",
      "d848259639e9",
      "f2f8f4cc2380",
      "6fb9fb3ed4c3",
      "50036b97345d",
      "c240ee6b7541",
      "3df13087492d",
      "79d6d0455bb5",
      "ad27f29ff38a",
    ]
  `);
});

const crashed = (faults: readonly Fault[], nodes: number, seed: number) =>
  new Set(
    named(faults).flatMap(({ fault, purpose }) =>
      fault.kind === 'crash' ? idsIn(fault.nodes, nodes, seed, purpose) : [],
    ),
  );

it('plans that are drawn are what they were, and so is what they do to each node', () => {
  const pins = drawn(40, (draw, seed) => {
    const [nodes, dead] = [draw.integer(4, 40), draw.one([0, 0.3])];
    const attacks = draw.chance(0.3) ? [{ name: 'silent', share: 0.25 }] : [];
    const options = { seed, healedByMs: draw.integer(2, 3000), most: draw.integer(1, 12) };
    const faults = generateFaults({ nodes, dead, attacks, authenticated: draw.chance(0.7) }, options);
    const hand = draw.list(4, () => drawFault(draw, nodes));
    return [faults, ...[faults, hand].map((plan) => [faultsByNode(plan, nodes, seed), crashed(plan, nodes, seed)])];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "19f640b3cb07",
      "c03dd909bb67",
      "24bd257b093e",
      "512e880c4fdd",
      "bfa813d7913c",
      "95ee7ce419ea",
      "78537e49c214",
      "e74347b021a5",
      "dff45df4ee72",
      "9c7b011b8fde",
      "f612c30eadb1",
      "f9c2b16008a8",
      "a03ead972c3b",
      "3f4ba26aecd3",
      "92528ea99581",
      "9c7a9be3d944",
      "ec4b14ddd877",
      "dfaa5f418515",
      "61f57bfcd605",
      "fa0c911e0e30",
      "65b752516682",
      "408054e35fc2",
      "4240200bd73b",
      "73298d954d96",
      "0642c86ecf4d",
      "aca0787a8c08",
      "310768f64471",
      "8f575a286bb9",
      "9f22bd3c82d5",
      "5994e8464ad9",
      "b815f675ea55",
      "b5993789a612",
      "a271977f70ac",
      "8c51bfd3e886",
      "42a6dc1de765",
      "1f17c5f00ed3",
      "962b8e57a935",
      "6a74403f1b3c",
      "1b2911eb8df4",
      "2494f8ccb359",
    ]
  `);
});

it('nodes that lose their state while they verify, or are slow or paused then, do what they did', () => {
  const pins = drawn(12, (draw, seed) => {
    const scenario = drawRun(draw, seed, { dead: 0, without: [], verifyMs: draw.one([20, 60]) });
    const nodes = { share: draw.number(0.3, 0.7) };
    const faults = draw.list<Fault>(2, () => {
      const span = { nodes, atMs: draw.integer(20, 200), forMs: draw.integer(10, 90) };
      return draw.one<Fault>([
        { kind: 'restart', ...span, state: 'lost' },
        { kind: 'restart', ...span, state: 'kept' },
        { kind: 'pause', ...span },
        { kind: 'slow-nodes', ...span, factor: draw.number(1, 9) },
      ]);
    });
    return outcomeOf(() => toldBy({ ...scenario, faults }));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "54fb3271b162",
      "2896fcb8a983",
      "edfec7f9e1b8",
      "8089d7d1df78",
      "d5e63eaf91f4",
      "4190272f08b8",
      "dc9009c9a980",
      "2205bac95a49",
      "5155c6b01384",
      "01903680560a",
      "60a5563be6b6",
      "4794f635f917",
    ]
  `);
});

it('plans are drawn of some kinds, or of none that a run can have, as they were', () => {
  const [nodes, healedByMs] = [9, 500];
  const pins = drawn(20, (draw, seed) => {
    const kinds = draw.some(faultKinds, 0.3);
    const attacks = draw.chance(0.5) ? [{ name: 'silent', share: 0.9 }] : [];
    return generateFaults({ nodes, dead: 0, attacks, authenticated: draw.chance(0.5) }, { seed, healedByMs, kinds });
  });
  const refused = [
    [{ healedByMs: 1 }, { healedByMs: 2 }, { healedByMs, most: 0 }, { healedByMs, most: 1e6 }].map((options) =>
      outcomeOf(() => generateFaults({ nodes, dead: 0, attacks: [], authenticated: true }, { seed: 1, ...options })),
    ),
    refusalsOf({ generateFaults: [generateFaults as never, { nodes, dead: 0, attacks: [], authenticated: true }, {}] }),
  ];
  expect([digestOf(pins), digestOf(refused)]).toMatchInlineSnapshot(`
    [
      "6e55fc5a1c0c",
      "e1ef8a7d54ab",
    ]
  `);
});
