import { type Contribution, noContribution, type Port } from '@tutti/core';
import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, optionRefusalsOf, outcomeOf } from '../../../../tests/digests.ts';
import { defaultSetupConfig, validateSetupConfig } from './config.ts';
import { HandleStore } from './handleStore.ts';
import { Inbox } from './inbox.ts';
import { nobody } from './nobody.ts';
import { SetupMessage, SetupNode } from './node.ts';
import { PlainRegistrations } from './plainScheme.ts';
import { Roll } from './roll.ts';

function drawRegistration(draw: Draw, scheme: PlainRegistrations): Contribution {
  const author = draw.integer(0, scheme.members - 1);
  const text = draw.chance(0.8) ? author : author + 10 * draw.integer(1, 2);
  return scheme.registration({ author, text, copy: draw.chance(0.9) ? 0 : 1, valid: draw.chance(0.85) });
}

/** One node of a set-up, told whatever is drawn, at any time. */
function playNode(draw: Draw, seed: number): unknown {
  const members = draw.integer(1, 7);
  const scheme = new PlainRegistrations(members, draw.chance(0.5));
  const id = draw.integer(0, members - 1);
  const config = {
    ...{ periodMs: 10, collectMs: draw.one([100, 300]), relayMs: draw.one([0, 100]), contacts: draw.integer(1, 4) },
    ...{ retryPeriods: draw.integer(1, 5), burst: draw.integer(1, 4), mostAnonymous: draw.integer(1, 4) },
  };
  const told: unknown[] = [];
  const tickets: Contribution[] = [];
  const timers: { atUs: number; timer: number }[] = [];
  let next = 1;
  let nowUs = 5000;
  const said = (handle: Contribution) => outcomeOf(() => scheme.name(handle)) ?? '';
  const port: Port = {
    nowUs: () => nowUs,
    send: (to, level, handle, beside, flags) =>
      told.push([
        'send',
        to,
        level,
        level === SetupMessage.list ? [...scheme.names(handle)] : said(handle),
        beside,
        flags,
      ]),
    setTimer: (delayUs, timer) => {
      told.push(['timer', delayUs, timer]);
      timers.push({ atUs: nowUs + delayUs, timer });
    },
    verify: (registration) => {
      told.push(['verify', said(registration)]);
      tickets.push(registration);
      return next++;
    },
    output: (registration) => told.push(['output', said(registration)]),
    refuse: (...refused) => told.push(['refuse', refused]),
    trace: () => {},
  };
  const own = [scheme.registration({ author: id, text: id })];
  if (seed % 5 === 0) own.push(scheme.registration({ author: id, text: id + 10 }));
  const node = new SetupNode({ id, scheme, config, own, port, random: (bound) => draw.integer(0, bound - 1) });
  let verified = 0;
  const started = draw.integer(0, 4);
  for (let step = 0; step < 90; step++) {
    if (step === started) node.start();
    const what = draw.integer(0, 9);
    if (what < 3 && timers.length > 0) {
      timers.sort((a, b) => a.atUs - b.atUs);
      const { atUs, timer } = timers.shift()!;
      nowUs = Math.max(nowUs, atUs);
      node.onTimer(timer);
    } else if (what < 5 && verified < tickets.length) {
      node.onVerified(verified + 1, scheme.isValid(tickets[verified++]!));
    } else {
      const level = draw.chance(0.05) ? draw.integer(0, 9) : draw.integer(1, 3);
      const names = draw.some([...node.roll.accepted.map(said), '7/7/0/true'] as string[], 0.9);
      const handle = level === SetupMessage.list ? scheme.list(names) : drawRegistration(draw, scheme);
      const from = level === SetupMessage.register && draw.chance(0.9) ? nobody : draw.integer(-1, members);
      const flags = draw.chance(0.7) ? 0 : draw.integer(0, 4);
      node.onMessage(from, level, handle, draw.chance(0.97) ? noContribution : handle, flags);
      scheme.release(handle);
    }
    told.push([
      node.ended,
      node.agreeing,
      node.refused,
      node.roll.authors,
      node.roll.standing,
      node.roll.doubles.length,
    ]);
  }
  return [told, scheme.held];
}

it('members of a set-up, told anything, do what they did, and keep as much', () => {
  expect(drawn(80, (draw, seed) => digestOf(outcomeOf(() => playNode(draw, seed))))).toMatchSnapshot();
});

it('rolls, inboxes and stores are what they were', () => {
  const pins = drawn(60, (draw) => {
    const scheme = new PlainRegistrations(6, draw.chance(0.5));
    const [roll, store] = [new Roll(scheme), new HandleStore<number>()];
    const bounds = { anonymous: draw.integer(1, 3), relayed: draw.integer(1, 3) };
    const inbox = new Inbox(scheme, bounds, (bound) => draw.integer(0, bound - 1));
    return draw.list(40, () => {
      const one = drawRegistration(draw, scheme);
      const name = scheme.name(one);
      const from = draw.chance(0.4) ? nobody : draw.integer(0, 2);
      const had = inbox.has(name, from);
      const put = had ? undefined : inbox.put(name, one, from);
      if (draw.chance(0.1)) inbox.forget(draw.integer(0, 2));
      const taken = draw.chance(0.3) ? inbox.take() : undefined;
      const settled = roll.isSettled(one);
      const enrolled = scheme.isValid(one) && roll.find(name) === noContribution ? roll.enrol(one) : undefined;
      scheme.release(one);
      const handle = store.add(draw.integer(0, 9));
      if (draw.chance(0.5)) store.retain(handle);
      store.release(handle);
      const names = roll.names;
      return [
        [had, put, taken && [scheme.name(taken.registration), taken.from], [...inbox.relayed], inbox.isEmpty],
        [
          settled,
          enrolled,
          names,
          names.map((of) => roll.behind(of).length),
          roll.authors,
          roll.standing,
          roll.doubles,
        ],
        [roll.accepted, handle, store.size, outcomeOf(() => store.get(handle)), scheme.held],
      ];
    });
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "8ccc90a64c5a",
      "d7a98bf74a07",
      "297eec0c831f",
      "cc5e200541fe",
      "c7b724681d2b",
      "cc2637a1fc44",
      "39ebfff36a15",
      "84ff8c43c725",
      "069939b530b7",
      "51c78a67f20d",
      "fc750fb5cef1",
      "8df721ee108e",
      "51f337b3c5c0",
      "6c865598c7bd",
      "8ef1a430b907",
      "90d0d49bdb55",
      "f70336e8e47c",
      "30af71aae8d9",
      "4071b6320934",
      "9e4c62d93b15",
      "2f26a85609e5",
      "13704ea74c1b",
      "ea2af21c07ef",
      "b999bc536810",
      "b1f09eda0b2b",
      "a0fca19cf99c",
      "2be56f69b2fd",
      "947fdf0afbcc",
      "66668b96cfe1",
      "9227df2c8385",
      "6c8c70a61fe0",
      "537ab4e0a7e2",
      "f5d59baf3f26",
      "22093dc114f4",
      "606b3c9cfc18",
      "fa5d7694406d",
      "d931dd42cf7f",
      "5da5f9d700ab",
      "c97298a83c2d",
      "3a254ad3ce88",
      "b0a57ce012f6",
      "261113627c54",
      "cdb616d29a87",
      "3d3f262fc01d",
      "7d6794cb93dd",
      "081339185429",
      "3538283519c4",
      "351112adac09",
      "7d1831482e7d",
      "d99aee903c01",
      "4d8c32e89387",
      "dbec26bf3db6",
      "b1e686640cfb",
      "89ab50be3d09",
      "5c8ee05e1928",
      "9d935cab7614",
      "dfdc3789df36",
      "b28ac0462183",
      "041f669f93a9",
      "7d3ec8542ec3",
    ]
  `);
});

it('every setting is refused with the words it was', () => {
  const values = [
    -1,
    0,
    0.5,
    0.999,
    1,
    1.5,
    2 ** 16,
    2 ** 16 + 1,
    2 ** 20,
    2 ** 20 + 1,
    3_600_000,
    3_600_001,
    86_400_000,
    86_400_001,
    'x',
    undefined,
  ];
  const pins = Object.keys(defaultSetupConfig).map(
    (field) =>
      `${field} ${digestOf(values.map((value) => outcomeOf(() => validateSetupConfig({ ...defaultSetupConfig, [field]: value } as never))))}`,
  );
  expect([digestOf(defaultSetupConfig), ...pins]).toMatchInlineSnapshot(`
    [
      "c1a684d1fd5d",
      "periodMs 533b175aa14b",
      "collectMs a28890d26c0f",
      "relayMs 04e05c763181",
      "contacts 1bb754e2064f",
      "retryPeriods dac2f27f8dc0",
      "burst 0c839eadb1b7",
      "mostAnonymous b0d66e3d555e",
    ]
  `);
});

it('what no member of a set-up can be made of is refused with the words it was', () => {
  const scheme = new PlainRegistrations(3, true);
  const methods = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];
  const port = Object.fromEntries(methods.map((name) => [name, () => 0]));
  const own = [scheme.registration({ author: 0, text: 0 })];
  const options = { id: 0, scheme, config: defaultSetupConfig, own, port, random: () => 0 };
  const words = optionRefusalsOf('SetupNode', (given: never) => new SetupNode(given), options);
  const ids = [0, 2, 3].map((id) => outcomeOf(() => new SetupNode({ ...options, id } as never) && 'taken'));
  expect([words.length, digestOf(words), ids]).toMatchInlineSnapshot(`
    [
      62,
      "043ac0fb308f",
      [
        "taken",
        "taken",
        "RangeError: id: expected an integer from 0 to 2, got 3",
      ],
    ]
  `);
});
