import {
  type AggregationScheme,
  type Contribution,
  type CountingScheme,
  MessageFlag,
  noContribution,
} from '@tutti/core';

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

/** The largest world that fits the bits of the codes here. */
export const maxNodes = 4;

/** A message as data, its contributions as {@link contributionCode codes}. */
export interface CodedMessage {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly aggregate: number;
  readonly individual: number;
  readonly flags: number;
}

/**
 * What a contribution is, whatever its handle: its set in the low 4 bits, its block in the next 3, and whether it is
 * forged. 0 for none. Two contributions with one code are the same to every node, so a state can be named by codes.
 */
export function contributionCode(scheme: AggregationScheme, contribution: Contribution): number {
  if (contribution === noContribution) return 0;
  const forged = scheme.verify(contribution) ? 0 : 1;
  return (forged << 7) | (scheme.block(contribution) << 4) | scheme.setWords(contribution)[0]!;
}

/** The contribution that a code stands for, retained once for the caller. */
export function decodeContribution(scheme: CountingScheme, code: number): Contribution {
  if (code === 0) return noContribution;
  const block = (code >>> 4) & 7;
  const set = code & 15;
  if (code >>> 7 === 1) return scheme.forge(block, Int32Array.of(set));
  const { tree } = scheme;
  let made: Contribution = noContribution;
  for (let index = 0; index < tree.size(block); index++) {
    if (((set >>> index) & 1) === 0) continue;
    const wider = scheme.aggregate(block, made, scheme.individual(tree.start(block) + index));
    scheme.release(made);
    made = wider;
  }
  return made;
}

/** A message as one integer of 24 bits, ordered by receiver, sender and level. */
export function messageCode({ from, to, level, aggregate, individual, flags }: CodedMessage): number {
  return (to << 22) | (from << 20) | (level << 18) | (flags << 16) | (individual << 8) | aggregate;
}

export function decodeMessageCode(code: number): CodedMessage {
  return {
    to: (code >>> 22) & 3,
    from: (code >>> 20) & 3,
    level: (code >>> 18) & 3,
    flags: (code >>> 16) & 3,
    individual: (code >>> 8) & 255,
    aggregate: code & 255,
  };
}

/** A contribution for people: its signers, `!` when it is forged. */
export function contributionText(scheme: AggregationScheme, code: number): string {
  if (code === 0) return 'nothing';
  const start = scheme.tree.start((code >>> 4) & 7);
  const signers = [0, 1, 2, 3].filter((index) => ((code >>> index) & 1) === 1).map((index) => start + index);
  return `${code >>> 7 === 1 ? 'forged ' : ''}{${signers.join(', ')}}`;
}

/** A message for people, without its receiver. */
export function messageText(scheme: AggregationScheme, code: number): string {
  const { from, level, aggregate, individual, flags } = decodeMessageCode(code);
  const parts = [`level ${level}`, contributionText(scheme, aggregate)];
  if (individual !== 0) parts.push(`individual ${contributionText(scheme, individual)}`);
  if ((flags & MessageFlag.levelReceived) !== 0) parts.push('level received');
  if ((flags & MessageFlag.answer) !== 0) parts.push('answer');
  return `from ${from}: ${parts.join(', ')}`;
}
