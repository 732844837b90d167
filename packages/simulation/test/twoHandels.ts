import {
  type AggregationScheme,
  type Contribution,
  type CountingScheme,
  ForwardingPort,
  HandelNode,
  noContribution,
  type Port,
  readableHandel,
  type TraceKind,
} from '@tutti/core';
import { signersOf } from '../../core/test/sets.ts';
import { Digest } from '../src/engine/digest.ts';
import { createSimulation } from '../src/run/simulation.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';
import { configOf, type HonestNodes } from '../src/world/honest.ts';

/**
 * Two implementations of a node that must behave identically: the readable specification, and the packed implementation
 * for speed.
 */
const kinds = ['readable', 'packed'] as const;
type Kind = (typeof kinds)[number];

const names = ['sends', 'sets a timer', 'verifies', 'gives', 'refuses', 'traces'] as const;
const Asked = { send: 0, setTimer: 1, verify: 2, output: 3, refuse: 4, trace: 5 } as const;

/** Records a node's request: its time, node, kind, arguments and contributions. */
type Note = (timeUs: number, id: number, asked: number, args: readonly number[], contributions: Contribution[]) => void;

class NotingPort extends ForwardingPort {
  readonly #id: number;
  readonly #note: Note;

  constructor(port: Port, id: number, note: Note) {
    super(port);
    this.#id = id;
    this.#note = note;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#note(this.nowUs(), this.#id, Asked.send, [to, level, flags], [aggregate, individual]);
    super.send(to, level, aggregate, individual, flags);
  }

  override setTimer(delayUs: number, timer: number): void {
    this.#note(this.nowUs(), this.#id, Asked.setTimer, [delayUs, timer], []);
    super.setTimer(delayUs, timer);
  }

  override verify(contribution: Contribution, level: number, peer: number): number {
    this.#note(this.nowUs(), this.#id, Asked.verify, [level, peer], [contribution]);
    return super.verify(contribution, level, peer);
  }

  override output(contribution: Contribution): void {
    this.#note(this.nowUs(), this.#id, Asked.output, [], [contribution]);
    super.output(contribution);
  }

  override refuse(level: number, peer: number, code: Parameters<Port['refuse']>[2]): void {
    this.#note(this.nowUs(), this.#id, Asked.refuse, [level, peer, code.length], []);
    super.refuse(level, peer, code);
  }

  override trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.#note(this.nowUs(), this.#id, Asked.trace, [kind, level, peer], [contribution]);
    super.trace(kind, level, peer, contribution);
  }
}

/** Creates the nodes of a run in one of the two implementations, with ports that record all requests. */
function nodesOf(kind: Kind, note: (scheme: AggregationScheme) => Note): NonNullable<SimulationOptions['nodes']> {
  return ({ scenario, scheme, priorities, threshold, quorum }): HonestNodes => {
    const config = configOf(scenario, threshold);
    const noteOf = note(scheme);
    return (id, own, port) => {
      const options = { id, config, scheme, priorities, quorum, own, port: new NotingPort(port, id, noteOf) };
      return kind === 'readable' ? readableHandel(options) : new HandelNode(options);
    };
  };
}

/**
 * Runs a scenario. Returns a digest of all requests made by the nodes, and the number of contributions held at the end
 * of the run.
 */
export function runOf(kind: Kind, scenario: Scenario, options: SimulationOptions = {}): string {
  const digest = new Digest();
  const nodes = nodesOf(kind, (scheme) => (timeUs, id, asked, args, contributions) => {
    digest.add(timeUs, (id << 3) | asked);
    for (const one of args) digest.add(one, 0);
    for (const one of contributions) {
      digest.add(one === noContribution ? 0 : scheme.block(one), 1);
      if (one !== noContribution) for (const word of scheme.setWords(one)) digest.add(word, 2);
    }
  });
  const simulation = createSimulation(scenario, { ...options, nodes });
  while (simulation.advance(1 << 20));
  const { ended, refused } = simulation.result();
  const { held } = simulation.scheme as CountingScheme;
  return `${ended}, ${simulation.events} events, ${JSON.stringify(refused)}, ${held} contributions held, digest ${digest}`;
}

/** Returns the requests of all nodes of a run, one per line. */
function linesOf(kind: Kind, scenario: Scenario, options: SimulationOptions): string[] {
  const lines: string[] = [];
  const nodes = nodesOf(kind, (scheme) => (timeUs, id, asked, args, contributions) => {
    const sets = contributions.map((one) => (one === noContribution ? '-' : `{${signersOf(scheme, one).join()}}`));
    lines.push(`${timeUs / 1000} ms: node ${id} ${names[asked]} ${args.join(', ')} ${sets.join(' ')}`);
  });
  const simulation = createSimulation(scenario, { ...options, nodes });
  while (simulation.advance(1 << 20));
  return lines;
}

/** Returns the first difference between the two implementations for a scenario, as a readable message. */
export function firstDifference(scenario: Scenario, options: SimulationOptions = {}): string {
  const [readable, packed] = [linesOf('readable', scenario, options), linesOf('packed', scenario, options)];
  const at = readable.findIndex((line, index) => line !== packed[index]);
  const place = at === -1 ? readable.length : at;
  const lines = [
    ...readable.slice(Math.max(0, place - 3), place).map((line) => `   both: ${line}`),
    `readable: ${readable[place] ?? 'nothing more'}`,
    `  packed: ${packed[place] ?? 'nothing more'}`,
    ...kinds.map((kind) => `${kind}: ${runOf(kind, scenario, options)}`),
  ];
  return `in the world ${JSON.stringify(scenario)}\nthe nodes differ from event ${place} on:\n${lines.join('\n')}`;
}
