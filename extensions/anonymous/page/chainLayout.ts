import type { ChainReport } from './ringMessages.ts';

/**
 * Turns, clockwise from the top, at which each of n members stands: so that the seam, where the chain has to close, is
 * on top.
 */
export function placeTurns(members: number): number[] {
  return Array.from({ length: members }, (_, i) => (i + 0.5) / members);
}

/** The angles that a challenge spans. c_0 goes from the seam to the first member, c_n from the last to the seam. */
export function challengeSpan(number: number, members: number): readonly [number, number] {
  return [Math.max(0, (number - 0.5) / members), Math.min(1, (number + 0.5) / members)];
}

/**
 * `closed`: of a chain that comes back to its start. `given`: of one that does not, before anything was changed. `off`:
 * after that.
 */
export type ChallengeCondition = 'closed' | 'given' | 'off';

export function challengeConditions({ challenges, changed }: ChainReport): ChallengeCondition[] {
  if (challenges[0] === challenges.at(-1)) return challenges.map(() => 'closed');
  return challenges.map((_, number) => (changed !== undefined && number > changed ? 'off' : 'given'));
}

/** A point so far from the middle, x to the right and y down. */
export function pointAt(turn: number, radius: number): readonly [number, number] {
  const radians = 2 * Math.PI * turn;
  return [radius * Math.sin(radians), -radius * Math.cos(radians)];
}

/** A path along the circle; where the radius changes on the way, a piece of a spiral. */
export function arcPath(from: number, to: number, radius: number, endRadius = radius): string {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) * 96));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const share = i / steps;
    const [x, y] = pointAt(from + (to - from) * share, radius + (endRadius - radius) * share);
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  });
  return `M${points.join('L')}`;
}
