import { NodeRole } from '@tutti/simulation';

/** A box of a drawing, CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns a tick in the middle of a box, as part of an SVG path. A tick marks finished elements without relying on
 * colour.
 */
export function tickPath({ x, y, width, height }: Box): string {
  const side = Math.min(width, height, 16);
  const at = (right: number, down: number) =>
    `${(x + width / 2 + right * side).toFixed(2)} ${(y + height / 2 + down * side).toFixed(2)}`;
  return `M${at(-0.28, 0.02)}L${at(-0.08, 0.22)}L${at(0.28, -0.22)}`;
}

/**
 * Returns a cross in the middle of a box, as part of an SVG path. A cross marks Byzantine nodes without relying on
 * colour.
 */
export function crossPath({ x, y, width, height }: Box): string {
  const half = Math.min(width, height, 16) * 0.3;
  const [left, right] = [x + width / 2 - half, x + width / 2 + half].map((at) => at.toFixed(2));
  const [top, foot] = [y + height / 2 - half, y + height / 2 + half].map((at) => at.toFixed(2));
  return `M${left} ${top}L${right} ${foot}M${right} ${top}L${left} ${foot}`;
}

/** Returns the line thickness of ticks in cells of a given size. */
export function tickWidth(side: number): number {
  return Math.min(2, Math.max(0.9, side / 8));
}

/**
 * Returns the CSS class of a mark that represents nodes with the given roles. The class is empty if one of the nodes is
 * honest; otherwise `byzantine` takes precedence over `dead`.
 */
export function roleClass(roles: Uint8Array): '' | 'byzantine' | 'dead' {
  if (roles.includes(NodeRole.honest)) return '';
  return roles.includes(NodeRole.byzantine) ? 'byzantine' : 'dead';
}

/** Returns the node that stands for the nodes [from, to): the first honest one, or the first one if none is honest. */
export function firstHonest(role: Uint8Array, from: number, to: number): number {
  return from + Math.max(0, role.subarray(from, to).indexOf(NodeRole.honest));
}
