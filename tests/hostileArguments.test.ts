import { runInNewContext } from 'node:vm';
import * as core from '@tutti/core';
import {
  CountingScheme,
  defaultHandelConfig,
  GossipOfIndividualsNode,
  HandelNode,
  SanFerminNode,
  ShiftedPriorities,
  Tree,
  thresholdCount,
} from '@tutti/core';
import * as horn from '@tutti/core/horn';
import * as slots from '@tutti/ethereum';
import { createSlot, defaultNetworkScenario, defaultSlotScenario, runChain, runNetworkSlot } from '@tutti/ethereum';
import * as lab from '@tutti/lab';
import * as simulation from '@tutti/simulation';
import { createSimulation, defaultScenario, matrixNetwork, perfettoTrace, simulate } from '@tutti/simulation';
import * as checks from '@tutti/simulation/checks';
import { createModelChecker } from '@tutti/simulation/checks';
import { describe, expect, it } from 'vitest';
import { callableOf, foreignErrorsOf, ownErrors } from './outcomes.ts';

const { drawFigure } = lab;

/** An argument of any type, as from an untyped program. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const scheme = new CountingScheme(new Tree(8));
const port = { nowUs: () => 0, send() {}, setTimer() {}, verify: () => 1, output() {}, refuse() {}, trace() {} };
const good = {
  id: 0,
  config: { ...defaultHandelConfig, threshold: 8 },
  scheme,
  priorities: new ShiftedPriorities(8, 1),
  own: scheme.individual(0),
  port,
};
const node = (change: object) => () => new HandelNode({ ...good, ...change } as Anything);
const small = { ...defaultScenario, nodes: 8 };
const run = (options: Anything) => () => {
  const simulation = createSimulation(small, options);
  while (simulation.advance(1000));
};
const attack = { name: 'mine', section: '', aim: '', against: ['handel'], form: () => ({ join: () => ({}) }) };
const make = (what: Anything, ...args: Anything[]) => (() => new what(...args)) as () => unknown;
const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;

const refusal = (message: Anything) =>
  expect.objectContaining({ name: expect.stringMatching(/^(Type|Range)Error$/), message });

describe('an invalid argument throws one line that names the argument, the expected value and the received value', () => {
  it.each<[string, () => unknown]>([
    ['nodes', make(Tree, '8')],
    ['id', () => scheme.individual(99)],
    ['threshold', call(thresholdCount, -1, 10)],
    ['scheme', node({ scheme: undefined })],
    ['priorities', node({ priorities: new ShiftedPriorities(4, 1) })],
    ['port.send', node({ port: { ...port, send: undefined } })],
    ['config', node({ config: { ...good.config, periodMS: 9 } })],
    ['threshold', make(SanFerminNode, { ...good, threshold: 99, candidates: 1, replyTimeoutMs: 300 })],
    ['mesh', make(GossipOfIndividualsNode, { ...good, threshold: 8 })],
    ['scenario.protocol', call(simulate, {})],
    ['options', run({ check: true })],
    ['options.scheme', run({ scheme: 'bls' })],
    ['options.record', run({ record: 1 })],
    ['options.record.sends', run({ record: { sends: 0 } })],
    ['options.checkers', run({ checkers: 'yes' })],
    ['options.until', run({ until: 'fairnes' })],
    ['options.memory', run({ memory: 64 })],
    ['options.nodes', run({ nodes: 5 })],
    ["options.nodes' node 0.start", run({ nodes: () => () => ({}) })],
    ['options.network.oneWayUs', run({ network: {} })],
    ['options.network.region', run({ network: { regionNames: ['x'], oneWayUs: () => 1 } })],
    [
      'options.network.oneWayUs(0, 1)',
      run({ network: { regionNames: ['x'], region: new Uint8Array(8), oneWayUs: () => Number.NaN } }),
    ],
    ['options.attacks', run({ attacks: {} })],
    ['options.attacks[0].attack.form', run({ attacks: [{ attack: {}, share: 0.2 }] })],
    ['options.attacks[0].share', run({ attacks: [{ attack, share: 2 }] })],
    ['options.checker', run({ checker: 5 })],
    ['places', call(matrixNetwork, { oneWayMs: [[1]] }, 8, 1)],
    ['system', call(runNetworkSlot, { ...defaultNetworkScenario, system: 'x' })],
    ['runs', call(drawFigure, { charts: () => [] }, 'tiny')],
    ['extent', call(drawFigure, { charts: () => [] }, 'small', () => {})],
    ['inRow[0]', call(runChain, [])],
    ['recording', () => perfettoTrace(undefined as Anything).next()],
  ])('%s', (subject, hostile) => {
    const line = new RegExp(`^${subject.replaceAll(/[[\]().]/g, '\\$&')}: expected [^\\n]+, got [^\\n]+$`);
    expect(hostile).toThrow(refusal(expect.stringMatching(line)));
  });

  it.each<[string, () => unknown, string]>([
    [
      "another's contribution",
      node({ own: scheme.individual(3) }),
      `own: expected the individual contribution of node 0, got ${scheme.individual(3)}`,
    ],
    [
      'a checker that checks nothing',
      run({ checker: {} }),
      'options.checker: expected onMessage, onOutput or both, got neither',
    ],
    [
      'a misspelt bound',
      call(createModelChecker, { nodes: 2, loss: 1 }),
      'options: expected no fields but nodes, branching, losses, repeats, timers, byzantine, injections, levelStartPeriods, threshold, seed, batch, backOff, without, depth, maxStates, node, got "loss" (Did you mean losses?)',
    ],
    [
      'a misspelt field of a slot',
      call(createSlot, { ...defaultSlotScenario, seeds: 1 }),
      'scenario: expected no fields but system, parameters, degree, network, tor, dead, attacks, desyncMs, threshold, verifyMs, additionNs, keySums, seed, got "seeds" (Did you mean seed?)',
    ],
  ])('%s', (_, hostile, line) => expect(hostile).toThrow(refusal(line)));
});

it('typed arrays of another realm, such as a frame, are accepted', () => {
  const foreign: Uint8Array = runInNewContext('new Uint8Array(2)');
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(core.decodeMessage(scheme, 0, 1, foreign)).toEqual({ ok: false, code: 'truncated' });
  expect(core.invert(runInNewContext('Int32Array.of(1, 0)'))).toEqual(Int32Array.of(1, 0));
});

/** Functions of Horn's rules, which run once per message and do not check arguments, as the entry point states. */
const unchecked = new Set([
  ...['addMember', 'bitAt', 'collect', 'hasMember', 'keepBest', 'keyTotals', 'packBlock', 'plainMesh'],
  ...['removeMember', 'setBit', 'shiftInto', 'sizeBeyond', 'sizeOf', 'sumOfMultiples', 'union'],
]);
const entryPoints = { core, horn, simulation, checks, slots, lab };

describe.each(Object.entries(entryPoints))('every function and class of %s', (_, entryPoint) => {
  it.each(callableOf(entryPoint).filter(([name]) => !unchecked.has(name)))(ownErrors, async (_, one) => {
    expect(await foreignErrorsOf(one)).toEqual([]);
  });
});
