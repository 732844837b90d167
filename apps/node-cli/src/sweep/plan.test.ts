import { defaultScenario, networkForms, scenarioPresets } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { rowsOf } from '../../test/rowsOf.ts';
import { parsePlan } from './plan.ts';
import { describeScenario, variedText } from './point.ts';

const parse = (sweep: unknown) => parsePlan(JSON.stringify(sweep), 'sweep.json');

/** Returns the error for an invalid sweep, without the file's name. */
function complaint(text: string): string {
  try {
    parsePlan(text, 'sweep.json');
  } catch (error) {
    expect(error).toMatchObject({ name: 'EnvironmentError', code: 'malformed-file' });
    return (error as Error).message.replace(/^sweep\.json: /, '');
  }
  return 'none';
}

it('the number of points is checked before their values, so an oversized sweep with an invalid value is refused for its size', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => 1 - 2 * index);
  const varying = (vary: object) => complaint(JSON.stringify({ name: 'x', vary }));
  const of = (nodes: number, dead: number) => varying({ nodes: values(nodes), dead: values(dead) });
  expect(of(1001, 1000)).toBe('the sweep: expected at most 1000000 points, got 1001000');
  expect(of(1_000_001, 1)).toBe('the sweep: expected at most 1000000 points, got 1000001');
  expect(of(1000, 1000)).toMatch(/^vary\.nodes\[1\]: /);
  const together = (count: number) => varying({ together: Array(count).fill(0) });
  expect(together(1_000_001)).toBe('the sweep: expected at most 1000000 points, got 1000001');
  expect(together(1_000_000)).toMatch(/^vary\.together\[0\]: /);
});

it('explicit values override a preset, and an unknown preset is refused', () => {
  const base = { tree: 'spread' };
  const { groups } = parse({ name: 'x', preset: 'paper', base, vary: { backOff: [false, true] } });
  expect(groups).toEqual([
    { ...scenarioPresets.paper, ...base },
    { ...scenarioPresets.paper, ...base, backOff: true },
  ]);
  expect(complaint(JSON.stringify({ name: 'x', preset: 'toString' }))).toMatch(
    /^preset: expected paper or .+, got "toString"$/,
  );
});

it('contains every combination, the first varied field slowest, seeds fastest', () => {
  const plan = parse({
    name: 'x',
    base: { threshold: 0.5 },
    vary: { nodes: [64, 13], dead: [0, 0.2] },
    seeds: { from: 7, count: 2 },
  });
  const seen = plan.points.map(({ scenario }) => [scenario.nodes, scenario.dead, scenario.seed, scenario.threshold]);
  expect(plan.varied).toEqual(['nodes', 'dead']);
  expect(seen).toEqual(
    [64, 13].flatMap((nodes) => [0, 0.2].flatMap((dead) => [7, 8].map((seed) => [nodes, dead, seed, 0.5]))),
  );
});

it('fields of a group are named with a dot, in base and in vary', () => {
  const { varied, groups } = parse({
    name: 'x',
    base: { 'gossip.degree': 12, cpu: { ...defaultScenario.cpu, perKeyUs: 3, nodesPerCore: 2 } },
    vary: { 'cpu.perMessageUs': [0, 50] },
  });
  expect(varied).toEqual(['cpu.perMessageUs']);
  expect(groups.map(({ cpu, gossip }) => [cpu.perKeyUs, cpu.perMessageUs, gossip.degree, gossip.of])).toEqual([
    [3, 0, 12, defaultScenario.gossip.of],
    [3, 50, 12, defaultScenario.gossip.of],
  ]);
});

it('a list of records varies its fields together, independently of the others', () => {
  const together = [
    { nodes: 64, periodMs: 10 },
    { periodMs: 20, nodes: 128 },
  ];
  const { varied, points } = parse({ name: 'x', vary: { dead: [0, 0.2], together } });
  expect(varied).toEqual(['nodes', 'periodMs', 'dead']);
  expect(points.map(({ scenario: { nodes, periodMs, dead } }) => [nodes, periodMs, dead])).toEqual([
    [64, 10, 0],
    [64, 10, 0.2],
    [128, 20, 0],
    [128, 20, 0.2],
  ]);
});

it('from, to and step are a list of decimal values', () => {
  const dead = { from: 0, to: 0.3, step: 0.1 };
  expect(parse({ name: 'x', vary: { dead } }).groups.map((group) => group.dead)).toEqual([0, 0.1, 0.2, 0.3]);
  const nodes = { from: 10, to: 29, step: 10 };
  expect(parse({ name: 'x', vary: { nodes } }).groups.map((group) => group.nodes)).toEqual([10, 20]);
});

it('a point has the same key in every sweep, and no other point has it', () => {
  const wide = parse({ name: 'wide', vary: { dead: [0, 0.2], nodes: [64, 256] }, seeds: { count: 50 } });
  const narrow = parse({ name: 'narrow', base: { nodes: 256, dead: 0.2 }, seeds: { from: 50 } });
  expect(parse({ name: 'wide', vary: { dead: [0, 0.2], nodes: [64, 256] }, seeds: 50 }).points).toEqual(wide.points);
  const keys = wide.points.map(({ key }) => key);
  expect(new Set(keys).size).toBe(200);
  expect(keys).toContain(narrow.points[0]!.key);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

const cpu = JSON.stringify(defaultScenario.cpu);
it.each<[unknown, string | RegExp]>([
  // Each row contains a JSON value and the error for that value.
  ...rowsOf(`
[] => the sweep: expected an object with name, preset, base, vary and seeds, got []
{} => name: expected a string of 1 to 100 characters, got nothing
{"name":"x","bases":{}} => the sweep: expected name, preset, base, vary and seeds, got "bases" (Did you mean base?)
{"name":"x","base":{"attacks":{}}} => base.attacks: expected a list, got {}
{"name":"x","base":{"nodes":0}} => base.nodes: expected an integer from 1 to 1048576, got 0
{"name":"x","base":{"nodes":"64"}} => base.nodes: expected a number, got "64"
{"name":"x","base":{"seed":3}} => base: expected no seed, because the sweep's own seeds determine it, got "seed"
{"name":"x","base":{"adaptive":true}} => base.adaptive: expected false, the only value in versions after abb67a70, got true
{"name":"x","vary":[]} => vary: expected an object whose values are lists, got []
{"name":"x","vary":{"nodes":64}} => vary.nodes: expected a list of at least one value, or from, to and step, got 64
{"name":"x","vary":{"dead":[0,1]}} => vary.dead[1]: expected a number from 0 to less than 1, got 1
{"name":"x","base":{"nodes":4},"vary":{"nodes":[4]}} => vary.nodes: expected a field that base does not set, got "nodes"
{"name":"x","vary":{"seed":[1]}} => vary: expected no seed, because the sweep's own seeds determine it, got "seed"
{"name":"x","vary":{"nodes":[16,32,64,32]}} => vary.nodes[3]: expected a value other than vary.nodes[1], got 32
{"name":"x","vary":{"faults":[[],[]]}} => vary.faults[1]: expected a value other than vary.faults[0], got []
{"name":"x","vary":{"together":[{"dead":0,"nodes":8},{"nodes":8,"dead":0}]}} => vary.together[1]: expected a value other than vary.together[0], got {"nodes":8,"dead":0}
{"name":"x","vary":{"dead":{"from":0,"to":0.2,"step":0}}} => vary.dead.step: expected a number greater than 0, got 0
{"name":"x","vary":{"dead":{"from":1,"to":0.2,"step":1}}} => vary.dead.to: expected at least from, 1, got 0.2
{"name":"x","vary":{"dead":{"from":0,"to":0.2,"stop":1}}} => vary.dead: expected from, to and step, got "stop" (Did you mean step?)
{"name":"x","vary":{"together":[{"nodes":4},{"dead":0}]}} => vary.together[1]: expected the fields nodes, got "dead"
{"name":"x","vary":{"together":[{"nodes":0}]}} => vary.together[0].nodes: expected an integer from 1 to 1048576, got 0
{"name":"x","vary":{"nodes":[4],"together":[{"nodes":8}]}} => vary: expected each field once, got "nodes"
{"name":"x","base":{"network":"lan"}} => base.network: expected ${networkForms}, got "lan"
{"name":"x","vary":{"cpu":[${cpu}],"cpu.perKeyUs":[1]}} => vary: expected each field once, got "cpu.perKeyUs"
{"name":"x","base":{"cpu.perKeyUs":1},"vary":{"cpu":[${cpu}]}} => vary.cpu: expected a field that base does not set, got "cpu"
{"name":"x","seeds":0} => seeds: expected an integer from 1 to 1000000, got 0
{"name":"x","seeds":"20"} => seeds: expected a number of seeds, or an object with from and count, got "20"
{"name":"x","seeds":{"to":20}} => seeds: expected from and count, got "to"
{"name":"x","seeds":{"from":4294967290,"count":9}} => seeds.count: expected an integer from 1 to 6, got 9
{"name":"x","base":{"nodes":200,"threshold":200,"dead":0.01}} => base.threshold: expected at most the 198 live nodes of 200, got 200
{"name":"x","base":{"nodes":200,"threshold":199},"vary":{"dead":[0,0.01]}} => dead 0.01: base.threshold: expected at most the 198 live nodes of 200, got 199
{"name":"x","base":{"nodes":4,"dead":0.25,"threshold":3,"faults":[{"kind":"crash","nodes":[2],"atMs":0}]},"seeds":{"count":9}} => base.threshold: expected at most the 2 live nodes of 4, got 3
{"name":"x","base":{"protocol":"gossip"},"vary":{"branching":[4]}} => branching 4: protocol with branching 4: expected handel, got "gossip"
`).map(([json, line]): [unknown, string] => [JSON.parse(json), line]),
  [{ name: 'a\nb' }, 'name: expected a string of 1 to 100 characters, got "a\\nb"'],
  [
    { name: 'x', vary: { gossip: [{ degre: 1 }] } },
    /^vary\.gossip\[0\]: expected only the fields .*, got "degre" \(Did you mean degree\?\)$/,
  ],
  [
    { name: 'x', vary: { 'cpu.perMesageUs': [1] } },
    /^vary: expected a field of a scenario \(.*\), got "cpu.perMesageUs" \(Did you mean cpu.perMessageUs\?\)$/,
  ],
  [{ name: 'x', vary: { 'cpu.perMessageUs': [-1] } }, /^vary\.cpu\.perMessageUs\[0\]: expected a number from 0/],
  [
    { name: 'x', vary: { dead: { from: 0, to: 1e9, step: 1e-9 } } },
    /^the sweep: expected at most 1000000 points, got 1000000000/,
  ],
  [
    { name: 'x', base: { node: 3 } },
    /^base: expected a field of a scenario \(protocol, nodes, .*\), got "node" \(Did you mean nodes\?\)$/,
  ],
])('refuses %j in one line', (sweep, line) => {
  const said = complaint(JSON.stringify(sweep));
  expect(said).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  expect(said).not.toContain('\n');
});

it.each([
  ['', 'expected JSON, got text that is not JSON'],
  ['{\n "name": "x",\n}', 'expected JSON, got text that is not JSON (line 3, column 1)'],
  ['{ "name": "x", "name": "y" }', 'expected JSON, got an object with a repeated name'],
  [`{"base": ${'['.repeat(200_000)}`, 'expected JSON, got values nested more than 100 levels deep'],
])('refuses a text that is not JSON, %j, with the position', (text, line) => expect(complaint(text)).toBe(line));

it('describeScenario names nodes, seed and the fields whose content differs from the defaults', () => {
  const scenario = structuredClone({ ...defaultScenario, dead: 0.2, attacks: [{ name: 'silent', share: 0.1 }] });
  expect(describeScenario(scenario)).toBe('nodes 1024, dead 0.2, seed 1, attacks [{"name":"silent","share":0.1}]');
});

it('variedText writes a value like its flag, also lists and settings of several parts', () => {
  const scenario = { ...defaultScenario, dead: 0.2, attacks: [{ name: 'invalid', share: 0.3 }] as const };
  const fields = ['dead', 'authenticated', 'attacks', 'without'];
  expect(fields.map((field) => variedText(scenario, field))).toEqual(['0.2', 'true', 'invalid:0.3', 'none']);
  for (const field of Object.keys(scenario)) expect(variedText(scenario, field)).not.toContain('[object');
});
