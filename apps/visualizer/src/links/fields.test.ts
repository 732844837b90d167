import { expect, it } from 'vitest';
import {
  choice,
  Fields,
  linkOf,
  moment,
  named,
  number,
  optional,
  parametersOf,
  text,
  whole,
  word,
  words,
} from './fields.ts';

const fields = new Fields({
  nodes: named('n', whole({ min: 8, max: 64 }, 16)),
  share: number({ min: 0, max: 0.5 }, 0, 0.01),
  system: choice(['handel', 'gossip'], 'handel'),
  others: words(['a', 'b', 'c'], ['a'], { min: 1, max: 2 }),
  parts: { ...words(['x', 'y'], [], { min: 0, max: 2 }), name: 'part', repeats: true },
  title: text(8),
  isOpen: named('open', word),
  slot: optional(number({ min: 1, max: 9 }, 4)),
  timeUs: moment,
});

it('a table of fields writes values that differ from the defaults, or all values, and decodes both', () => {
  const values = { ...fields.first, nodes: 64, parts: ['x', 'y'] as const, isOpen: true, timeUs: 1500 };
  expect(fields.write(values)).toBe('n=64&part=x&part=y&open&t=1.5');
  expect(fields.write(values, true)).toBe('n=64&share=0&system=handel&others=a&part=x&part=y&open&t=1.5');
  for (const whole of [false, true])
    expect(fields.read(`#${fields.write(values, whole)}`)).toEqual({ values, notices: [] });
});

it.each([
  ['n=7', { nodes: 8 }, 'n: expected an integer from 8 to 64, got "7"; 8 is used'],
  ['n=8.5', { nodes: 9 }, 'n: expected an integer from 8 to 64, got "8.5"; 9 is used'],
  ['n=many', {}, 'n: expected an integer from 8 to 64, got "many"; 16 is used'],
  ['share=', {}, 'share: expected a number from 0 to 0.5, got ""; 0 is used'],
  ['system=horn', {}, 'system: expected handel or gossip, got "horn"; handel is used'],
  ['others=b,z', { others: ['b'] }, 'others: expected 1 to 2 of a, b, c, got "b,z"; b is used'],
  ['others=a,b,c', {}, 'others: expected 1 to 2 of a, b, c, got "a,b,c"; a is used'],
  [
    'title=too+long+a+title',
    {},
    'title: expected up to 8 characters without control characters, got "too long a title"; it is left out',
  ],
  ['title=a%0Ab', {}, 'title: expected up to 8 characters without control characters, got "a\nb"; it is left out'],
  ['slot=x', {}, 'slot: expected a number from 1 to 9, got "x"; it is left out'],
  ['t=soon', {}, 't: expected a time from 0 to 2147482.648 ms, got "soon"; it is left out'],
  ['colour=red', {}, 'colour: there is no setting with this name; it is ignored'],
])('a table of fields replaces refused values, and reports it: %s', (link, changes, notice) => {
  expect(fields.read(link)).toEqual({ values: { ...fields.first, ...changes }, notices: [notice] });
});

it('a table of fields uses the first of two texts, and leaves unknown names to other tables', () => {
  expect(fields.read('n=8&n=9&model=network', ['model'])).toEqual({
    values: { ...fields.first, nodes: 8 },
    notices: [],
  });
});

it('linkOf escapes only reserved characters', () => {
  const parameters = [
    ['attack', 'late:0.2,x/y'],
    ['title', 'a & b = c'],
    ['reveal', ''],
  ] as const;
  expect(linkOf(parameters)).toBe('attack=late:0.2,x/y&title=a+%26+b+%3D+c&reveal');
  expect([...parametersOf(`#${linkOf(parameters)}`)]).toEqual(parameters);
});
