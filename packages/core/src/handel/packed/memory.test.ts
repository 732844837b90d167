import { describe, expect, it } from 'vitest';
import { rankedById } from '../../../test/priorities.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { CountingScheme } from '../../contribution/countingScheme.ts';
import { Tree } from '../../overlay/tree.ts';
import { noContribution } from '../../protocol.ts';
import { defaultHandelConfig } from '../config.ts';
import { HandelMemory } from './memory.ts';
import { HandelNode } from './node.ts';

describe('HandelMemory: a call inside another call throws at once', () => {
  type NodeCall = readonly [call: string, act: (node: HandelNode, scheme: CountingScheme) => void];
  const calls: readonly NodeCall[] = [
    ['start', (node) => node.start()],
    ['onMessage', (node, scheme) => node.onMessage(3, 1, scheme.individual(3), noContribution, 0)],
    ['onTimer', (node) => node.onTimer(0)],
    ['onVerified', (node) => node.onVerified(1000, true)],
    ['onBatchVerified', (node) => node.onBatchVerified(2000, [true])],
  ];

  /** Creates two nodes that share a memory. A port method of the first node calls the second node. */
  function withInside(asked: 'send' | 'verify' | 'output' | 'setTimer', act: (other: HandelNode) => void) {
    const scheme = new CountingScheme(new Tree(4));
    const options = { config: { ...defaultHandelConfig, threshold: 1 }, scheme, priorities: rankedById(4) };
    const memory = new HandelMemory(options);
    const port = new RecordingPort(scheme);
    const answering = Object.assign(new RecordingPort(scheme), {
      [asked]: () => {
        act(other);
        return 1000;
      },
    });
    const other = new HandelNode({ ...options, memory, id: 2, own: scheme.individual(2), port });
    const node = new HandelNode({ ...options, memory, id: 1, own: scheme.individual(1), port: answering });
    return { scheme, memory, options, port, node, other };
  }

  for (const asked of ['send', 'output', 'setTimer'] as const)
    for (const [call, act] of calls)
      it(`${call} inside ${asked}, into another node of the memory`, () => {
        const { node, scheme } = withInside(asked, (other) => act(other, scheme));
        expect(() => node.start()).toThrow(
          new TypeError(
            `${call} of node 2: expected a call after start of node 1 has returned, got a call inside start or after it threw; a port must answer in a later turn of the event loop`,
          ),
        );
      });

  it('the verdict inside verify, for the same node', () => {
    const { node, scheme } = withInside('verify', () => node.onVerified(1000, true));
    node.start();
    expect(() => node.onMessage(0, 1, scheme.individual(0), noContribution, 0)).toThrow(
      /^onVerified of node 1: expected a call after onMessage of node 1 has returned/,
    );
  });

  it('creating or reading another node; the node of the outer call can be read', () => {
    const made = withInside(
      'send',
      () => new HandelNode({ ...made.options, ...made, id: 0, own: made.scheme.individual(0) }),
    );
    expect(() => made.node.start()).toThrow(/^making node 0: expected a call after start of node 1/);
    const read = withInside('send', (other) => other.inspector.inWeight(1));
    expect(() => read.node.start()).toThrow(/^reading node 2: expected a call after start of node 1/);
    const weights: number[] = [];
    const own = withInside('output', () => weights.push(own.node.inspector.inWeight(1)));
    own.node.start();
    expect(weights).toEqual([0]);
  });

  it('after a call that threw, no node of the memory continues', () => {
    const { node, other } = withInside('send', () => {
      throw new Error('the socket is gone');
    });
    expect(() => node.start()).toThrow('the socket is gone');
    expect(() => node.onTimer(0)).toThrow(/^onTimer of node 1: .*start of node 1/);
    expect(() => other.start()).toThrow(/^start of node 2: .*start of node 1/);
  });

  it('an argument error before the first write changes nothing', () => {
    const { node, other } = withInside('verify', () => {});
    node.start();
    expect(() => node.start()).toThrow(RangeError);
    expect(() => node.onVerified(7, true)).toThrow(RangeError);
    expect(() => node.onBatchVerified(7, [])).toThrow(RangeError);
    other.start();
  });

  it('nodes of different memories can be called inside each other', () => {
    const { other } = withInside('send', () => {});
    const { node } = withInside('send', () => other.start());
    node.start();
    expect(other.inspector.bestOutput).toBe(1);
  });
});
