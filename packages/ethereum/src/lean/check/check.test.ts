import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../../tests/sampled.ts';
import { type LeanStrategy, leanStrategies } from '../world.ts';
import { allPlacements, checkLean, leanLink, replayLeanLink } from './check.ts';
import { LeanModel } from './model.ts';

const none = { silent: 0, idle: 0, losses: 0 };
type Bounds = Parameters<typeof allPlacements>[2];
const check = (
  rule: LeanStrategy,
  subnets: number,
  owners: readonly number[],
  leafSubnets = 1,
  bounds: Bounds = none,
) => checkLean({ rule, subnets, owners, leafSubnets, ...bounds });
const kinds = (result: ReturnType<typeof checkLean>) =>
  result.broken.map(({ claim, kind }) => `${claim} ${kind}`).sort();

describe('window-skip', () => {
  it('D = {0, 2}, C = 4: ownerless in the first odd slot, although each leaf has a pair', () => {
    const { broken } = check('window-skip', 4, [0, 2], 2);
    const found = broken.find(({ kind }) => kind === 'ownerless')!;
    expect(found.firstSlot % 2).toBe(1);
    expect(found.trace).toEqual([
      "slot 1: subnet 0's aggregator (width 4) merges nothing: not an owner; subnet 2's aggregator (width 4) merges nothing: not an owner",
    ]);
  });

  it('D = {0, 2} with single-subnet leaves: lonely in even slots, ownerless in odd ones, permanently', () => {
    const found = check('window-skip', 4, [0, 2]).broken.map(({ claim, kind, firstSlot }) => [
      claim,
      `${kind} in ${firstSlot % 2 === 0 ? 'even' : 'odd'} slots`,
    ]);
    expect(found).toContainEqual(['owned', 'lonely in even slots']);
    expect(found).toContainEqual(['owned', 'ownerless in odd slots']);
    expect(found.some(([claim]) => claim === 'whole')).toBe(true);
  });

  it('all eight staffed: misaligned, 4 slots for three levels', () => {
    const found = check('window-skip', 8, [0, 1, 2, 3, 4, 5, 6, 7]).broken;
    expect(found.map(({ claim, kind }) => `${claim} ${kind}`)).toEqual(['aligned misaligned']);
    expect(found[0]!.trace).toHaveLength(3);
  });
});

it('leanSpec drops a proof that is alone in the pending pool (leanSpec#1208), and merges two', () => {
  const [dropped] = check('spec', 1, [0]).broken;
  expect([dropped!.claim, dropped!.kind, dropped!.trace]).toEqual([
    'grows',
    'dropped',
    ["slot 0: subnet 0's aggregator drops {0}, alone in its pending pool"],
  ]);
  expect(replayLeanLink(leanLink(dropped!), 1)).toEqual(dropped!.trace);
  expect(kinds(check('spec', 2, [0, 1]))).toEqual(['once duplicate']);
});

it('windows without the flag only merge sets twice', () => {
  for (const options of allPlacements('window', 4, none))
    expect(kinds(checkLean(options)).filter((one) => one !== 'once duplicate')).toEqual([]);
  expect(kinds(check('window', 4, [0, 1, 2, 3]))).toEqual(['once duplicate']);
});

it('a tree of fixed owners loses votes with a silent owner', () => {
  expect(kinds(check('tree', 4, [0, 1, 2, 3], 1, { silent: 1, idle: 0, losses: 0 }))).toContain('whole unmerged');
});

it('rotating owners with successors satisfy all properties, on any placement up to C = 4', () => {
  for (const options of sampled(allPlacements('halving-owners', 4, { silent: 1, idle: 1, losses: 0 }), 8))
    expect([options.owners, kinds(checkLean(options))]).toEqual([options.owners, []]);
});

it('a leaf with a vote of every subnet makes all windows as wide as possible; halves with owners are unaffected', () => {
  const wide = { ...none, wide: 1 };
  expect(kinds(check('window', 8, [0, 1, 2, 3, 4, 5, 6, 7], 1, wide))).toEqual(['aligned wide', 'once duplicate']);
  for (const options of sampled(allPlacements('halving-owners', 4, { ...wide, silent: 1 }), 4))
    expect([options.owners, kinds(checkLean(options))]).toEqual([options.owners, []]);
});

it('clients start proofs that cannot end in time; rotating owners do not, with two aggregators per subnet either', () => {
  const [late] = check('window', 4, [0, 1, 2, 3], 1, { ...none, deadline: 1 }).broken;
  expect([late!.claim, late!.kind, late!.trace.length]).toEqual(['timely', 'late', 2]);
  expect(replayLeanLink(leanLink(late!), 2)).toEqual(late!.trace);
  for (let deadline = 0; deadline <= 3; deadline++) {
    for (const options of sampled(allPlacements('halving-owners', 4, { ...none, silent: 1, deadline }, 2), 3))
      expect([options.owners, kinds(checkLean(options))]).toEqual([options.owners, []]);
  }
});

it('a link repeats a counterexample', () => {
  const [found] = check('tree', 4, [0, 1, 2, 3], 1, { silent: 1, idle: 1, losses: 0 }).broken;
  expect(replayLeanLink(leanLink(found!), found!.trace.length - found!.faults.length)).toEqual(found!.trace);
  const owners = (rule: string) => `lean-check=rule:${rule},subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:`;
  expect(replayLeanLink(owners('handel-owners'), 2)).toEqual(replayLeanLink(owners('halving-owners'), 2));
  expect(() => replayLeanLink('lean-check=rule:x', 0)).toThrow(/^rule: expected one of spec, /);
  expect(() => replayLeanLink('lean-check=rule:tree:x', 0)).toThrow(/^link: expected lean-check=rule:NAME/);
  for (const faults of ['x1', 'i2', 'l0-2', 'l0'])
    expect(() => replayLeanLink(`${owners('tree')}${faults}`, 0)).toThrow(/^faults: expected /);
  const many = `${owners('tree')}${'.'.repeat(128)}`;
  expect(() => replayLeanLink(many, 0)).toThrow(/^number of slots with faults: expected an integer from 0 to 128/);
});

it('states with equal keys make the same merges', () => {
  const model = new LeanModel({ rule: 'window-skip', subnets: 6, owners: [0, 2, 3], leafSubnets: 1, ...none }, []);
  const { state } = model.step(model.first(0), {});
  const known = new Map<string, string>();
  for (let slot = 0; slot < 24; slot++) {
    const key = model.keyOf({ ...state, slot });
    const merges = model
      .acts({ ...state, slot }, new Map())
      .map(({ plan }) => plan?.votes.join())
      .join(';');
    expect([slot, known.get(key) ?? merges]).toEqual([slot, merges]);
    known.set(key, merges);
  }
});

it.each(leanStrategies)('with %s, no merge follows a period without a merge', (rule) => {
  const options = { rule, subnets: 8, owners: [0, 1, 2, 3, 4, 5, 6, 7], leafSubnets: 1, ...none };
  const model = new LeanModel(options, [6, 7]);
  let state = model.first(0);
  for (let slot = 0, quiet = 0; slot < 160; slot++) {
    const { state: next, acts } = model.step(state, {});
    const isQuiet = acts.every(({ plan }) => plan === undefined);
    expect(isQuiet || quiet <= model.period).toBe(true);
    quiet = isQuiet ? quiet + 1 : 0;
    state = next;
  }
});
