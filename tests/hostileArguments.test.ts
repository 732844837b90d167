import { runInNewContext } from 'node:vm';
import * as core from '@tutti/core';
import {
  CountingScheme,
  defaultHandelConfig,
  HandelMemory,
  HandelNode,
  MultiSignatureScheme,
  RandomStream,
  ShiftedPriorities,
  Tree,
  thresholdCount,
} from '@tutti/core';
import * as horn from '@tutti/core/horn';
import { MultiplicityScheme, slotClock } from '@tutti/core/horn';
import * as protocols from '@tutti/core/protocols';
import { CompleteGraphNode, GossipOfIndividualsNode, SanFerminNode } from '@tutti/core/protocols';
import * as slots from '@tutti/ethereum';
import {
  createSlot,
  defaultNetworkScenario,
  defaultSlotScenario,
  hornTable,
  runChain,
  runNetworkSlot,
  sampleGriefing,
} from '@tutti/ethereum';
import * as lab from '@tutti/lab';
import * as simulation from '@tutti/simulation';
import {
  createSimulation,
  DeskReplay,
  decodeRecording,
  defaultScenario,
  encodeScenario,
  generateFaults,
  matrixNetwork,
  perfettoTrace,
  simulate,
} from '@tutti/simulation';
import * as attacks from '@tutti/simulation/attacks';
import * as checks from '@tutti/simulation/checks';
import { createModelChecker, shrink } from '@tutti/simulation/checks';
import { describe, expect, it } from 'vitest';

const { readComposition } = attacks;
const { drawFigure } = lab;
const { fitLine } = simulation;

/** As from a program without types: anything may come. */
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

describe('what is wrong with an argument is said in one line: what it is, what was expected and what came', () => {
  it.each<[string, () => unknown, string]>([
    ['a size in words', make(Tree, '8'), 'nodes: expected an integer from 1 to 1048576, got "8"'],
    ['a form that there is not', make(Tree, 8, 'round'), 'form: expected spread or packed, got "round"'],
    ['a scheme of no tree', make(CountingScheme, 8), 'tree: expected a Tree, got 8'],
    [
      'a scheme of signatures without options',
      make(MultiSignatureScheme),
      'options: expected an object, got undefined',
    ],
    ['no node of the tree', () => scheme.individual(99), 'id: expected an integer from 0 to 7, got 99'],
    ['a stream for nothing', make(RandomStream, 1), 'purpose: expected a text, got undefined'],
    [
      'a threshold below all',
      call(thresholdCount, -1, 10),
      'threshold: expected a share over 0 and up to 1, or a count of 2 or more, got -1',
    ],
    ['a node of nothing', make(HandelNode), 'options: expected an object, got undefined'],
    [
      'a node without a scheme',
      node({ scheme: undefined }),
      'scheme: expected an object with weight, contains, aggregate, retain, release, got undefined',
    ],
    [
      'a node without priorities',
      node({ priorities: undefined }),
      'priorities: expected an object with rank, contact, got undefined',
    ],
    [
      'priorities for 4 on a tree of 8',
      node({ priorities: new ShiftedPriorities(4, 1) }),
      'priorities: expected ranks for the spread tree of 8 nodes, got those for the spread tree of 4',
    ],
    [
      'a node without a port',
      node({ port: undefined }),
      'port: expected an object with nowUs, send, setTimer, verify, output, refuse, trace, got undefined',
    ],
    [
      'a port that cannot send',
      node({ port: { ...port, send: undefined } }),
      'port.send: expected a function, got undefined',
    ],
    ['a node without a contribution', node({ own: undefined }), 'own: expected a contribution, got undefined'],
    [
      "another's contribution",
      node({ own: scheme.individual(3) }),
      `own: expected the individual contribution of node 0, got ${scheme.individual(3)}`,
    ],
    [
      'a misspelt parameter',
      node({ config: { ...good.config, periodMS: 9 } }),
      'config: expected no fields but threshold, disseminationPeriodMs, levelStartMs, fastPathPeers, backOff, window, batch, without, got "periodMS"',
    ],
    ['a memory of nothing', make(HandelMemory), 'options: expected an object, got undefined'],
    [
      'a baseline of nothing',
      make(CompleteGraphNode, {}),
      'scheme: expected an object with weight, contains, aggregate, retain, release, got undefined',
    ],
    [
      'a baseline with too high a threshold',
      make(SanFerminNode, { ...good, threshold: 99, candidates: 1, replyTimeoutMs: 300 }),
      'threshold: expected an integer from 1 to 8, got 99',
    ],
    [
      'gossip without a mesh',
      make(GossipOfIndividualsNode, { ...good, threshold: 8 }),
      'mesh: expected the neighbours of node 0, got undefined',
    ],
    ['a run of nothing', call(simulate), 'scenario: expected an object like that of defaultScenario, got undefined'],
    ['a run without fields', call(simulate, {}), 'scenario.protocol: expected a value, got undefined'],
    [
      'an option that there is not',
      run({ check: true }),
      'options: expected no fields but nodes, around, messageBytes, network, attacks, checker, scheme, record, checkers, until, memory, giveUpAfterMs, got "check"',
    ],
    ['nodes that nothing makes', run({ nodes: 5 }), 'options.nodes: expected a function, got 5'],
    [
      'an invalid node',
      run({ nodes: () => () => ({}) }),
      "options.nodes' node 0.start: expected a function, got undefined",
    ],
    ['a network without times', run({ network: {} }), 'options.network.oneWayUs: expected a function, got undefined'],
    [
      'a network without places',
      run({ network: { oneWayUs: () => 1 } }),
      'options.network.region: expected a place for each node, got undefined',
    ],
    [
      'an invalid time',
      run({ network: { regionNames: ['x'], region: new Uint8Array(8), oneWayUs: () => Number.NaN } }),
      'options.network.oneWayUs(0, 1): expected whole microseconds, 1 or more, got NaN',
    ],
    ['attacks that are no list', run({ attacks: {} }), 'options.attacks: expected an array, got an object'],
    [
      'an invalid attack',
      run({ attacks: [{ attack: {}, share: 0.2 }] }),
      'options.attacks[0].attack.form: expected a function, got undefined',
    ],
    [
      'an attack of too many',
      run({ attacks: [{ attack, share: 2 }] }),
      'options.attacks[0].share: expected a number from 0 to 1, got 2',
    ],
    [
      'a checker that checks nothing',
      run({ checker: {} }),
      'options.checker: expected onMessage, onOutput or both, got "neither"',
    ],
    [
      'an invalid checker',
      run({ checker: 5 }),
      'options.checker: expected an object with onMessage, onOutput or both, got 5',
    ],
    ['latencies of nothing', call(matrixNetwork), 'matrix: expected an object with places and oneWayMs, got undefined'],
    [
      'latencies without places',
      call(matrixNetwork, { oneWayMs: [[1]] }, 8, 1),
      'places: expected an array, got undefined',
    ],
    [
      'an invalid recording',
      call(decodeRecording, new Uint8Array(3)),
      'recording: expected a file that begins with TUTTIREC, got "3 other bytes"',
    ],
    ['a model check of nothing', call(createModelChecker), 'options: expected an object, got undefined'],
    [
      'a misspelt bound',
      call(createModelChecker, { nodes: 2, loss: 1 }),
      'options: expected no fields but nodes, branching, losses, repeats, timers, byzantine, injections, levelStartPeriods, threshold, seed, batch, backOff, without, depth, maxStates, node, got "loss" (Did you mean losses?)',
    ],
    [
      'a slot of nothing',
      call(createSlot),
      'scenario: expected an object like that of defaultSlotScenario, got undefined',
    ],
    [
      'a misspelt field of a slot',
      call(createSlot, { ...defaultSlotScenario, seeds: 1 }),
      'scenario: expected no fields but system, parameters, degree, network, tor, dead, attacks, desyncMs, threshold, verifyMs, additionNs, keySums, seed, got "seeds" (Did you mean seed?)',
    ],
    [
      'a slot of no system',
      call(runNetworkSlot, { ...defaultNetworkScenario, system: 'x' }),
      'system: expected phase0 or electra or strawman or horn or handel-committees, got "x"',
    ],
    ['griefing of nothing', call(sampleGriefing, {}), 'election: expected an object, got undefined'],
    [
      'a table that the post has not',
      call(hornTable, 'x'),
      'table: expected sizes or global-topic or slot or verification or bandwidth or blocks or griefing or alternatives or election, got "x"',
    ],
    ['a figure of nothing', call(drawFigure), 'experiment: expected an object with charts, got undefined'],
    [
      'a figure of no runs',
      call(drawFigure, { charts: () => [] }, 'small'),
      'runs: expected a function, got undefined',
    ],
    ['a chain of nothing', call(runChain), 'inRow: expected an array, got undefined'],
    ['a chain of no slot', call(runChain, []), 'inRow[0]: expected a slot from runNetworkSlot, got undefined'],
    ['a clock of no parameters', call(slotClock, 'horn'), 'parameters: expected an object, got undefined'],
    ['a desk of nothing', make(DeskReplay), 'scenario: expected an object like that of defaultScenario, got undefined'],
    ['a link to nothing', call(encodeScenario, 7), 'scenario: expected an object like that of defaultScenario, got 7'],
    [
      'a trace of nothing',
      () => perfettoTrace(undefined as Anything).next(),
      'recording: expected an object, got undefined',
    ],
    ['faults of no options', call(generateFaults, small), 'options: expected an object, got undefined'],
    ['something smaller of what cannot fail', call(shrink, small), 'fails: expected a function, got undefined'],
    ['a line through one point', call(fitLine, [[1, 2]]), 'points: expected two or more, of different x, got 1'],
  ])('%s', (_, hostile, line) => {
    expect(hostile).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^(Type|Range)Error$/), message: line }),
    );
  });

  it.each<[string, () => unknown]>([
    ['an invalid plan of an attack', call(readComposition, 'zz')],
    ['a sum of signatures of nothing', make(MultiplicityScheme)],
  ])('%s', (_, hostile) => {
    expect(hostile).toThrow(/^[^\n]+: expected [^\n]+, got [^\n]+$/);
  });
});

it('takes typed arrays of another realm, such as a frame', () => {
  const foreign: Uint8Array = runInNewContext('new Uint8Array(2)');
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(core.decodeMessage(scheme, 0, 1, foreign)).toEqual({ ok: false, code: 'truncated' });
  expect(core.invert(runInNewContext('Int32Array.of(1, 0)'))).toEqual(Int32Array.of(1, 0));
});

const doors = { core, protocols, horn, simulation, attacks, checks, slots, lab };
const hostileArguments = [[], [null], [7], ['x'], [{}], [[]], [() => 0]];

describe.each(Object.entries(doors))('every function and class of %s', (_, door) => {
  const callable = Object.entries(door).filter(([, one]) => typeof one === 'function');

  it.each(callable)(
    '%s takes or refuses any argument in its own words, never in those of the engine',
    async (_, one) => {
      const isClass = Function.prototype.toString.call(one).startsWith('class');
      for (const args of hostileArguments) {
        try {
          const result = await (isClass ? make(one, ...args)() : call(one, ...args)());
          // A generator looks at its arguments when it is first asked.
          if (Symbol.iterator in Object(result)) Array.from(result as Iterable<unknown>).slice(0, 1);
        } catch (error) {
          expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]+: expected [^\n]+, got [^\n]+$/) });
        }
      }
    },
  );
});
