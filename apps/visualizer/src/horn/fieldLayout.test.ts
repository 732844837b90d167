import { defaultHornParameters, hornSizes, scaledHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { blockAt, cornerOf, type FieldGrid, fieldGrid, fieldLayout, placeUnder } from './fieldLayout.ts';
import { VoterRole } from './fieldSlot.ts';
import { voteCells } from './fieldView.ts';
import { nodeGrid } from './nodeMapView.ts';
import { validatorChoices } from './slotChoice.ts';

function gridOf(validators: number): { grid: FieldGrid; committees: number; subcommittees: number } {
  const parameters = scaledHornParameters(validators, defaultHornParameters);
  const { committee, subcommittee } = hornSizes(parameters);
  return { grid: fieldGrid(parameters.committees, committee, subcommittee), ...parameters };
}

/** Numbers of committees, of votes per committee and of votes per subcommittee in live rooms of 1 to 16 members. */
const rooms = [
  [1, 8, 4],
  [1, 16, 8],
  [1, 32, 16],
  [2, 32, 16],
  [2, 64, 16],
] as const;

it.each([
  ...validatorChoices.map((validators) => ({ ...gridOf(validators), validators })),
  ...rooms.map(([committees, votes, part]) => {
    const grid = fieldGrid(committees, votes, part);
    return { grid, committees, subcommittees: votes / part, validators: committees * votes };
  }),
])('fieldGrid has a position for each of $validators votes only', ({ grid, committees, subcommittees, validators }) => {
  expect(grid.columns * grid.rows).toBe(committees);
  const { committee, subcommittee } = grid;
  const [width, height] = [grid.columns * committee.width, grid.rows * committee.height];
  expect(width * height).toBe(validators);
  expect([1, 2]).toContain(width / height);
  const corners = Array.from({ length: subcommittees }, (_, which) => cornerOf(grid, which));
  const taken = new Set(corners.map(({ x, y }) => `${x / subcommittee.width} ${y / subcommittee.height}`));
  expect(taken.size).toBe(subcommittees);
  expect(Math.max(...corners.map(({ x }) => x)) + subcommittee.width).toBe(committee.width);
  expect(Math.max(...corners.map(({ y }) => y)) + subcommittee.height).toBe(committee.height);
});

it.each([
  [350, 2],
  [600, 1],
  [620, 2],
])('fieldLayout fits %i pixels at a ratio of %i, and votes larger than a pixel have whole pixels', (width, ratio) => {
  for (const validators of validatorChoices) {
    const { grid } = gridOf(validators);
    const layout = fieldLayout(grid, width, ratio);
    expect(layout.width).toBeLessThanOrEqual(width + 1e-9);
    const pixels = (layout.block.width * ratio) / grid.committee.width;
    if (pixels >= 1) expect(pixels).toBe(Math.round(pixels));
    else expect(layout.width).toBeCloseTo(width);
  }
});

it('placeUnder finds every subcommittee at its centre', () => {
  const { grid, committees, subcommittees } = gridOf(2 ** 16);
  const layout = fieldLayout(grid, 500, 1);
  const scale = layout.block.width / grid.committee.width;
  for (let committee = 0; committee < committees; committee++) {
    const block = blockAt(grid, layout, committee);
    for (let subcommittee = 0; subcommittee < subcommittees; subcommittee++) {
      const corner = cornerOf(grid, subcommittee);
      const x = block.x + (corner.x + grid.subcommittee.width / 2) * scale;
      const y = block.y + (corner.y + grid.subcommittee.height / 2) * scale;
      expect(placeUnder(grid, layout, x, y)).toEqual({ committee, subcommittee });
    }
  }
});

it.each([
  [10, 3],
  [-1, 40],
  [66, 40],
  [10, 900],
])('placeUnder finds nothing outside of the blocks, at %i, %i', (x, y) => {
  const { grid } = gridOf(2 ** 16);
  expect(placeUnder(grid, fieldLayout(grid, 500, 1), x, y)).toBeUndefined();
});

it('voteCells orders each subcommittee: honest voters, votes excluded by Eve, offline validators, Eve’s votes', () => {
  const { honest, absent, byzantine, lostToEve } = VoterRole;
  const roles = Uint8Array.of(byzantine, lostToEve, absent, honest, honest, honest, byzantine, byzantine);
  expect([...voteCells({ roles, subcommittee: 4 })]).toEqual([3, 1, 2, 0, 0, 1, 2, 3]);
});

it('nodeGrid has the nodes of its class, largest first, with areas proportional to their validators', () => {
  const validators = Int32Array.of(4, 100, 25, 0, 7);
  const { nodes, sides, columns, rows } = nodeGrid(validators, Uint8Array.of(0, 0, 0, 0, 1), 0, 33, 11);
  expect([[...nodes], [...sides], columns, rows]).toEqual([[1, 2, 0, 3], [10, 5, 2, 0], 3, 2]);
});
