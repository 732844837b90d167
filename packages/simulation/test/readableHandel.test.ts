import {
  type CountingScheme,
  ForwardingPort,
  HandelNode,
  noContribution,
  type Port,
  readableHandel,
} from '@tutti/core';
import { expect, it } from 'vitest';
import { type Draw, drawn } from '../../../tests/drawn.ts';
import { signersOf } from '../../core/test/sets.ts';
import { Digest } from '../src/run/metrics.ts';
import { createSimulation } from '../src/run/simulation.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';
import { configOf } from '../src/world/honest.ts';
import { drawAttacks, drawFault, drawRun } from './drawnRuns.ts';

/** Requests of a node that are recorded, each with the positions of its contributions among the arguments. */
const requests = { send: [2, 3], setTimer: [], verify: [0], output: [0], refuse: [], trace: [3] } as const;
type Request = keyof typeof requests;
const names = Object.keys(requests) as Request[];

/** Records a request: time, node, name, arguments other than contributions, and contributions. */
type Note = (timeUs: number, id: number, name: Request, args: unknown[], contributions: number[]) => void;

function notingPort(port: Port, id: number, note: Note): Port {
  const noting = new ForwardingPort(port);
  const calls = names.map((name) => {
    const places: readonly number[] = requests[name];
    const forward = noting[name].bind(noting) as (...args: unknown[]) => unknown;
    const call = (...args: unknown[]) => {
      const plain = args.filter((_, place) => !places.includes(place));
      note(
        noting.nowUs(),
        id,
        name,
        plain,
        places.map((place) => args[place] as number),
      );
      return forward(...args);
    };
    return [name, call];
  });
  return Object.assign(noting, Object.fromEntries(calls));
}

/** Runs a scenario and records all requests of its nodes. @returns outcome and contributions held at the end. */
function runOf(
  kind: 'readable' | 'packed',
  scenario: Scenario,
  options: SimulationOptions,
  note: (scheme: CountingScheme) => Note,
) {
  const nodes: SimulationOptions['nodes'] = ({ scheme, priorities, threshold, quorum }) => {
    const config = configOf(scenario, threshold);
    const noteOf = note(scheme as CountingScheme);
    return (id, own, port) => {
      const parts = { id, config, scheme, priorities, quorum, own, port: notingPort(port, id, noteOf) };
      return kind === 'readable' ? readableHandel(parts) : new HandelNode(parts);
    };
  };
  const simulation = createSimulation(scenario, { ...options, nodes });
  while (simulation.advance(1 << 20));
  const { ended, refused } = simulation.result();
  const { held } = simulation.scheme as CountingScheme;
  return `${ended}, ${simulation.events} events, ${JSON.stringify(refused)}, ${held} contributions held`;
}

function digestOf(kind: 'readable' | 'packed', scenario: Scenario, options: SimulationOptions): string {
  const digest = new Digest();
  const outcome = runOf(kind, scenario, options, (scheme) => (timeUs, id, name, args, contributions) => {
    digest.add(timeUs, id * names.length + names.indexOf(name));
    for (const one of args) digest.add(typeof one === 'number' ? one : String(one).length, 0);
    for (const one of contributions) {
      digest.add(one === noContribution ? 0 : scheme.block(one), 1);
      if (one !== noContribution) for (const word of scheme.setWords(one)) digest.add(word, 2);
    }
  });
  return `${outcome}, digest ${digest}`;
}

function linesOf(kind: 'readable' | 'packed', scenario: Scenario, options: SimulationOptions): string[] {
  const lines: string[] = [];
  const outcome = runOf(kind, scenario, options, (scheme) => (timeUs, id, name, args, contributions) => {
    const sets = contributions.map((one) => `{${signersOf(scheme, one)}}`);
    lines.push(`${timeUs / 1000} ms: node ${id}: ${name} ${[...args, ...sets].join(' ')}`);
  });
  return [...lines, outcome];
}

function expectAlike(scenario: Scenario, options: SimulationOptions): void {
  if (digestOf('readable', scenario, options) === digestOf('packed', scenario, options)) return;
  const [readable, packed] = [linesOf('readable', scenario, options), linesOf('packed', scenario, options)];
  const at = readable.findIndex((line, index) => line !== packed[index]);
  const both = readable.slice(Math.max(0, at - 3), at).map((line) => `    both: ${line}`);
  const apart = [...both, `readable: ${readable[at]}`, `  packed: ${packed[at]}`].join('\n');
  expect.fail(`in the world ${JSON.stringify(scenario)}\nthe nodes differ from request ${at} on:\n${apart}`);
}

/** Draws a scenario of a few nodes that both implementations support: no batches, and no mechanism switched off. */
function drawWorld(draw: Draw, seed: number): Scenario {
  const nodes = draw.chance(0.04) ? draw.integer(65, 130) : draw.integer(3, 40);
  const verifyMs = draw.one([0.5, 4, 15, 60]);
  const backOff = draw.chance(0.8);
  const run = drawRun(draw, seed, { nodes, batch: 1, without: [], absentMs: 400, backOff, verifyMs });
  return {
    ...(draw.chance(0.5) ? run : drawAttacks(draw, run)),
    faults: draw.chance(0.6) ? [] : draw.list(draw.integer(1, 2), () => drawFault(draw, nodes)),
  };
}

it('the readable node of Handel and the packed one make the same calls in each of 300 random networks, and retain as many contributions at the end', () => {
  drawn(300, (draw, seed) => {
    const until = draw.one(['threshold', 'fairness'] as const);
    expectAlike(drawWorld(draw, seed), { until, giveUpAfterMs: 1200 });
  });
});

it('both nodes back off alike if their own contribution is already an output', () => {
  const scenario = { ...defaultScenario, nodes: 8, dead: 0.5, threshold: 0.25, tree: 'packed', seed: 3 } as const;
  expectAlike(scenario, { until: 'fairness', giveUpAfterMs: 2000 });
});
