import { describe, expect, it } from 'vitest';
import { rankedById } from '../../test/priorities.ts';
import { RecordingPort, type Sent } from '../../test/recordingPort.ts';
import { signersOf } from '../../test/sets.ts';
import { upTo } from '../../test/sizes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { ShiftedPriorities } from '../overlay/shiftedPriorities.ts';
import { Tree } from '../overlay/tree.ts';
import { RandomStream } from '../random.ts';
import { defaultHandelConfig } from './config.ts';
import { HandelMemory } from './memory.ts';
import { HandelNode } from './node.ts';
import { List } from './pending.ts';

const nodes = 13;
const tree = new Tree(nodes);

function parts() {
  return {
    config: { ...defaultHandelConfig, threshold: nodes },
    scheme: new CountingScheme(tree),
    priorities: rankedById(nodes),
  };
}

/** All nodes of a registry, in one memory or each in its own, told things in an order that a seed draws; and all that they did. */
function played(seed: number, isShared: boolean) {
  const options = parts();
  const memory = isShared ? { memory: new HandelMemory(options) } : {};
  const { scheme } = options;
  const ports = upTo(nodes).map(() => new RecordingPort(scheme));
  const all = ports.map((port, id) => new HandelNode({ ...options, ...memory, id, own: scheme.individual(id), port }));
  const inboxes = upTo(nodes).map((): { from: number; message: Sent }[] => []);
  const random = new RandomStream(seed, 'memory');
  const did: unknown[] = [];
  const started = new Set<number>();
  for (let step = 0; step < 1500; step++) {
    const id = random.nextBelow(nodes);
    const [node, port, inbox] = [all[id]!, ports[id]!, inboxes[id]!];
    const what = random.nextBelow(4);
    const [check, arrived] = [port.checks[0], inbox[0]];
    if (what === 0 && check !== undefined) {
      port.checks.shift();
      // One in eight is said to be invalid, so that peers are blacklisted too.
      node.onVerified(check.ticket, random.nextBelow(8) > 0);
    } else if (what <= 2 && arrived !== undefined) {
      inbox.shift();
      const { level, aggregate, individual, flags } = arrived.message;
      node.onMessage(arrived.from, level, aggregate, individual, flags);
    } else if (!started.has(id)) {
      started.add(id);
      node.start();
    } else {
      const [next] = port.timers.sort((one, other) => one.dueUs - other.dueUs).splice(0, 1);
      if (next === undefined) continue;
      port.timeUs = next.dueUs;
      node.onTimer(next.timer);
    }
    for (const message of port.takeSent()) {
      inboxes[message.to]!.push({ from: id, message });
      did.push({ id, to: message.to, level: message.level, signers: message.signers, flags: message.flags });
    }
  }
  const asked = upTo(tree.levels).flatMap((below) =>
    all.map((node) => {
      const kept: number[] = [];
      node.forEachKept(below + 1, List.verified, (sender) => kept.push(sender));
      const inLevel = signersOf(scheme, node.in(below + 1));
      return [node.inWeight(below + 1), inLevel, node.pendingOn(below + 1), node.keptInts(), node.state.id, kept];
    }),
  );
  const told = ports.map(({ outputs, traces, refusals }) => ({
    outputs,
    refusals,
    traces: traces.map(({ kind, level, peer }) => [kind, level, peer]),
  }));
  return { did, asked, told };
}

describe('HandelMemory', () => {
  it('keeps nodes apart that share it, however what they are told is interleaved', () => {
    for (const seed of [1, 2, 3]) {
      const alone = played(seed, false);
      expect(played(seed, true)).toEqual(alone);
      expect(alone.did.length).toBeGreaterThan(200);
      expect(alone.told.some(({ outputs }) => outputs.length > 0)).toBe(true);
    }
  });

  it('serves no node of another config, scheme or priorities', () => {
    const options = parts();
    const memory = new HandelMemory(options);
    for (const other of [
      { config: { ...options.config } },
      { scheme: new CountingScheme(tree) },
      { priorities: rankedById(nodes) },
    ])
      expect(
        () => new HandelNode({ ...options, ...other, memory, id: 0, own: 1, port: new RecordingPort(options.scheme) }),
      ).toThrow(TypeError);
  });
});

it('HandelMemory: priorities of fewer nodes than the tree has are a mistake of the caller', () => {
  const scheme = new CountingScheme(new Tree(8));
  const config = { ...defaultHandelConfig, threshold: 8 };
  expect(() => new HandelMemory({ config, scheme, priorities: new ShiftedPriorities(4, 1) })).toThrow(
    new RangeError('priorities: expected ranks for the 8 nodes of the tree, got 4'),
  );
});
