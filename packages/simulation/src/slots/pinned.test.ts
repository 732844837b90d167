import { defaultHornParameters, hornSystems } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf, ownOutcomes, spoiltOf } from '../../../../tests/digests.ts';
import { hornAttacks } from '../horn/attacks.ts';
import { createSlot, slotModes } from './slot.ts';
import { votesOverTime } from './slotRecording.ts';
import { checkSlotScenario, defaultSlotScenario, type SlotScenario } from './slotScenario.ts';
import { slotSteps } from './slotSteps.ts';
import { DelayTally, PaceTally } from './tally.ts';

/** A slot of some hundred validators with any of its fields other than by default. */
function drawSlot(draw: Draw, seed: number): SlotScenario {
  const [committees, subcommittees] = [draw.integer(1, 3), draw.integer(1, 4)];
  const names = draw
    .some(
      hornAttacks.map(({ name }) => name),
      0.3,
    )
    .slice(0, 2);
  return {
    ...defaultSlotScenario,
    system: draw.one(hornSystems),
    parameters: {
      ...defaultHornParameters,
      ...{ committees, subcommittees, validators: committees * subcommittees * draw.integer(8, 20) },
      ...{ aggregators: draw.integer(1, 5), collectors: draw.integer(1, 4), slotSeconds: draw.one([12, 2]) },
      ...{ rounds: draw.one([3, 5]), addedSeconds: draw.one([10, 1]) },
    },
    degree: draw.integer(3, 8),
    network: draw.one(['aws', 'constant:60', 'distance']),
    tor: draw.one([0, 0.2]),
    dead: draw.one([0, 0.2]),
    attacks: names.map((name) => ({ name, share: 0.15 })),
    desyncMs: draw.one([0, 700]),
    threshold: draw.one([0.99, 0.6, 3]),
    verifyMs: draw.one([1, 6]),
    keySums: draw.one(['naive', 'subtracting']),
    seed,
  };
}

it.each(slotModes)('slots played as %s are what they were, and all that is recorded of them', (mode) => {
  const pins = drawn(mode === 'messages' ? 6 : 2, (draw, seed) =>
    outcomeOf(() => {
      const slot = createSlot(drawSlot(draw, seed), { mode, observers: draw.one([4, 16]) });
      let steps = 0;
      while (slot.advance(40)) steps++;
      const { version: _, ...result } = slot.result() as unknown as Record<string, unknown>;
      const recording = slot.recording();
      const { result: __, ...columns } = recording;
      const brief = slotSteps(recording, 97_000, draw.integer(1, 60));
      const over = [recording.castUs, recording.reachUs].map((of) =>
        votesOverTime(recording, of, 0, 50_000, 2_000_000),
      );
      return digestOf([steps, result, columns, brief, over]);
    }),
  );
  expect(pins).toMatchSnapshot();
});

it('every field is refused with the words it was', () => {
  const values = [
    -1,
    0,
    0.001,
    0.5,
    1,
    2,
    3,
    64,
    65,
    1024,
    1025,
    60_000,
    60_001,
    600_000,
    600_001,
    1e6,
    1e6 + 1,
    2 ** 32,
    'x',
    undefined,
  ];
  const fields = Object.keys(defaultSlotScenario).map((field) => {
    const outcomes = values.map((value) =>
      outcomeOf(() => checkSlotScenario({ ...defaultSlotScenario, [field]: value })),
    );
    return `${field} ${digestOf(outcomes)}`;
  });
  const parameters = Object.keys(defaultHornParameters).map((field) => {
    const of = (value: unknown) => ({
      ...defaultSlotScenario,
      parameters: { ...defaultHornParameters, [field]: value },
    });
    return `${field} ${digestOf(values.map((value) => outcomeOf(() => checkSlotScenario(of(value) as SlotScenario))))}`;
  });
  expect([...fields, ...parameters]).toMatchSnapshot();
  expect(outcomeOf(() => createSlot(defaultSlotScenario, { mode: 'x' as never }))).toMatchSnapshot();
});

it('tallies are what they were', () => {
  const pins = drawn(30, (draw) => {
    const [delays, pace] = [new DelayTally(), new PaceTally()];
    for (const us of draw.list(draw.integer(0, 300), () => draw.integer(0, draw.one([100, 1e6, 3e7])))) {
      delays.add(us);
      pace.add(us);
    }
    return [delays, [0, 1, 50, 95, 99.5, 100].map((percent) => delays.percentileMs(percent)), pace];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"d14cb2967a46"`);
});

it('a scenario with any field of another kind, at any depth, is refused with the words it was', () => {
  const whole = { ...defaultSlotScenario, attacks: [{ name: 'griefing', share: 0.2 }] };
  const ours = ownOutcomes(spoiltOf(whole).map((one) => outcomeOf(() => checkSlotScenario(one as never))));
  expect([ours.length, digestOf(ours)]).toMatchInlineSnapshot(`
    [
      401,
      "b13200059a84",
    ]
  `);
});

it('a slot that was made is at its beginning', () => {
  const parameters = { ...defaultHornParameters, committees: 1, subcommittees: 1, validators: 16 };
  expect(createSlot({ ...defaultSlotScenario, parameters }).progress).toBe(0);
});
