import type { ChainReport } from './ringMessages.ts';

/**
 * Returns the position of each of n members, in turns clockwise from the top. The seam, where the chain has to close,
 * is at the top.
 */
export function placeTurns(members: number): number[] {
  return Array.from({ length: members }, (_, i) => (i + 0.5) / members);
}

/**
 * Returns the range that a challenge spans, in turns. c_0 goes from the seam to the first member, c_n from the last
 * member to the seam. If there are n + 1 challenges, `members` is n.
 */
export function challengeSpan(number: number, members: number): readonly [number, number] {
  return [Math.max(0, (number - 0.5) / members), Math.min(1, (number + 0.5) / members)];
}

/**
 * State of a challenge. `closed`: the chain of challenges returns to its start. `given`: the chain does not return to
 * its start, and no change precedes the challenge. `off`: the chain does not return to its start, and the challenge
 * follows the change.
 */
type ChallengeCondition = 'closed' | 'given' | 'off';

/** Returns whether the last challenge equals the first one. If so, the signature is valid. */
export function isClosed({ challenges }: ChainReport): boolean {
  return challenges[0] === challenges.at(-1);
}

/** Returns the state of each challenge. */
export function challengeConditions(report: ChainReport): ChallengeCondition[] {
  const { challenges, changed } = report;
  if (isClosed(report)) return challenges.map(() => 'closed');
  return challenges.map((_, number) => (changed !== undefined && number > changed ? 'off' : 'given'));
}

/** Returns the point at a given distance from the centre, px; x increases to the right, y downwards. */
export function pointAt(turn: number, radius: number): readonly [number, number] {
  const radians = 2 * Math.PI * turn;
  return [radius * Math.sin(radians), -radius * Math.cos(radians)];
}

/** Returns the path of an arc. If the radius changes along the arc, the path is part of a spiral. */
export function arcPath(from: number, to: number, radius: number, endRadius = radius): string {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) * 96));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const share = i / steps;
    const [x, y] = pointAt(from + (to - from) * share, radius + (endRadius - radius) * share);
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  });
  return `M${points.join('L')}`;
}
