import { noContribution, type Port } from '../../protocol.ts';
import { backOffRule } from '../config.ts';
import { outOf } from './aggregation.ts';
import { answer, individualBeside, isSilenced } from './dissemination.ts';
import { mostWait } from './levels.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/*
 * The rule, per node. Peers of a level follow the level's prioritisation vector, in a circle.
 *
 *   a period contacted a peer on level l (the level is not quiet):
 *       contacts[l] += 1                                   (0 when Out_l changes; then the level is not quiet any more)
 *       if no peer listens or contacts[l] >= patience:
 *           l is quiet; asked[l] = useless[l] = push[l] = 0; wait[l] = l
 *
 *   a period on a quiet level l:
 *       if wait[l] > 0: wait[l] -= 1
 *       if wait[l] = 0, the level lacks something and the node has no output:
 *           send Out_l to the next peer that is not blacklisted; if there is none, only set wait[l] = longest
 *           asked[l] += 1
 *           wait[l] = min(longest, 2 ^ (useless[l] + (asked[l] - useless[l]) / max(64, contributions lacking on l)))
 *                     where longest = 32 * number of quiet levels that lack something
 *
 *   a message on a quiet level l that is marked as an answer brings nothing, and the node has no output:
 *       useless[l] = min(asked[l], useless[l] + 1)
 *
 *   In_l of any level improved by a contribution from peer p:
 *       questions = pause = 0
 *       if the node had no output: asked = useless = 0 and wait = 4 on each quiet level
 *       if the node has an output now and p is not silenced: send Out_l to p, marked as an answer
 *
 *   the end of a period of a node that has an output:
 *       if pause > 0: pause -= 1
 *       otherwise, on the next level in turn that is quiet, has wait 0, and lacks a peer that is not blacklisted:
 *           send Out_l to the next such peer
 *           send Out_m, marked as an answer, to the next peer from push[m] on that has sent something and is not
 *               silenced; m is the first level from l on, in turn, that is quiet, has wait 0, lacks something, and has
 *               such a peer
 *           pause = min(32, 2 ^ (questions + 1)) - 1; questions += 1
 *
 * A peer that sends to a quiet level without saying that its own level is complete is answered at once (`node.ts`).
 * Powers with a fraction in their exponent are interpolated between whole exponents, and rounded down.
 */

/** Shortens a quiet level's wait by a period. @returns whether the level is quiet. */
export function passQuietly({ levels, config }: HandelState, level: number): boolean {
  return config.backOff && levels.passPeriod(level);
}

/**
 * Counts a period that contacted a peer. If the node backs off and its patience with the level is over, the level falls
 * quiet: until Out_l changes, it only asks for what it lacks.
 *
 * Patience is a few contacts, whatever the level's size. A node without an output contacts each listening peer once on
 * a level of which it lacks more than half, since a few peers may all be dead or Byzantine. It does so on every level
 * once it has caught a liar.
 *
 * Intentional divergence: in v1.03 section 3.5.1 every active level is contacted every period, forever.
 */
export function tire(state: HandelState, level: number, hasOutput: boolean): void {
  if (state.config.backOff && isPatienceOver(state, level, hasOutput)) state.levels.fallQuiet(level, level);
}

function isPatienceOver({ levels, peers }: HandelState, level: number, hasOutput: boolean): boolean {
  const listeners = levels.size(level) - levels.silencedCount(level);
  if (listeners === 0) return true;
  const done = levels.countContact(level);
  const { contactsIfComplete, contacts, contactsAmongLiars } = backOffRule;
  if (levels.inComplete(level)) return done >= contactsIfComplete;
  if (hasOutput) return done >= contacts;
  if (peers.hasAny(PeerFact.blacklisted)) return done >= Math.max(contactsAmongLiars, listeners);
  const lacksMost = 2 * levels.inWeight(level) < levels.size(level);
  return done >= (lacksMost ? Math.max(contacts, listeners) : contacts);
}

/** Whether periods have anything left to do on the level: a peer to send to, or something to ask for. */
export function isAtWork({ levels, config }: HandelState, level: number): boolean {
  const hasListeners = levels.silencedCount(level) < levels.size(level);
  if (!config.backOff) return hasListeners;
  return levels.isLacking(level) || (hasListeners && !levels.isQuiet(level));
}

/**
 * Asks a peer for what a quiet level lacks, if the level has waited; for nodes without an output. Each level has its own
 * clock. The peer need not be one that is lacking: those may be liars, which never answer. An honest peer answers at
 * once, with all that it has.
 */
export function ask(state: HandelState, port: Port, level: number): void {
  const { levels } = state;
  if (!levels.mayAsk(level) || !levels.isLacking(level)) return;
  const longest = longestWait(state);
  const passed = seek(state, level, levels.cursor(level), mayAnswer);
  if (passed === 0) {
    levels.setWait(level, longest);
    return;
  }
  sendQuestion(state, port, level, passed);
  levels.countQuestion(level);
  levels.setWait(level, Math.min(longest, waitAfter(state, level)));
}

/** Periods to the level's next question, without a limit below {@link mostWait}. */
function waitAfter({ levels }: HandelState, level: number): number {
  const perDoubling = Math.max(backOffRule.unansweredPerDoubling, levels.size(level) - levels.inWeight(level));
  const useless = levels.useless(level);
  const unanswered = levels.asked(level) - useless;
  const power = 2 ** (useless + Math.floor(unanswered / perDoubling));
  return Math.min(mostWait, power + Math.floor((power * (unanswered % perDoubling)) / perDoubling));
}

/** A limit for the sum of a node's questions: one in a few periods, however many levels ask. */
function longestWait({ levels }: HandelState): number {
  let asking = 0;
  for (let level = levels.frontier; level <= levels.count; level++) {
    if (levels.isQuiet(level) && levels.isLacking(level)) asking++;
  }
  return Math.min(mostWait, backOffRule.longestWaitPerLevel * asking);
}

/**
 * Counts an answer that brought nothing. That there is nothing new is known from such answers alone: a peer that does
 * not answer may be dead, or a message may be lost.
 */
export function countUseless({ levels }: HandelState, level: number): void {
  if (levels.isQuiet(level) && levels.useless(level) < levels.asked(level)) levels.countUseless(level);
}

/**
 * In_l of a level improved: what the peers know may be new as well, so the node asks as often as at first. It waits a
 * little, since news spreads by itself.
 */
export function startOver({ levels, config }: HandelState, hadOutput: boolean): void {
  if (!config.backOff) return;
  levels.endPause();
  if (hadOutput) return;
  for (let level = levels.frontier; level <= levels.count; level++) {
    if (levels.isQuiet(level)) levels.fallQuiet(level, backOffRule.waitAfterLearning);
  }
}

/**
 * A peer improved In_l of a node with an output. It may not have heard of this node at all: while the level was not
 * quiet it was not answered. So it is now.
 */
export function thank(state: HandelState, port: Port, level: number, peer: number): void {
  if (state.config.backOff && !isSilenced(state, level, peer)) answer(state, port, level, peer);
}

/**
 * A node with an output asks for what it lacks, so that all get everything in the end: its quiet levels take turns, with
 * a pause that doubles from turn to turn. It asks only peers that it lacks. In the same turn it tells a peer that is
 * known to be there, since a message that pushes arrives more often than a question and its answer.
 */
export function askInTurn(state: HandelState, port: Port): void {
  const { levels, config } = state;
  if (!config.backOff || levels.passPause() || !levels.isAnyAsking()) return;
  for (let further = 1; further <= levels.count; further++) {
    const level = levelInTurn(state, levels.askedLevel, further);
    if (!levels.mayAsk(level) || !levels.isLacking(level)) continue;
    const passed = seek(state, level, levels.cursor(level), isLacked);
    if (passed === 0) continue;
    sendQuestion(state, port, level, passed);
    push(state, port, level);
    levels.countTurn(level, Math.min(backOffRule.longestPause, 2 ** (levels.questions + 1)) - 1);
    return;
  }
}

/** Sends Out_l to the peer that is so many places of the vector further, without the flag: something is lacking. */
function sendQuestion(state: HandelState, port: Port, level: number, passed: number): void {
  const { levels } = state;
  const out = outOf(state, level);
  port.send(peerAt(state, level, levels.cursor(level), passed), level, out, individualBeside(state, out), 0);
  levels.setCursor(level, placeAfter(state, level, levels.cursor(level), passed));
}

/** Tells a peer that is known to be there: on the level whose turn it is, or on the next one that has such a peer. */
function push(state: HandelState, port: Port, turn: number): void {
  const { levels } = state;
  for (let further = 0; further < levels.count; further++) {
    const level = levelInTurn(state, turn, further);
    if (!levels.mayAsk(level) || !levels.isLacking(level)) continue;
    const first = levels.pushPlace(level);
    const passed = seek(state, level, first, mayListen);
    if (passed === 0) continue;
    answer(state, port, level, peerAt(state, level, first, passed));
    levels.setPushPlace(level, placeAfter(state, level, first, passed));
    return;
  }
}

/** The level that is so many further, in a circle. */
function levelInTurn({ levels }: HandelState, level: number, further: number): number {
  const next = level + further;
  return next > levels.count ? next - levels.count : next;
}

type Wanted = (state: HandelState, level: number, peer: number) => boolean;

const mayAnswer: Wanted = ({ peers }, _level, peer) => !peers.has(peer, PeerFact.blacklisted);

const isLacked: Wanted = (state, level, peer) => mayAnswer(state, level, peer) && !isIn(state, level, peer);

function isIn({ levels, scheme }: HandelState, level: number, peer: number): boolean {
  const known = levels.in(level);
  return known !== noContribution && scheme.contains(known, peer);
}

const mayListen: Wanted = (state, level, peer) =>
  state.peers.has(peer, PeerFact.individualKnown) && !isSilenced(state, level, peer);

/** How many places of the level's vector, from `first` on, lead to a peer that is wanted, itself included; 0: none. */
function seek(state: HandelState, level: number, first: number, wanted: Wanted): number {
  const { id, priorities, scheme } = state;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  for (let passed = 1; passed <= places; passed++) {
    const peer = priorities.contact(id, block, (first + passed - 1) % places);
    if (peer >= 0 && wanted(state, level, peer)) return passed;
  }
  return 0;
}

function peerAt({ id, priorities, scheme }: HandelState, level: number, first: number, passed: number): number {
  const block = scheme.tree.peerBlock(id, level);
  return priorities.contact(id, block, (first + passed - 1) % priorities.places(block));
}

function placeAfter({ id, priorities, scheme }: HandelState, level: number, first: number, passed: number): number {
  return (first + passed) % priorities.places(scheme.tree.peerBlock(id, level));
}
