import { expect, it } from 'vitest';
import { refusedBy } from '../../../../../tests/outcomes.ts';
import { CountingScheme } from '../../contribution/countingScheme.ts';
import { Tree } from '../../overlay/tree.ts';
import { IndependentPriorities, ShiftedPriorities } from '../../overlay/verificationPriority.ts';
import { Quorum, Stakes } from '../../stakes/stakes.ts';
import { defaultHandelConfig } from '../config.ts';
import { HandelMemory } from './memory.ts';
import { HandelNode } from './node.ts';

it('refuses invalid parts of a node, and names them', () => {
  const tree = new Tree(4);
  const scheme = new CountingScheme(tree);
  const config = { ...defaultHandelConfig, threshold: 3 };
  const priorities = new ShiftedPriorities(4, 1);
  const methods = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];
  const port = Object.fromEntries(methods.map((name) => [name, () => 0]));
  const right = { id: 0, config, scheme, priorities, own: scheme.individual(0), port };
  const quorumOf = (nodes: number) =>
    new Quorum([{ stakes: new Stakes(new Tree(nodes), new Array(nodes).fill(1n)), min: 3n }]);
  const custom = { rank() {}, places() {}, contact() {} };
  const memory = new HandelMemory({ config, scheme, priorities });
  const cases: readonly (readonly [object, string])[] = [
    ...[{}, { memory }, { quorum: quorumOf(4) }, { config: { ...config, batch: 1 } }].map(
      (of) => [of, 'taken'] as const,
    ),
    [{ quorum: quorumOf(5) }, 'quorum'],
    [{ quorum: quorumOf(4), memory }, 'memory'],
    [{ memory, config: { ...config } }, 'memory'],
    [{ memory, scheme: new CountingScheme(tree) }, 'memory'],
    [{ memory, priorities: new ShiftedPriorities(4, 1) }, 'memory'],
    [{ config: { ...config, batch: 2 } }, 'port.verifyBatch'],
    [{ config: { ...config, batch: 2 }, port: { ...port, verifyBatch: () => 0 } }, 'taken'],
    [{ priorities: {} }, 'priorities.rank'],
    ...[ShiftedPriorities, IndependentPriorities].flatMap((Priorities) =>
      [new Priorities(3, 1), new Priorities(5, 1), new Priorities(4, 1, 'packed')].map(
        (of) => [{ priorities: of }, 'priorities'] as const,
      ),
    ),
    [{ scheme: new CountingScheme(new Tree(4, 'packed')) }, 'priorities'],
    [{ scheme: new CountingScheme(new Tree(4, 'spread', 4)) }, 'taken'],
    [{ config: { ...config, threshold: 5 } }, 'threshold'],
    [{ config: { ...config, batch: 33 } }, 'batch'],
    [{ priorities: { rank() {}, contact() {}, span: 4 } }, 'priorities.places'],
    [{ priorities: custom }, 'priorities.span'],
    [{ priorities: { ...custom, span: 3 } }, 'priorities.span'],
    [{ priorities: { ...custom, span: 4 } }, 'taken'],
    [{ scheme: {} }, 'scheme.block'],
    [{ own: undefined }, 'own'],
    ...[-1, 4, 1.5, Number.NaN].map((id) => [{ id }, 'id'] as const),
    [{ rules: { choose() {} } }, 'rules'],
    ...['select', 'score', 'window'].map((name) => [{ rules: { [name]: 7 } }, `rules.${name}`] as const),
  ];
  const refusals = cases.map(([fields]) => refusedBy(() => new HandelNode({ ...right, ...fields } as never)));
  expect(refusals).toEqual(cases.map(([, refused]) => refused));
  expect(refusedBy(() => new CountingScheme(tree, quorumOf(5).requirements[0]!.stakes))).toBe('stakes');
});
