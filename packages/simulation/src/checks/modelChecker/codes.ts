import {
  type AggregationScheme,
  type Contribution,
  type CountingScheme,
  MessageFlag,
  noContribution,
} from '@tutti/core';

/** Events that can happen next in a model check. */
export const ChoiceKind = {
  /** Choice of the Byzantine node, before anything else. */
  cast: 0,
  /** A node starts. */
  start: 1,
  /** A message in flight arrives. */
  deliver: 2,
  /** A copy of a message in flight arrives; the message remains in flight. */
  repeat: 3,
  /** A message in flight is lost. */
  lose: 4,
  /** A node's dissemination timer expires. */
  timer: 5,
  /** A node's verification ends; the scheme determines the verdict. */
  verified: 6,
  /** A message made by the Byzantine node arrives. */
  inject: 7,
} as const;
export type ChoiceKind = (typeof ChoiceKind)[keyof typeof ChoiceKind];

/**
 * Encodes a choice as one integer: its kind, and a node's id or a message's code. A path to a state is a few integers,
 * and has the same meaning on each replay.
 */
export function choice(kind: ChoiceKind, about: number): number {
  return (kind << 24) | about;
}

/** Returns a choice's kind. */
export function kindOf(chosen: number): ChoiceKind {
  return (chosen >>> 24) as ChoiceKind;
}

/** Returns the node's id or the message's code in a choice. */
export function aboutOf(chosen: number): number {
  return chosen & 0xffffff;
}

/** Maximum number of nodes that fit the bits of the codes. */
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
 * Returns the code of a contribution: its set in the low 4 bits, its block in the next 3, and then a bit that is 1 if
 * the contribution is forged.
 */
export function codeOf(block: number, set: number, forged: number): number {
  return (forged << 7) | (block << 4) | set;
}

/**
 * Returns the code of a contribution, which does not depend on its handle; 0 for none. Contributions with the same code
 * are the same to every node, so codes can identify a state.
 */
export function contributionCode(scheme: AggregationScheme, contribution: Contribution): number {
  if (contribution === noContribution) return 0;
  return codeOf(scheme.block(contribution), scheme.setWords(contribution)[0]!, scheme.verify(contribution) ? 0 : 1);
}

/** Returns the contribution of a code, retained once for the caller. */
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

/** Returns a message as one integer of 24 bits, ordered by receiver, sender and level. */
export function messageCode({ from, to, level, aggregate, individual, flags }: CodedMessage): number {
  return (to << 22) | (from << 20) | (level << 18) | (flags << 16) | (individual << 8) | aggregate;
}

/** Decodes a message from its code. The inverse of {@link messageCode}. */
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

/** Returns a code's contribution as text: the signers in braces, preceded by `forged` if the contribution is forged. */
export function contributionText(scheme: AggregationScheme, code: number): string {
  if (code === 0) return 'nothing';
  const start = scheme.tree.start((code >>> 4) & 7);
  const signers = [0, 1, 2, 3].filter((index) => ((code >>> index) & 1) === 1).map((index) => start + index);
  return `${code >>> 7 === 1 ? 'forged ' : ''}{${signers.join(', ')}}`;
}

/** Returns a code's message as text, without the receiver. */
export function messageText(scheme: AggregationScheme, code: number): string {
  const { from, level, aggregate, individual, flags } = decodeMessageCode(code);
  const parts = [`level ${level}`, contributionText(scheme, aggregate)];
  if (individual !== 0) parts.push(`individual ${contributionText(scheme, individual)}`);
  if ((flags & MessageFlag.levelReceived) !== 0) parts.push('level received');
  if ((flags & MessageFlag.answer) !== 0) parts.push('answer');
  return `from ${from}: ${parts.join(', ')}`;
}
