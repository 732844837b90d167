import { CountingScheme, Tree } from '@tutti/core';
import { expect, it, vi } from 'vitest';
import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';
import { RunOutputs } from './outputs.ts';

it('contains the heaviest output only', () => {
  const scheme = new CountingScheme(new Tree(4));
  const retained = vi.spyOn(scheme, 'retain');
  const released = vi.spyOn(scheme, 'release');
  // Outputs of dead nodes are not counted, but the heaviest one is retained.
  const world = { alive: new Uint8Array(4), live: 0 } as unknown as World;
  const outputs = new RunOutputs(scheme, world, {} as Metrics, 'threshold');
  const [one, two] = [scheme.individual(0), scheme.individual(1)];
  const both = scheme.aggregate(scheme.tree.ownBlock(0, 2), one, two);
  outputs.add(0, one, 1, 0);
  outputs.add(1, two, 1, 0);
  expect(outputs.heaviest).toEqual({ node: 0, contribution: one });
  outputs.add(1, both, 2, 0);
  expect(outputs.heaviest).toEqual({ node: 1, contribution: both });
  expect(retained.mock.calls).toEqual([[one], [both]]);
  expect(released.mock.calls).toEqual([[one]]);
});
