import { entryScore, type HandelState, type KeptList, List, nil, PeerFact, unscored } from '@tutti/core/packed';
import { contributionCode } from './codes.ts';
import type { NodeRecord, SmallWorld } from './smallWorld.ts';

/**
 * Returns a key of a state: everything that can influence its future, and nothing else. An order or an address without
 * influence is left out, so that independent events lead to the same state in any order.
 *
 * @returns a string of codes under 256, one byte each.
 */
export function stateKey(world: SmallWorld): string {
  const { lossesLeft, repeatsLeft, injectionsLeft, byzantine } = world;
  const codes = [byzantine + 1, lossesLeft, repeatsLeft, injectionsLeft];
  for (const record of world.records) addRecord(codes, world, record);
  for (const message of world.inFlight) codes.push(message >>> 16, (message >>> 8) & 255, message & 255);
  return String.fromCharCode(...codes);
}

function addRecord(codes: number[], { scheme, setting }: SmallWorld, record: NodeRecord): void {
  const { node, started, timerSet, fired, output, invalidFrom } = record;
  if (node === undefined) return;
  codes.push((started ? 1 : 0) | (timerSet ? 2 : 0) | (fired << 2), (output << 4) | invalidFrom);
  const { bestOutput, checking, state } = node;
  codes.push(bestOutput, checking.length);
  for (const { level, sender, contribution, isIndividual } of checking) {
    codes.push((level << 3) | (sender << 1) | (isIndividual ? 1 : 0), contributionCode(scheme, contribution));
  }
  codes.push(state.levels.asking & 255, (state.levels.asking >>> 8) & 255, state.levels.asking >>> 16);
  codes.push(state.levels.lastAsker + 1, state.levels.credit);
  for (let peer = 0; peer < setting.options.nodes; peer++) {
    const { peers } = state;
    const facts = (peers.has(peer, PeerFact.blacklisted) ? 1 : 0) | (peers.has(peer, PeerFact.individualKnown) ? 2 : 0);
    codes.push(facts | (peers.verified(peer) << 2));
  }
  for (let level = 1; level <= state.levels.count; level++) addLevel(codes, state, level);
}

function addLevel(codes: number[], state: HandelState, level: number): void {
  const { levels, pending, scheme } = state;
  let silenced = 0;
  for (let peer = 0; peer < scheme.tree.nodes; peer++) if (levels.isSilenced(level, peer)) silenced |= 1 << peer;
  codes.push(contributionCode(scheme, levels.in(level)), levels.window(level), levels.cursor(level), silenced);
  codes.push(levels.owes(level) ? 1 : 0);
  const quiet = levels.quiet(level);
  codes.push(quiet & 255, (quiet >>> 8) & 255, (quiet >>> 16) & 255, quiet >>> 24);
  codes.push(individuals(state, level, List.dormant), individuals(state, level, List.verified), pending.length(level));
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    const rank = pending.rank(entry);
    codes.push(pending.sender(entry), rank >>> 8, rank & 255, scoreOf(state, level, entry));
    codes.push(contributionCode(scheme, pending.aggregate(entry)), contributionCode(scheme, pending.individual(entry)));
  }
}

/** Returns an entry's score, computed now unless it is stored already. The state does not change. */
function scoreOf(state: HandelState, level: number, entry: number): number {
  const score = state.pending.score(entry);
  return score === unscored ? entryScore(state, level, entry) : score;
}

/** Returns the senders of a list without a relevant order, as bits; those of forged contributions in the upper four. */
function individuals({ pending, scheme }: HandelState, level: number, list: KeptList): number {
  let bits = 0;
  const run = pending.run(level, list);
  for (let place = pending.countOf(run) - 1; place >= 0; place--) {
    bits |= (scheme.verify(pending.individualIn(run, place)) ? 1 : 16) << pending.senderIn(run, place);
  }
  return bits;
}
