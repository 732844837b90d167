import { IndependentPriorities, RandomStream, ShiftedPriorities } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawRun, toldBy } from '../../test/drawnRuns.ts';
import { randomComposition } from '../checks/attackSearch/draw.ts';
import { defaultScenario, protocolNames } from '../scenario/scenario.ts';
import { attacks } from './attacks.ts';
import { compositionText, readComposition } from './composition.ts';
import { byzantineBeforeHonest, firstPlaces, mostVictims } from './firstPlaces.ts';
import { placementText, readPlacement } from './placement.ts';
import { planText, readPlan } from './plan.ts';
import { worstFinds } from './worstFinds.ts';

const attacked = { dead: 0, absent: 0, without: [], weights: 'equal', faults: [] } as const;

it.each(attacks.map(({ name, against }) => [name, against] as const))('%s does what it did', (name, against) => {
  const pins = protocolNames
    .filter((protocol) => against.includes(protocol))
    .flatMap((protocol) =>
      drawn(3, (draw, seed) => {
        const given = { ...attacked, protocol, attacks: [{ name, share: draw.one([0.2, 0.35]) }] };
        const scenario = drawRun(draw, seed, { ...given, nodes: draw.integer(12, 26) });
        const others = { branching: 2, batch: 1, backOff: defaultScenario.backOff } as const;
        return outcomeOf(() =>
          toldBy(protocol === 'handel' ? scenario : { ...scenario, ...others, window: 'relative' }),
        );
      }),
    );
  expect(pins).toMatchSnapshot();
});

it('attacks that are composed do what they did', () => {
  const plans = [
    ...worstFinds.map(({ plan }) => plan),
    'borrowed@front/light@always+2mixed@ahead/-/invalid@20~7',
    '2x1of4+1of8~7.3:3light@50~11/borrowed@ahead',
  ];
  const pins = plans.map((plan, index) =>
    drawn(1, (draw) => {
      const given = { ...attacked, attacks: [{ name: 'across-levels', share: 0.3, plan }] };
      return outcomeOf(() => toldBy(drawRun(draw, index + 1, { ...given, nodes: draw.integer(16, 32) })));
    }).join(),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "f690b8a3e5d7",
      "8053e596bf7c",
      "1d8cfbdb3749",
      "49f5a8dad570",
      "37f7e19b9b94",
      "e6098800f40e",
      "0919dd1f91e1",
      "87038df8629d",
      "ededb91ed993",
      "aec740aef4bf",
      "0535ec1e3b1c",
      "e18d92efd38d",
    ]
  `);
});

it('attacks that are composed by a draw do what they did, with windows and without', () => {
  const pins = drawn(24, (draw, seed) => {
    const plan = compositionText(randomComposition(new RandomStream(seed, 'pinned')));
    const given = { ...attacked, attacks: [{ name: 'across-levels', share: 0.3, plan }], verifyMs: draw.one([4, 20]) };
    const without = draw.one([[], [], ['window'], ['score']] as const);
    const scenario = drawRun(draw, seed, { ...given, without, nodes: draw.integer(12, 24) });
    return outcomeOf(() => toldBy(scenario, { giveUpAfterMs: 800 }));
  });
  expect(pins).toMatchSnapshot();
});

it('attacks on nodes that weigh differently do what they did', () => {
  const against = attacks.filter(({ against }) => against.includes('handel'));
  const pins = against.map(({ name }, index) =>
    drawn(2, (draw, seed) => {
      const given = { ...attacked, weights: draw.one(['pareto:1.2', '10x10,2x70']), attacks: [{ name, share: 0.25 }] };
      const scenario = drawRun(draw, 10 * index + seed, { ...given, nodes: 12 });
      return outcomeOf(() => toldBy(scenario, { giveUpAfterMs: 800 }));
    }).join(' '),
  );
  expect(pins).toMatchSnapshot();
});

it('plans are read and written as they were, and refused with the same words', () => {
  const texts = [
    ...['', '-', '-/-', 'light@0', 'light@', '3light@60000', 'light@60001', 'light@1~60001', 'mixed@0.125~3.5'],
    ...['invalid@front+light@always', 'invalid@back', 'heavy@0', '1light@0+2light@0+3light@0+4light@0'],
    ...[
      '1light@0+2light@0+3light@0+4light@0+5light@0',
      `-${'/-'.repeat(19)}`,
      `-${'/-'.repeat(20)}`,
      '12345678light@0',
    ],
    ...['1of16', '0of2', '2x1of32+1of8~7', '3of2', '1of3', '1of1048576', '1of2097152', '0x1of2', '1048576x1of2'],
    ...['1048577x1of2', '1of2~', '1of2~1.2.3', `1of2${'+1of2'.repeat(7)}`, `1of2${'+1of2'.repeat(8)}`, '1of2:-:-'],
    ...[`1of2~1${'.1'.repeat(63)}`, `1of2~1${'.1'.repeat(64)}`, '1of2:light@0', 'x:light@0', '1of2:x'],
  ];
  const pins = texts.map((text) => {
    const plan = outcomeOf(() => planText(readPlan(text)));
    const placement = outcomeOf(() => placementText(readPlacement(text)));
    return `${digestOf([plan, placement, outcomeOf(() => compositionText(readComposition(text, 'it')))])} ${text}`;
  });
  expect(pins).toMatchSnapshot();
});

it('who ranks first, and what chosen ids are worth, is what it was', () => {
  const pins = drawn(16, (draw, seed) => {
    const nodes = draw.integer(2, 80);
    const priorities = new (draw.one([ShiftedPriorities, IndependentPriorities]))(nodes, seed);
    const [attackers, places] = [draw.integer(0, nodes), draw.integer(0, Math.min(nodes, 5))];
    const ids = draw.some(
      draw.list(nodes, (_, id) => id),
      0.7,
    );
    const isByzantine = (id: number) => id % draw.one([2, 3]) === 0;
    return [
      byzantineBeforeHonest(priorities, nodes, draw.integer(0, nodes - 1), isByzantine),
      mostVictims(priorities, nodes, attackers, places),
      firstPlaces.choose!(ids, attackers, { priorities } as never),
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"261860bd7c28"`);
});
