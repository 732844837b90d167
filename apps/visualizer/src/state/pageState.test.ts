import { readFileSync } from 'node:fs';
import { calibratedScenario, type LabScenario } from '@tutti/lab';
import { protocolNames, type Scenario, scenarioPresets } from '@tutti/simulation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyScenario } from '../../../../packages/simulation/test/anyScenario.ts';
import { type LevelOrder, ruleFields, type ScoreRule } from '../rules/editedRules.ts';
import {
  betweenViews,
  command,
  decodeState,
  encodeState,
  firstState,
  limits,
  maxNodesOf,
  type PageState,
  sameRun,
} from './pageState.ts';

const anyState: fc.Arbitrary<PageState> = fc
  .record({
    scenario: anyScenario({ nodes: limits.nodes.max }).filter(({ nodes, protocol }) => nodes <= maxNodesOf(protocol)),
    nodeShare: fc.double({ min: 0, max: 0.999, noNaN: true }),
    timeUs: fc.option(fc.nat(2_000_000), { nil: undefined }),
    between: fc.constantFrom(...betweenViews),
    compare: fc.subarray([...protocolNames]),
    edited: fc.record({
      expansion: fc.integer({ min: 1, max: 16 }),
      contraction: fc.integer({ min: 1, max: 16 }),
      order: fc.constantFrom(...(ruleFields.order.choices as LevelOrder[])),
      score: fc.constantFrom(...(ruleFields.score.choices as ScoreRule[])),
    }),
  })
  .map(({ scenario, nodeShare, timeUs, between, compare, edited }) => ({
    scenario: scenario.nodes > limits.deadNodes ? { ...scenario, dead: 0, attacks: [] } : scenario,
    node: Math.floor(nodeShare * scenario.nodes),
    timeUs,
    between,
    compare,
    edited,
  }));

it('decodeState decodes the output of encodeState', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(decodeState(`#${encodeState(state)}`)).toEqual({ ...state, notices: [] });
    }),
  );
});

it('decodeState returns the first visit without a link', () => {
  expect(decodeState('')).toEqual({ ...firstState, notices: [] });
});

it.each([
  ['#n=999999', 'n: expected 8 to 131,072 nodes, got 999,999; 64 is used'],
  ['#protocol=gossip&n=4096', 'n: expected 8 to 2,048 nodes of gossip, got 4,096; 64 is used'],
  ['#protocol=gossips&scheme=bls', /^protocol: expected handel or .* \(Did you mean gossip\?\); handel is used$/],
  [
    '#n=1025&scheme=bls',
    'scheme: real signatures are not available on this page for more than 1,024 nodes, so this run uses the counting scheme',
  ],
  ['#n=65537&scheme=counting&dead=0.3', /^dead, attack: not available on this page for more than 65,536 nodes/],
  ['#n=999999&fault={"kind":"loss","share":0.1}', /^fault: left out, because /],
  ['#n=64&node=99', 'node: expected an integer from 0 to 63, got "99"; 63 is used'],
  ['#n=64&compare=gossip,bitcoin', /^compare: expected 1 to 4 of handel, .*; gossip is used$/],
])('decodeState reports the replacement for %s', (link, notice) => {
  expect(decodeState(link).notices).toContainEqual(expect.stringMatching(notice));
});

it('decodeState leaves out the faults of a run that exceeds the maximum of a chapter', () => {
  const link = '#n=2048&scheme=counting&fault={"kind":"pause","nodes":[1500],"atMs":50,"forMs":100}';
  expect(decodeState(link).notices).toEqual([]);
  const { scenario, notices } = decodeState(link, 1024);
  expect(scenario).toMatchObject({ nodes: 64, faults: [] });
  expect(notices[0]).toBe('n: expected 8 to 1,024 nodes, got 2,048; 64 is used');
});

it('sameRun is false exactly for fields that change the run', () => {
  const { scenario } = firstState;
  expect([scenario, { ...scenario, seed: 2 }].map((other) => sameRun(scenario, { ...other }))).toEqual([true, false]);
});

it('command names every setting that a reader can choose on the page', () => {
  const scenario = { ...firstState.scenario, network: 'constant:50', dead: 0.2, seed: 7 };
  expect(command(scenario)).toBe(
    'npx tutti simulate --protocol handel --nodes 64 --threshold 0.99 --network constant:50 --dead 0.2 --scheme bls --seed 7',
  );
});

it('command quotes a fault for the shell', () => {
  const scenario: Scenario = { ...firstState.scenario, tor: 0.5, faults: [{ kind: 'loss', share: 0.1 }] };
  expect(command(scenario)).toMatch(/ --tor 0\.5 .* --fault '\{"kind":"loss","share":0\.1\}'$/);
});

const html = readFileSync(new URL('../../run.html', import.meta.url), 'utf8');
const presets = [...html.matchAll(/<a href="#([^"]*)">([^<]*)</g)].filter(([, link]) => link!.includes('n='));

it.each(presets.map(([, link]) => link!))('the preset %s of run.html is read without a notice', (link) => {
  expect(decodeState(link).notices).toEqual([]);
});

it("the presets of run.html include the paper's preset", () => {
  const [, link] = presets.find(([, , words]) => words === '64 nodes with the paper’s settings')!;
  expect(decodeState(link!).scenario).toEqual({ ...scenarioPresets.paper, nodes: 64 });
});

it('the presets of run.html have the settings of figures 3 and 5 of the calibrated model, with our nodes (v1.03 7.2 and 7.3)', () => {
  const ours = ({ goReference: _, ...scenario }: LabScenario) => scenario;
  const preset = (figure: string) => decodeState(`#${presets.find(([, , words]) => words!.includes(figure))![1]}`);
  expect(preset('figure 3').scenario).toEqual(ours(calibratedScenario(4000)));
  const failing = { dead: 0.49, threshold: 2000, periodMs: 50 };
  expect(preset('figure 5').scenario).toEqual(ours(calibratedScenario(4000, failing)));
});
