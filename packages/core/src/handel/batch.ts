import type { Port } from '../protocol.ts';
import { nil } from './pending.ts';
import { bestInWindow, type Choice, isDistrusted, shareOf, take } from './selection.ts';
import type { Decision, HandelState, Pruning } from './state.ts';

/** Made once: nodes often choose nothing, and mostly nothing beside the first. */
const nothing: readonly never[] = [];

/**
 * Picks what to verify next: one contribution, as the selection rule says. If the node verifies batches, the windows of
 * the other levels add one contribution each, in the order of the share of its level's peers that each would add, up to
 * the batch's size. None makes another useless: they are of different levels, and so of different senders and signers.
 *
 * Under attack a batch is one contribution, as in the paper. While a level with something queued has a window smaller
 * than its initial one, a joint check is likely to fail, and finding out who lied then takes more checks than verifying
 * each singly.
 *
 * Intentional divergence, where it is switched on: v1.03 section 6 verifies one contribution at a time. See
 * docs/batch-verification.md.
 */
export function chooseBatch(state: HandelState): readonly Choice[] {
  const first = state.rules.select(state, 'prunes');
  if (first === undefined) return nothing;
  const others = decideBeside(state, first, 'prunes');
  const chosen = [take(state, first.level, first.entry)];
  for (const { level, entry } of others) chosen.push(take(state, level, entry));
  return chosen;
}

/** What {@link chooseBatch} takes. */
export function decideBatch(state: HandelState, pruning: Pruning): readonly Decision[] {
  const first = state.rules.select(state, pruning);
  return first === undefined ? nothing : [first, ...decideBeside(state, first, pruning)];
}

/** What else a batch takes. */
function decideBeside(state: HandelState, first: Decision, pruning: Pruning): readonly Decision[] {
  const { batch: most = 1 } = state.config;
  if (most === 1 || isDistrusted(state, first.level)) return nothing;

  const { levels, pending } = state;
  const others: (Decision & { readonly share: number })[] = [];
  for (let level = 1; level <= levels.count; level++) {
    if (level === first.level || pending.head(level) === nil) continue;
    const entry = bestInWindow(state, level, levels.window(level), pruning);
    if (entry === nil) continue;
    if (isDistrusted(state, level)) return nothing;
    others.push({ level, entry, rule: 'share', share: shareOf(state, level, entry) });
  }
  others.sort((a, b) => b.share - a.share || a.level - b.level);
  return others.slice(0, most - 1);
}

/** Has what was picked verified, at least one contribution. @returns the ticket. */
export function verifyPicked(port: Port, picked: readonly Choice[]): number {
  if (picked.length === 1) {
    const { contribution, level, sender } = picked[0]!;
    return port.verify(contribution, level, sender);
  }
  return port.verifyBatch!(
    picked.map(({ contribution }) => contribution),
    picked.map(({ level }) => level),
    picked.map(({ sender }) => sender),
  );
}
