import { createMesh } from '@tutti/core/protocols';
import { expect, it } from 'vitest';
import { gossip } from './gossip.ts';

it('reaches everybody once, with D - 1 copies a member but for the publisher, who sends one more', () => {
  const mesh = createMesh(100, 8, 1);
  let reached = 0;
  const copies = gossip(
    mesh,
    [{ source: 5, atUs: 0 }],
    () => 1000,
    10,
    true,
    () => reached++,
  );
  const links = mesh.reduce((sum, of) => sum + of.length, 0);
  expect({ reached, copies }).toEqual({ reached: 99, copies: links - 99 });
});

it('takes a hop and a verification for each step along a ring', () => {
  const times: number[][] = [];
  gossip(
    createMesh(5, 2, 1),
    [{ source: 0, atUs: 7 }],
    () => 1000,
    10,
    true,
    (arrived, verified) => times.push([arrived, verified]),
  );
  expect(times).toEqual([
    [1000, 1010],
    [1000, 1010],
    [2010, 2020],
    [2010, 2020],
  ]);
});

it('verifies messages one after another', () => {
  const verified: number[] = [];
  const published = [1, 2, 3].map((source) => ({ source, atUs: 0 }));
  gossip(
    createMesh(4, 3, 1),
    published,
    () => 1000,
    600,
    true,
    (_, us) => verified.push(us),
  );
  // Everybody gets the three others' messages at once, publishers two: the mesh is complete.
  expect(verified.sort((a, b) => a - b)).toEqual([1600, 1600, 1600, 1600, 2200, 2200, 2200, 2200, 2800]);

  const alone: number[] = [];
  gossip(
    createMesh(4, 3, 1),
    published,
    () => 1000,
    600,
    false,
    (_, us) => alone.push(us),
  );
  expect(alone).toEqual(new Array(9).fill(1600));
});
