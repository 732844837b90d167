import {
  type AnyRange,
  durations,
  factors,
  integers,
  likeliest,
  listOf,
  microseconds,
  oneOf,
  onOff,
  partialShares,
  shares,
} from '@tutti/core/internal';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import {
  badChoice,
  badText,
  choiceText,
  durationText,
  integerText,
  numberText,
  plainDecimal,
  rangeForm,
  readerOf,
  textsIn,
} from './fieldText.ts';

const texts = [
  ...[
    '',
    '0',
    '1',
    '7',
    '8',
    '9',
    '10',
    '0.5',
    '.5',
    '5.',
    '1.0',
    '0.999999999',
    '00',
    '-0',
    '-1',
    '+1',
    '1e2',
    '12e3',
  ],
  ...['1234e1', '1e100', '999999999999999', '1234567890123456', '1e-3', '1,5', '0x10', '1_0', ' 1', '1 ', 'on', 'off'],
  ...['On', 'one', 'two', 'three', 'tow', 'thre', '600000', '600000.5', '600001', '0.0001', '2', 'NaN', 'Infinity'],
];
const words = ['one', 'two', 'three', 'twofold'];
const ranges = {
  integers: integers(1, 9),
  durations: durations(0.5, 600),
  microseconds: microseconds(0, 8),
  factors: factors(1, 10),
  shares,
  partialShares,
  onOff,
  choice: oneOf(words),
  numbers: oneOf([1, 2, 8]),
  list: listOf<number>(integers(0, 7)),
};

it.each(Object.entries(ranges))('texts of %s are read and refused as they were', (_, range) => {
  const read = texts.map((text) => outcomeOf(() => readerOf(range as never)('it', text)));
  const written = [0, 0.5, 1e-7, 123.25, 7].map((value) => outcomeOf(() => textsIn(range as never, value as never)));
  expect([rangeForm(range as unknown as AnyRange), digestOf(read), digestOf(written)]).toMatchSnapshot();
});

it('numbers are read and written as they were', () => {
  const read = texts.flatMap((text) =>
    [integerText(0, 10), integerText(1, 1e15), durationText(), durationText(1)].map((of) =>
      outcomeOf(() => of('it', text)),
    ),
  );
  const written = drawn(200, (draw) => plainDecimal(draw.number(0, 1) * 10 ** draw.integer(-12, 14)));
  const others = [0, 1e-7, 1.5e-7, 1e-6, 1.25e-10, 5e-324, 1e20].map(plainDecimal);
  expect([digestOf(read), digestOf(written), others]).toMatchInlineSnapshot(`
    [
      "09617ab6b760",
      "7f383c0f6f5c",
      [
        "0",
        "0.0000001",
        "0.00000015",
        "0.000001",
        "0.000000000125",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005",
        "100000000000000000000",
      ],
    ]
  `);
});

it('the word that is likeliest meant is what it was', () => {
  const spoilt = (word: string) => [
    ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
    ...Array.from(word, (_, at) => `${word.slice(0, at)}x${word.slice(at)}`),
    ...Array.from(word, (_, at) => word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2)),
    ...Array.from(word, (_, at) => word.slice(0, at)),
    ...[`${word}xx`, `xx${word}`, `${word}xxx`, word.toUpperCase(), word.split('').reverse().join('')],
  ];
  const names = ['across-levels', 'aws', 'aws-blocks', 'cities', 'cities-by-distance', 'constant', 'mixed', 'no'];
  const pins = names.map((name) => `${name} ${digestOf(spoilt(name).map((text) => [text, likeliest(text, names)]))}`);
  expect(pins).toMatchInlineSnapshot(`
    [
      "across-levels 6198a3039bba",
      "aws 48cba70ece9a",
      "aws-blocks eca8ec2fbd75",
      "cities d1961eb10a62",
      "cities-by-distance 27cf378d4076",
      "constant eda9c9b5710f",
      "mixed bee6a82a8bb9",
      "no 1401df5c2bec",
    ]
  `);
  expect(['tow', 'two', 'xyz'].map((text) => badChoice('it', words, text, 'a word').message)).toMatchInlineSnapshot(`
    [
      "it: expected a word, got "tow" (Did you mean two?)",
      "it: expected a word, got "two"",
      "it: expected a word, got "xyz"",
    ]
  `);
});

it('arguments of another kind are refused with the words they were', () => {
  const refused = refusalsOf({
    badText: [badText, 'it', 'a word', 'x'],
    badChoice: [badChoice, 'it', words, 'x'],
    choiceText: [choiceText, words],
    integerText: [integerText, 0, 9],
    numberText: [numberText, '0 to 9', (value: number) => value < 9],
    durationText: [durationText, 0],
    readerOf: [readerOf, shares],
    rangeForm: [rangeForm, shares],
    likeliest: [likeliest, 'x', words],
  });
  expect([refused.length, digestOf(refused)]).toMatchInlineSnapshot(`
    [
      46,
      "350682c92b73",
    ]
  `);
});

it('a range without texts of its own is refused where texts are asked for', () => {
  const own = { kind: 'own', validate() {} } as const;
  const calls = [{}, { read: () => 1 }, { write: () => '' }].flatMap((more) => [
    () => readerOf({ ...own, ...more })('it', 'x'),
    () => textsIn({ ...own, ...more }, 1 as never),
  ]);
  for (const call of calls) expect(call).toThrow('range: expected one with texts, got an object');
});
