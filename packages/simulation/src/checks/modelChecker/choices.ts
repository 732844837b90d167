/** What can happen next in a small world. */
export const ChoiceKind = {
  /** Before anything else, where one node is Byzantine: which. */
  cast: 0,
  /** A node starts. */
  start: 1,
  /** A message in flight arrives. */
  deliver: 2,
  /** A message in flight arrives, and is in flight still. */
  repeat: 3,
  /** A message in flight is lost. */
  lose: 4,
  /** A node's dissemination timer runs out. */
  timer: 5,
  /** A node's verification is done; valid or not is what the scheme says. */
  verified: 6,
  /** The Byzantine node has a message of its own making arrive. */
  inject: 7,
} as const;
export type ChoiceKind = (typeof ChoiceKind)[keyof typeof ChoiceKind];

/**
 * A choice is one integer, its kind and a node's id or a message's code, so that the way to a state is a few integers,
 * and means the same whenever it is walked again.
 */
export function choice(kind: ChoiceKind, about: number): number {
  return (kind << 24) | about;
}

export function kindOf(choice: number): ChoiceKind {
  return (choice >>> 24) as ChoiceKind;
}

export function aboutOf(choice: number): number {
  return choice & 0xffffff;
}
