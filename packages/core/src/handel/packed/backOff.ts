import { noContribution, type Port } from '../../protocol.ts';
import { backOffRule } from '../config.ts';
import { outOf } from './aggregation.ts';
import { individualBeside } from './dissemination.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/** Lets a period pass on a level that is quiet. @returns whether it is. */
export function passQuietly({ levels, config }: HandelState, level: number): boolean {
  return config.backOff && levels.passPeriod(level);
}

/**
 * A period contacted a peer: if the node backs off, and the same Out_l has been sent for as many periods as
 * {@link backOffRule} says, the level falls quiet. From then on it is contacted by {@link askNext} only, until Out_l
 * changes.
 *
 * Intentional divergence: in v1.03 section 3.5.1 every active level is contacted every period, forever.
 */
export function tire(state: HandelState, level: number, hasOutput: boolean): void {
  if (state.config.backOff && isPatienceOver(state, level, hasOutput)) state.levels.fallQuiet(level, level);
}

function isPatienceOver({ levels, peers }: HandelState, level: number, hasOutput: boolean): boolean {
  const listeners = levels.size(level) - levels.silencedCount(level);
  if (listeners === 0) return true;
  const contacts = levels.countContact(level);
  if (levels.inComplete(level)) return contacts >= backOffRule.contactsIfComplete;
  if (hasOutput) return contacts >= backOffRule.contacts;
  if (peers.hasAny(PeerFact.blacklisted)) return contacts >= Math.max(backOffRule.contactsAmongLiars, listeners);
  const lacksMost = 2 * levels.inWeight(level) < levels.size(level);
  return contacts >= (lacksMost ? Math.max(backOffRule.contacts, listeners) : backOffRule.contacts);
}

/** Whether periods have anything left to do on the level: a peer to send to, or something to ask for. */
export function isAtWork({ levels, config }: HandelState, level: number): boolean {
  const size = levels.size(level);
  const hasListeners = levels.silencedCount(level) < size;
  if (!config.backOff) return hasListeners;
  return size > 0 && (!levels.inComplete(level) || (hasListeners && !levels.isQuiet(level)));
}

/**
 * At the end of a period a node that backs off may ask one peer for what it lacks: its quiet levels take turns, and each
 * contacts the next peer in the order of its prioritisation vector, whether that peer listens or not. A node without an
 * output asks any peer, since those that it lacks may be liars, who never answer; with an output, only those that it
 * lacks. An honest peer answers at once, with all that it has. The gap from one question to the next doubles from 2
 * periods up to {@link backOffRule}'s `longestGap`, and starts over when the node learns something.
 *
 * A level l lets l periods pass before it first asks. If everybody lacks a contribution because it was suppressed, the
 * few nodes of lower levels ask for it first and pass it on; otherwise everybody would ask its one holder at once.
 *
 * Where half of all are dead, a turn on each level, most of them in vain, takes many seconds. So a node without an
 * output that has asked `questionsInVain` times asks every other time on the level of which it lacks the most, and its gap
 * doubles half as fast.
 */
export function askNext(state: HandelState, port: Port, hasOutput: boolean): void {
  const { levels, config } = state;
  if (!config.backOff || levels.passPause() || !levels.isAnyAsking()) return;
  if (!hasOutput && levels.questions >= backOffRule.questionsInVain && levels.questions % 2 === 1) {
    const level = mostLacking(state);
    if (level > 0 && ask(state, port, level, hasOutput, levels.askedLevel)) return;
  }
  const { askedLevel, count } = levels;
  for (let turn = 1; turn <= count; turn++) {
    const next = askedLevel + turn;
    const level = next > count ? next - count : next;
    if (isAsking(state, level) && ask(state, port, level, hasOutput, level)) return;
  }
}

function isAsking({ levels }: HandelState, level: number): boolean {
  return levels.mayAsk(level) && levels.size(level) > 0 && !levels.inComplete(level);
}

/** The level that may ask of which the node lacks the most contributions, 0 where none may. */
function mostLacking(state: HandelState): number {
  const { levels } = state;
  let level = 0;
  for (let next = 1; next <= levels.count; next++) {
    if (isAsking(state, next) && lackingOn(state, next) > (level === 0 ? 0 : lackingOn(state, level))) level = next;
  }
  return level;
}

function lackingOn({ levels }: HandelState, level: number): number {
  return levels.size(level) - levels.inWeight(level);
}

/**
 * @param turn the level whose turn it then was.
 * @returns whether there was anybody to ask.
 */
function ask(state: HandelState, port: Port, level: number, hasOutput: boolean, turn: number): boolean {
  const { id, levels, peers, priorities, scheme } = state;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const known = levels.in(level);
  const first = levels.cursor(level);
  for (let passed = 1; passed <= places; passed++) {
    const peer = priorities.contact(id, block, (first + passed - 1) % places);
    if (peer < 0 || peers.has(peer, PeerFact.blacklisted)) continue;
    if (hasOutput && known !== noContribution && scheme.contains(known, peer)) continue;
    levels.passPlaces(level, passed, places);
    const out = outOf(state, level);
    port.send(peer, level, out, individualBeside(state, out), 0);
    levels.countQuestion(turn, gapAfter(levels.questions, lackingOn(state, level), hasOutput) - 1);
    return true;
  }
  return false;
}

/** Periods from a question to the next, after so many that taught nothing, where the level lacks so much. */
function gapAfter(questions: number, lacking: number, hasOutput: boolean): number {
  const { questionsInVain, leastPerPeer, longestGap } = backOffRule;
  const doublings = hasOutput || questions < questionsInVain ? questions : (questions + questionsInVain - 1) >> 1;
  return Math.min(longestGap, Math.max(2 ** (doublings + 1), Math.ceil(leastPerPeer / lacking)));
}
