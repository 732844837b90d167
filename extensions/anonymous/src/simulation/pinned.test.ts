import { expect, it, vi } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { defaultSetupConfig, PlainRegistrations } from '../setup.ts';
import { hostilities } from './hostile.ts';
import { defaultSetupScenario, type SetupScenario, simulateSetup } from './setup.ts';

const config = { ...defaultSetupConfig, collectMs: 6000, relayMs: 3000 };

it('set-ups of every kind are what they were', () => {
  const pins = drawn(30, (draw, seed) => {
    const nodes = draw.integer(4, 12);
    const scenario: SetupScenario = {
      ...defaultSetupScenario,
      ...{
        nodes,
        network: draw.one(['aws', 'constant:30']),
        way: draw.one(['direct', 'tor']),
        loss: draw.one([0, 0, 0.2]),
      },
      ...{
        cheats: draw.integer(0, 1),
        liars: draw.integer(0, 1),
        hostile: draw.integer(0, 2),
        absent: draw.integer(0, 1),
      },
      ...{
        traceable: draw.chance(0.5),
        registrationBytes: draw.integer(1, 2000),
        verifyMs: draw.number(0, 60),
        seed,
        config,
      },
    };
    const told: unknown[] = [];
    const { scenario: _, ...result } = simulateSetup(scenario, (...progress) => told.push(progress));
    return digestOf([result, told]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "0c2afbc6e061",
      "5a81a4c04e78",
      "f9ede1afe933",
      "5fc827b31167",
      "7d71afc6e243",
      "fed670709a58",
      "30cbbe45f2f9",
      "ce9c58819917",
      "3fc401ce4e78",
      "efe17c6202c3",
      "611d086d5cb6",
      "43031e832931",
      "3bceb55c2c70",
      "90c5e18a1811",
      "41adbd01d4e0",
      "675e191f0a6c",
      "879bef663905",
      "c9b7600cc912",
      "c9fbc35010c8",
      "dff326223077",
      "9164700d7078",
      "c6a94c5dc8c1",
      "126c49f0ab73",
      "98f0e36afba2",
      "96103b787870",
      "8c9ba5c68821",
      "a23e205ed03a",
      "2ee302e1e2e3",
      "695ce03ae68b",
      "b8f8fdeafef0",
    ]
  `);
});

it('what hostile members do is what it was', () => {
  const pins = drawn(60, (draw, seed) =>
    hostilities(
      draw.list(draw.integer(1, 3), (_, index) => index + 1),
      draw.integer(4, 9),
      config,
      seed,
    ),
  );
  expect(digestOf(pins)).toMatchInlineSnapshot(`"554d9a4f4fba"`);
});

it('every field is refused with the words it was', () => {
  const values = [
    -1,
    0,
    0.5,
    0.999,
    0.9999,
    1,
    2,
    3,
    4,
    5,
    1024,
    1025,
    2 ** 20,
    2 ** 20 + 1,
    3_600_000,
    3_600_001,
    'x',
    undefined,
  ];
  const small = { ...defaultSetupScenario, nodes: 4, config };
  const pins = Object.keys(small).flatMap((field) =>
    [small, { ...small, cheats: 1 }, { ...small, cheats: 1, liars: 1, hostile: 1 }].map((of) => {
      // What is taken is not played, as it may be long: a network that there is not is refused last.
      const outcomes = values.map((value) =>
        outcomeOf(() => simulateSetup({ ...of, network: 'nowhere', [field]: value } as never)),
      );
      return `${field} ${digestOf(outcomes)}`;
    }),
  );
  expect(pins).toMatchSnapshot();
});

it('a set-up holds what it held, and lets go of the rest', () => {
  const names = ['registration', 'list', 'retain', 'release'] as const;
  const calls = names.map((name) => vi.spyOn(PlainRegistrations.prototype, name));
  const pins = drawn(6, (draw, seed) => {
    for (const call of calls) call.mockClear();
    const among = { nodes: draw.integer(5, 9), cheats: draw.integer(0, 1), liars: 1, hostile: 2, absent: 1 };
    const lossy = { loss: draw.one([0, 0.2]), registrationBytes: draw.integer(1, 900) };
    simulateSetup({ ...defaultSetupScenario, ...among, ...lossy, seed, config });
    return calls.map(({ mock }) => mock.calls.length);
  });
  for (const call of calls) call.mockRestore();
  expect(pins).toMatchInlineSnapshot(`
    [
      [
        178,
        72,
        1050,
        1218,
      ],
      [
        137,
        90,
        839,
        980,
      ],
      [
        47,
        4,
        55,
        47,
      ],
      [
        103,
        70,
        865,
        980,
      ],
      [
        9,
        1,
        7,
        6,
      ],
      [
        164,
        113,
        1510,
        1672,
      ],
    ]
  `);
});
