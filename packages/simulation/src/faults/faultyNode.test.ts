import { type Contribution, CountingScheme, noContribution, type Port, type ProtocolNode, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../core/test/sets.ts';
import { EventQueue } from '../engine/eventQueue.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { FaultyNode } from './faultyNode.ts';
import { faultsByNode } from './nodeFaults.ts';

/** A runtime with one node, and a log of every call that each incarnation received, with the node's own time. */
class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly log: string[] = [];
  readonly counted: string[] = [];
  readonly ports: Port[] = [];
  readonly node: FaultyNode;
  readonly #queue = new EventQueue();
  readonly #events: (() => void)[] = [];
  #tickets = 0;

  constructor(...faults: Fault[]) {
    this.node = new FaultyNode({
      faults: faultsByNode(faults, 16, 1).get(0)!,
      port: this.#runtimePort(),
      scheme: this.scheme,
      make: (port) => this.#write(port),
      onStateLost: () => this.log.push('state lost'),
      count: (what) => this.counted.push(what),
    });
  }

  get port(): Port {
    return this.ports.at(-1)!;
  }

  at(ms: number, action: () => void): void {
    this.#push(ms * 1000, action);
  }

  message(from: number, aggregate: Contribution = this.scheme.individual(from)): void {
    this.node.onMessage(from, 1, aggregate, noContribution, 0);
  }

  run(): string[] {
    while (this.#queue.next()) this.#events[this.#queue.b]!();
    return this.log;
  }

  #write(port: Port): ProtocolNode {
    this.ports.push(port);
    const life = this.ports.length;
    const write = (what: string): void => void this.log.push(`${port.nowUs() / 1000} life ${life}: ${what}`);
    return {
      start: () => write('start'),
      onMessage: (from) => write(`message of ${from}`),
      onTimer: (timer) => write(`timer ${timer}`),
      onVerified: (ticket, valid) => write(`verified ${ticket} ${valid}`),
    };
  }

  #runtimePort(): Port {
    return {
      nowUs: () => this.#queue.timeUs,
      send: () => {},
      setTimer: (delayUs, timer) => this.#push(this.#queue.timeUs + delayUs, () => this.node.onTimer(timer)),
      verify: () => {
        const ticket = ++this.#tickets;
        this.#push(this.#queue.timeUs + 10_000, () => this.node.onVerified(ticket, true));
        return ticket;
      },
      output: () => {},
      refuse: () => {},
      trace: () => {},
    };
  }

  #push(timeUs: number, action: () => void): void {
    this.#queue.push(timeUs, 0, this.#events.push(action) - 1, 0, 0);
  }
}

const pause: Fault = { kind: 'pause', nodes: [0], atMs: 10, forMs: 20 };

const kept: Fault = { kind: 'restart', nodes: [0], atMs: 10, forMs: 20, state: 'kept' };
const lost: Fault = { ...kept, state: 'lost' };

it.each<readonly [what: string, fault: Fault, messagesAtMs: readonly number[], log: string[], counted: string[]]>([
  [
    'a pause handles events of the pause afterwards, in order',
    pause,
    [9, 10, 16, 29.999, 30],
    [
      '0 life 1: start',
      '9 life 1: message of 1',
      '30 life 1: message of 2',
      '30 life 1: verified 1 true',
      '30 life 1: message of 3',
      '30 life 1: timer 7',
      '30 life 1: message of 4',
      '30 life 1: message of 5',
      '45 life 1: timer 8',
    ],
    ['pause'],
  ],
  [
    'a restart with preserved state loses messages of the meantime, and completes due timers and the verification',
    kept,
    [12, 31],
    [
      ...['0 life 1: start', '30 life 1: verified 1 true', '30 life 1: timer 7', '31 life 1: message of 2'],
      '45 life 1: timer 8',
    ],
    ['restart', 'missed'],
  ],
  [
    'a restart with its state lost replaces the node by one without state, which starts at once',
    lost,
    [12, 31],
    ['0 life 1: start', 'state lost', '30 life 2: start', '31 life 2: message of 2'],
    ['restart', 'missed'],
  ],
  [
    'a crash ends all calls to a node',
    { kind: 'crash', nodes: [0], atMs: 10 },
    [9.999, 10],
    ['0 life 1: start', '9.999 life 1: message of 1'],
    ['crash', 'missed'],
  ],
])('%s', (_what, fault, messagesAtMs, log, counted) => {
  const bench = new Bench(fault);
  bench.at(0, () => bench.node.start());
  bench.at(5, () => {
    bench.port.setTimer(12_000, 7);
    bench.port.setTimer(40_000, 8);
    bench.port.verify(1, 1, 1);
  });
  for (const [index, ms] of messagesAtMs.entries()) bench.at(ms, () => bench.message(index + 1));
  expect(bench.run()).toEqual(log);
  expect(bench.counted).toEqual(counted);
});

it('a node that crashes at its start never starts', () => {
  const bench = new Bench({ kind: 'crash', nodes: [0], atMs: 0 });
  bench.at(0, () => bench.node.start());
  expect(bench.run()).toEqual([]);
});

it('a pause retains the contributions of a message during the pause', () => {
  const bench = new Bench(pause);
  bench.at(15, () => {
    const lent = contributionOf(bench.scheme, 1, [1, 2, 3]);
    bench.message(1, lent);
    bench.scheme.release(lent);
  });
  for (const [ms, held] of [
    [15, 1],
    [29, 1],
    [30, 0],
  ] as const)
    bench.at(ms, () => expect(bench.scheme.held).toBe(held));
  expect(bench.run()).toEqual(['30 life 1: message of 1']);
});

describe('a restart with its state lost', () => {
  it('discards timers and the verification of the previous incarnation', () => {
    const bench = new Bench({ ...lost, forMs: 1 });
    bench.at(0, () => bench.node.start());
    bench.at(5, () => {
      bench.port.setTimer(5500, 6);
      bench.port.setTimer(30_000, 7);
      bench.port.verify(1, 1, 1);
    });
    bench.at(12, () => {
      expect([bench.node.hasForgotten(1), bench.node.hasForgotten(2)]).toEqual([true, false]);
      expect(bench.port.verify(1, 1, 1)).toBe(2);
      bench.port.setTimer(30_000, 8);
    });
    expect(bench.run().slice(1)).toEqual([
      'state lost',
      '11 life 2: start',
      '22 life 2: verified 2 true',
      '42 life 2: timer 8',
    ]);
  });

  it.each([
    [15, 30],
    [40, 40],
  ])('starts a node at its start time, %i ms, or after its return: at %i ms', (startMs, expectedMs) => {
    const bench = new Bench(lost);
    bench.at(startMs, () => bench.node.start());
    expect(bench.run()).toEqual(['state lost', `${expectedMs} life 2: start`]);
  });
});

it('v1.03 4.2.1: a slow node multiplies the time of verifications that begin meanwhile', () => {
  const bench = new Bench({ kind: 'slow-nodes', nodes: [0], factor: 3, atMs: 10, forMs: 20 });
  for (const ms of [9, 10, 29, 30]) bench.at(ms, () => bench.port.verify(1, 1, 1));
  expect(bench.run()).toEqual([
    '19 life 1: verified 1 true',
    '40 life 1: verified 2 true',
    '40 life 1: verified 4 true',
    '59 life 1: verified 3 true',
  ]);
  expect(bench.counted).toEqual(['slow-nodes', 'slow-nodes']);
});

it('a slow node receives no verdicts after it lost its state in the meantime', () => {
  const slow: Fault = { kind: 'slow-nodes', nodes: [0], factor: 3 };
  const bench = new Bench(slow, { kind: 'restart', nodes: [0], atMs: 15, forMs: 1, state: 'lost' });
  bench.at(0, () => bench.port.verify(1, 1, 1));
  expect(bench.run()).toEqual(['state lost']);
});

it('a clock with an error has an offset and its own rate, and so do its timers', () => {
  const bench = new Bench({ kind: 'drift', nodes: [0], rate: 2 }, { kind: 'skew', nodes: [0], byMs: -5 });
  bench.at(0, () => {
    expect(bench.port.nowUs()).toBe(-5000);
    bench.port.setTimer(30_000, 1);
  });
  bench.at(10, () => expect(bench.port.nowUs()).toBe(15_000));
  expect(bench.run()).toEqual(['25 life 1: timer 1']);
  expect(bench.counted).toEqual(['skew', 'drift']);
});
