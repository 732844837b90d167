import type { AggregationScheme } from '../../contribution/scheme.ts';
import { expected } from '../../errors.ts';
import type { VerificationPriorities } from '../../overlay/verificationPriority.ts';
import type { Contribution } from '../../protocol.ts';
import { nextWindowSize, type WindowRanks } from '../config.ts';
import { type HandelRules, type HandelView, type QueuedEntry, resultOf } from '../options.ts';
import { List, nil } from './pending.ts';
import { pruneUseless } from './pruning.ts';
import { aggregateScore, entryScore, inStakeWeight, isUseful } from './score.ts';
import { bestInWindow, decideNext } from './selection.ts';
import type { HandelState, RuleSlots } from './state.ts';

/** The paper's rules. */
const paperRules: RuleSlots = {
  select: decideNext,
  score: aggregateScore,
  isUseful,
  window: nextWindowSize,
};

/** Returns the rules of a variant, with the paper's rule wherever the variant has none. */
export function slotsOf({ select, score, window }: HandelRules = {}): RuleSlots {
  return {
    ...paperRules,
    ...(select && { select: selectBy(select) }),
    ...(score && scoreBy(score)),
    ...(window && { window: (size, isValid, limits) => resultOf('window', window(size, isValid, limits), 1) }),
  };
}

function selectBy(select: NonNullable<HandelRules['select']>): RuleSlots['select'] {
  return (state, pruning) => {
    const levels = Array.from({ length: state.levels.count }, (_, index) => index + 1);
    if (pruning === 'prunes') for (const level of levels) pruneAllUseless(state, level);
    if (levels.every((level) => usefulEntries(state, level).length === 0)) return undefined;
    const chosen = select(new RuleView(state));
    if (chosen === undefined) return undefined;
    const { level, sender } = chosen;
    for (const entry of usefulEntries(state, level)) {
      if (state.pending.sender(entry) === sender) return { level, entry, rule: 'own' };
    }
    const got = `sender ${sender} of level ${level}`;
    throw new RangeError(expected('rules.select', 'a queued entry that can improve In_l', got));
  };
}

function scoreBy(score: NonNullable<HandelRules['score']>): Pick<RuleSlots, 'score' | 'isUseful'> {
  const scoreOf: RuleSlots['score'] = (state, level, aggregate) =>
    resultOf('score', score(new RuleView(state), level, aggregate), 0);
  return {
    score: scoreOf,
    isUseful: (state, level, aggregate) => scoreOf(state, level, aggregate) > inStakeWeight(state, level),
  };
}

function pruneAllUseless(state: HandelState, level: number): void {
  const { pending } = state;
  let before = nil;
  for (let entry = pending.head(level); entry !== nil; ) {
    const next = pending.next(entry);
    if (entryScore(state, level, entry) > inStakeWeight(state, level)) before = entry;
    else pruneUseless(state, level, before);
    entry = next;
  }
}

/**
 * Returns the queued entries of a level that can improve In_l, best-ranked first. The result is empty for an invalid
 * level number.
 */
function usefulEntries(state: HandelState, level: number): number[] {
  const { pending, levels } = state;
  const found: number[] = [];
  if (!Number.isInteger(level) || level < 1 || level > levels.count) return found;
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    if (entryScore(state, level, entry) > inStakeWeight(state, level)) found.push(entry);
  }
  return found;
}

/** View of a node's state for the rules of a variant. */
export class RuleView implements HandelView {
  readonly #state: HandelState;

  constructor(state: HandelState) {
    this.#state = state;
  }

  get id(): number {
    return this.#state.id;
  }

  get scheme(): AggregationScheme {
    return this.#state.scheme;
  }

  get priorities(): VerificationPriorities {
    return this.#state.priorities;
  }

  get windowLimits(): WindowRanks {
    return this.#state.window;
  }

  get levels(): number {
    return this.#state.levels.count;
  }

  size(level: number): number {
    return this.#state.levels.size(level);
  }

  in(level: number): Contribution {
    return this.#state.levels.in(level);
  }

  inWeight(level: number): number {
    return inStakeWeight(this.#state, level);
  }

  window(level: number): number {
    return this.#state.levels.window(level);
  }

  verified(level: number): readonly number[] {
    const { pending } = this.#state;
    const run = pending.run(level, List.verified);
    return Array.from({ length: pending.countOf(run) }, (_, place) => pending.senderIn(run, place));
  }

  queued(level: number): readonly QueuedEntry[] {
    return usefulEntries(this.#state, level).map((entry) => this.#entry(level, entry));
  }

  bestInWindow(level: number): QueuedEntry | undefined {
    const entry = bestInWindow(this.#state, level, this.window(level), 'keeps');
    return entry === nil ? undefined : this.#entry(level, entry);
  }

  score(level: number, aggregate: Contribution): number {
    return aggregateScore(this.#state, level, aggregate);
  }

  #entry(level: number, entry: number): QueuedEntry {
    const { pending } = this.#state;
    return {
      level,
      sender: pending.sender(entry),
      rank: pending.rank(entry),
      score: entryScore(this.#state, level, entry),
    };
  }
}
