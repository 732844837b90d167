import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../../tests/digests.ts';
import { CountingScheme } from '../../contribution/countingScheme.ts';
import { Tree } from '../../overlay/tree.ts';
import { ShiftedPriorities } from '../../overlay/verificationPriority.ts';
import { Quorum, Stakes } from '../../stakes/stakes.ts';
import { defaultHandelConfig } from '../config.ts';
import { HandelMemory } from './memory.ts';
import { HandelNode } from './node.ts';

it('what no node can be made of is refused, and named', () => {
  const tree = new Tree(4);
  const scheme = new CountingScheme(tree);
  const config = { ...defaultHandelConfig, threshold: 3 };
  const priorities = new ShiftedPriorities(4, 1);
  const methods = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];
  const port = Object.fromEntries(methods.map((name) => [name, () => 0]));
  const right = { id: 0, config, scheme, priorities, own: scheme.individual(0), port };
  const quorumOf = (nodes: number) =>
    new Quorum([
      {
        stakes: new Stakes(
          new Tree(nodes),
          Array.from({ length: nodes }, (_, at) => BigInt(at + 1)),
        ),
        least: 3n,
      },
    ]);
  const memory = new HandelMemory({ config, scheme, priorities });
  const wrong: object[] = [
    ...[{}, { quorum: quorumOf(4) }, { quorum: quorumOf(5) }, { quorum: quorumOf(4), memory }, { memory }],
    ...[
      { memory, config: { ...config } },
      { memory, scheme: new CountingScheme(tree) },
    ],
    ...[1, 2].map((batch) => ({ config: { ...config, batch } })),
    ...[{ config: { ...config, batch: 2 }, port: { ...port, verifyBatch: () => 0 } }, { priorities: {} }],
    ...[{ memory, priorities: new ShiftedPriorities(4, 1) }, { priorities: new ShiftedPriorities(5, 1) }],
    ...[{ priorities: new ShiftedPriorities(4, 1, 'packed') }, { priorities: { rank() {}, contact() {}, span: 3 } }],
    ...[{ priorities: { rank() {}, contact() {}, span: 4 } }, { scheme: {} }, { own: undefined }, { id: 4 }],
  ];
  expect(
    wrong.map((fields) => outcomeOf(() => new HandelNode({ ...right, ...fields } as never) && 'taken')),
  ).toMatchInlineSnapshot(`
    [
      "taken",
      "taken",
      "RangeError: quorum: expected stakes of the tree's 4 nodes, got "those of others"",
      "TypeError: memory: expected one made of the same config, scheme, priorities, quorum and rules, got "another"",
      "taken",
      "TypeError: memory: expected one made of the same config, scheme, priorities, quorum and rules, got "another"",
      "TypeError: memory: expected one made of the same config, scheme, priorities, quorum and rules, got "another"",
      "taken",
      "TypeError: port.verifyBatch: expected a runtime that verifies batches, for config.batch over 1, got undefined",
      "taken",
      "TypeError: priorities.rank: expected a function, got undefined",
      "TypeError: memory: expected one made of the same config, scheme, priorities, quorum and rules, got "another"",
      "RangeError: priorities: expected ranks for the spread tree of 4 nodes, got those for the spread tree of 5",
      "RangeError: priorities: expected ranks for the spread tree of 4 nodes, got those for the packed tree of 4",
      "RangeError: priorities.span: expected at least the 4 nodes of the tree, got 3",
      "taken",
      "TypeError: scheme.weight: expected a function, got undefined",
      "TypeError: own: expected a contribution, got undefined",
      "RangeError: id: expected an integer from 0 to 3, got 4",
    ]
  `);
  expect(outcomeOf(() => new CountingScheme(tree, quorumOf(5).requirements[0]!.stakes))).toMatchInlineSnapshot(
    `"RangeError: stakes: expected those of 4 nodes, got 5"`,
  );
});
