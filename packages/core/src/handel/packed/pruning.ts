import { noContribution } from '../../protocol.ts';
import { List, nil, unscored } from './pending.ts';
import { type HandelState, rankOf } from './state.ts';

const individualLists = [List.dormant, List.verified] as const;

/** Prunes all contributions of a level whose In_l is complete (v1.03 section 3.5.3 (2)). */
export function pruneLevel(state: HandelState, level: number): void {
  const { pending, scheme } = state;
  while (pending.head(level) !== nil) dropAfter(state, level, nil);
  for (const list of individualLists) {
    const run = pending.run(level, list);
    for (let place = pending.countOf(run) - 1; place >= 0; place--) {
      scheme.release(pending.removeIndividual(level, list, place));
    }
  }
}

/** Prunes all contributions of a sender identified as Byzantine (v1.03 section 3.5.3 (1)). */
export function pruneSender(state: HandelState, level: number, sender: number): void {
  const { pending, scheme } = state;
  let before = nil;
  let entry = pending.head(level);
  while (entry !== nil) {
    const next = pending.next(entry);
    if (pending.sender(entry) === sender) dropAfter(state, level, before);
    else before = entry;
    entry = next;
  }
  for (const list of individualLists) {
    const run = pending.run(level, list);
    for (let place = pending.countOf(run) - 1; place >= 0; place--) {
      if (pending.senderIn(run, place) === sender) scheme.release(pending.removeIndividual(level, list, place));
    }
  }
}

/**
 * Prunes the queued entry after `before`, whose score shows that it cannot improve In_l (v1.03 section 3.5.3 (3)). The
 * individual contribution of the pruned entry, which In_l contains, is kept as dormant, because another contribution
 * may replace In_l. Fairness (section 2.4) depends on dormant contributions.
 */
export function pruneUseless(state: HandelState, level: number, before: number): void {
  const { pending, scheme } = state;
  const entry = pending.after(level, before);
  const sender = pending.sender(entry);
  const individual = pending.individual(entry);
  scheme.retain(individual);
  dropAfter(state, level, before);
  if (individual !== noContribution) pending.storeIndividual(level, List.dormant, sender, individual);
}

/** Queues dormant contributions for verification again if In_l no longer contains them after its replacement. */
export function wakeDormant(state: HandelState, level: number): void {
  const { pending, levels, scheme } = state;
  const known = levels.in(level);
  const dormant = pending.run(level, List.dormant);
  for (let place = pending.countOf(dormant) - 1; place >= 0; place--) {
    const sender = pending.senderIn(dormant, place);
    if (scheme.contains(known, sender)) continue;
    const individual = pending.removeIndividual(level, List.dormant, place);
    pending.setIndividual(pending.queue(level, sender, rankOf(state, sender)), individual);
  }
}

/** Moves the queued entry of a sender after an increase of the sender's rank. */
export function rerank(state: HandelState, level: number, sender: number, rankBefore: number): void {
  const { pending } = state;
  // Without the bound, a sender has many entries, which keep their original position.
  if (state.off['bounded-queue']) return;
  let before = nil;
  let entry = pending.head(level);
  while (entry !== nil && pending.rank(entry) < rankBefore) {
    before = entry;
    entry = pending.next(entry);
  }
  if (entry === nil || pending.sender(entry) !== sender) return;
  const aggregate = pending.aggregate(entry);
  const individual = pending.individual(entry);
  pending.remove(level, before);
  const moved = pending.queue(level, sender, rankOf(state, sender));
  if (aggregate !== noContribution) pending.setAggregate(moved, aggregate);
  if (individual !== noContribution) pending.setIndividual(moved, individual);
}

/** Invalidates every score of the level after a change of In_l. */
export function forgetScores(state: HandelState, level: number): void {
  const { pending } = state;
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    pending.setScore(entry, unscored);
  }
}

function dropAfter(state: HandelState, level: number, before: number): void {
  const { pending, scheme } = state;
  const entry = pending.after(level, before);
  scheme.release(pending.aggregate(entry));
  scheme.release(pending.individual(entry));
  pending.remove(level, before);
}
