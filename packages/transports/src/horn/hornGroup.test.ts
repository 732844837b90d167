import { defaultHornParameters, HornTopic } from '@tutti/core/horn';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { closing, rethrow } from '../../test/compliance.ts';
import { entryOf } from '../../test/entryOf.ts';
import { AuthorVerifier, maxAuthorsAtOnce } from './authorVerifier.ts';
import { HornGroup, type HornGroupOptions } from './hornGroup.ts';
import { HornSlot, type HornSlotOptions } from './hornSlot.ts';

const kernel = await loadBls();
const entries = [0, 1, 2, 3].map((index) =>
  entryOf(kernel, index, { host: 'memory', port: 1 + (index & 1) }, index & 1),
);
const sizes = { validators: 4, committees: 1, subcommittees: 2, aggregators: 2, collectors: 4, blockCollections: 2 };
const parameters = { ...defaultHornParameters, ...sizes };
const group = (changes: Partial<HornGroupOptions> = {}) =>
  new HornGroup({ kernel, entries, parameters, degree: 2, ...changes });

describe('HornGroup', () => {
  it('finds the validators of each node by its network key', () => {
    const { nodes, nodeOf } = group();
    expect(nodes.map(({ validators }) => validators)).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect([...nodeOf]).toEqual([0, 1, 0, 1]);
  });

  it.each<[what: string, changes: Partial<HornGroupOptions>, message: string]>([
    ['too few entries', { entries: entries.slice(1) }, 'parameters.validators: expected 3, one per entry, got 4'],
    [
      'committees whose messages do not fit into a bundle',
      { parameters: { ...defaultHornParameters, validators: 2 ** 19, committees: 1 } },
      'parameters: expected committees whose messages have at most 65535 bytes, got 65735',
    ],
    [
      'a number of validators that the entries do not have, where messages just fit',
      { parameters: { ...defaultHornParameters, validators: 2 ** 18, committees: 1 } },
      'parameters.validators: expected 4, one per entry, got 262144',
    ],
    [
      'an invalid key',
      { entries: [{ ...entries[0]!, publicKey: new Uint8Array(48) }, ...entries.slice(1)] },
      'entry 0: expected a valid publicKey, got',
    ],
    [
      'a node with two addresses',
      { entries: [...entries.slice(0, 3), { ...entries[3]!, endpoint: { host: 'memory', port: 9 } }] },
      'entry 3: expected the endpoint of entry 1, which has the same networkKey, got a different endpoint',
    ],
  ])('refuses %s', (_, changes, message) => expect(() => group(changes)).toThrow(message));
});

describe('HornSlot', () => {
  const message = Uint8Array.of(1);
  const slot = (options: HornSlotOptions) => new HornSlot(group(), options);

  it('has a different session for each number, message and seed', () => {
    const plans = [
      { number: 1, message, seed: 1 },
      { number: 2, message, seed: 1 },
      { number: 1, message: Uint8Array.of(2), seed: 1 },
      { number: 1, message, seed: 2 },
    ];
    const sessions = plans.map((plan) => slot(plan).session.join());
    expect(new Set(sessions).size).toBe(plans.length);
    expect(slot(plans[0]!).session.join()).toBe(sessions[0]);
  });

  it('repeats a verification that could not be carried out', async () => {
    const verdicts = [Promise.reject(new Error('the worker ended')), Promise.resolve([true])];
    const openVerifier = () => ({ verifyBatch: () => verdicts.shift()!, close: async () => {} });
    const opened = new HornSlot(group({ openVerifier }), { number: 1, message, seed: 1 });
    const vote = opened.scheme.individual(0, sign(0, message));
    const composed = opened.compose({ topic: HornTopic.subnet, author: 0 }, vote, () => new Uint8Array(96));
    await expect(opened.verify(composed)).rejects.toThrow('the worker ended');
    expect(await opened.verify(composed)).toBe(true);
    opened.close();
  });

  it.each<[HornSlotOptions, string]>([
    [{ number: -1, message, seed: 1 }, 'number: expected an integer from 0 to'],
    [{ number: 1, message, seed: 2 ** 32 }, 'seed: expected an integer from 0 to 4294967295, got 4294967296'],
    [{ number: 1, message: new TextEncoder().encode('tutti horn author v1 x'), seed: 1 }, 'must not be signed'],
  ])('refuses %j', (options, text) => expect(() => slot(options)).toThrow(text));
});

const keys = entries.map(({ publicKey }) => publicKey);
const sign = (index: number, message: Uint8Array) => kernel.sign(insecureSecretKey(kernel, 1, index), message);
const statement = (index: number) => Uint8Array.of(9, index);
const open = () => closing(new AuthorVerifier(kernel.pointStore(keys.length + maxAuthorsAtOnce), keys));

it('finds all invalid signatures in more than one batch', async () => {
  const authors = open();
  const count = maxAuthorsAtOnce + 7;
  const verdicts = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const signature = sign(index % 3, statement(index === 5 ? 6 : index));
      return authors.verify(index % 3, statement(index), signature);
    }),
  );
  expect(verdicts).toEqual(Array.from({ length: count }, (_, index) => index !== 5));
});

it('refuses bytes that encode no point, and signatures of another validator', async () => {
  const authors = open();
  const signature = sign(0, statement(1));
  expect(await authors.verify(0, statement(1), signature)).toBe(true);
  expect(await authors.verify(1, statement(1), signature)).toBe(false);
  expect(await authors.verify(0, statement(1), new Uint8Array(96).fill(0xff))).toBe(false);
  expect(await authors.verify(0, statement(1), new Uint8Array(3))).toBe(false);
});

it('rejects the pending verdicts if the store fails, and releases their signatures', async () => {
  const store = Object.assign(kernel.pointStore(keys.length + maxAuthorsAtOnce), {
    verifyEach: () => rethrow(new Error('the kernel trapped')),
  });
  const authors = new AuthorVerifier(store, keys);
  await expect(authors.verify(0, statement(1), sign(0, statement(1)))).rejects.toThrow('the kernel trapped');
  expect(store.size).toBe(keys.length);
  authors.close();
  await expect(new AuthorVerifier(store, []).verify(0, statement(1), sign(0, statement(1)))).rejects.toThrow();
});

it('requires valid keys', () => {
  expect(() => new AuthorVerifier(kernel.pointStore(9), [keys[0]!, new Uint8Array(48)])).toThrow(
    'entry 1: expected a valid publicKey, got invalid bytes',
  );
});
