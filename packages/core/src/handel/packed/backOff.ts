import { noContribution, type Port } from '../../protocol.ts';
import { backOffRule, maxWait } from '../config.ts';
import { outOf } from './aggregation.ts';
import { answer, contactNext, individualToSend, isActive, isSilenced } from './dissemination.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/** Shortens the wait of a quiet level by one period. @returns whether the level is quiet. */
export function passQuietly({ levels, config }: HandelState, level: number): boolean {
  return config.backOff && levels.passPeriod(level);
}

/**
 * Counts a period in which the level contacted a peer. If back-off is on and the node has contacted enough peers, the
 * level becomes quiet. Until Out_l changes, a quiet level only asks for missing contributions.
 *
 * A few contacts are enough, whatever the level's size. On a level with more than half of its contributions missing, a
 * node without an output contacts each listening peer once, because a few peers may all be dead or Byzantine. Once the
 * node has found a Byzantine peer, it contacts each listening peer once on every incomplete level.
 *
 * Intentional divergence: in v1.03 section 3.5.1 a node contacts a peer on every active level in every period, without
 * end.
 */
export function countContact(state: HandelState, level: number, hasOutput: boolean): void {
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

/** Returns whether periods have anything left to do on the level: a peer to contact, or a contribution to ask for. */
export function isAtWork({ levels, config }: HandelState, level: number): boolean {
  const hasListeners = levels.silencedCount(level) < levels.size(level);
  if (!config.backOff) return hasListeners;
  return levels.isLacking(level) || (hasListeners && (!levels.isQuiet(level) || levels.owes(level)));
}

/**
 * Asks a peer for the missing contributions of a quiet level, if the level's wait is over. Only nodes without an output
 * call this function. Each level has its own wait. The node may ask a peer whose contribution it already has: missing
 * peers may be Byzantine and never answer. An honest peer answers at once, with all contributions that it has.
 *
 * @param sinceStartUs time since the node's start, microseconds.
 * @returns whether the node asked a peer.
 */
export function ask(state: HandelState, port: Port, level: number, sinceStartUs: number): boolean {
  const { levels } = state;
  if (!levels.mayAsk(level) || !levels.isLacking(level)) return false;
  const longest = longestWait(state, sinceStartUs);
  const passed = seek(state, level, mayAnswer);
  if (passed === 0) {
    levels.setWait(level, longest);
    return false;
  }
  sendQuestion(state, port, level, passed);
  levels.countQuestion(level);
  levels.setWait(level, Math.min(longest, waitAfter(state, level)));
  return true;
}

/**
 * Returns the number of periods until a level's next question. Useless answers double the wait. Unanswered questions
 * count little, because the peer may be dead or a message may be lost. Useless answers count by the square of their
 * share of all possible answers. If many peers are dead or Byzantine, or messages are lost, a few answers say little
 * about the remaining peers.
 *
 * Powers are interpolated, because JavaScript engines differ in the last bit of a power with a fractional exponent.
 */
function waitAfter({ levels }: HandelState, level: number): number {
  const { firstQuestions, doublingsPerUseless, doubtedQuestions, unansweredPerDoubling, unansweredPerLacking } =
    backOffRule;
  const asked = levels.asked(level);
  const useless = levels.useless(level);
  const lacking = levels.size(level) - levels.inWeight(level);
  const share = useless / (asked + doubtedQuestions);
  const perDoubling = Math.max(unansweredPerDoubling, unansweredPerLacking * lacking);
  const exponent = doublingsPerUseless * useless * share * share + (asked - useless) / perDoubling;
  const whole = Math.floor(exponent);
  const min = asked <= firstQuestions ? 2 : 1;
  return Math.max(min, Math.floor(2 ** whole * (1 + exponent - whole)));
}

/**
 * Returns the longest wait of a level, in periods. A node that receives nothing new asks once in a few periods, over
 * all levels. No level waits for longer than the time since the node's start. New contributions of the level's peers
 * therefore reach the node within about twice the time that the peers needed.
 */
function longestWait({ levels, config }: HandelState, sinceStartUs: number): number {
  let asking = 0;
  for (let level = levels.frontier; level <= levels.count; level++) {
    if (levels.isQuiet(level) && levels.isLacking(level)) asking++;
  }
  const periods = Math.floor(sinceStartUs / (1000 * config.disseminationPeriodMs));
  return Math.max(1, Math.min(maxWait, backOffRule.longestWaitPerLevel * asking, periods));
}

/** Counts an answer without new contributions, at most one answer per question. */
export function countUseless({ levels }: HandelState, level: number): void {
  if (levels.isQuiet(level) && levels.useless(level) < levels.asked(level)) levels.countUseless(level);
}

/**
 * Handles a message without the flag for a complete level, which counts as a request. A node with an output stores the
 * sender for its next push. Such a node also returns to its initial rate of questions, because an answer may get lost.
 */
export function noteAsker({ levels, config }: HandelState, level: number, peer: number, hasOutput: boolean): void {
  if (!config.backOff) return;
  levels.lastAsker = peer;
  if (hasOutput && levels.isQuiet(level)) levels.endPause();
}

/**
 * Resets the rate of questions after an improvement of a level's In_l, because the peers may also have new
 * contributions. Quiet levels wait for a few periods first, because new contributions also arrive without questions.
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
 * Counts periods in which a quiet level sent nothing, although it would have contacted a peer without back-off. The
 * node may later send one message for each counted period. On average the node sends at most one message per active
 * level and period.
 */
export function saveCredit({ levels }: HandelState, level: number, periods: number): void {
  if (levels.silencedCount(level) < levels.size(level)) levels.addCredit(periods);
}

/** Answers a peer if the node has credit. @returns whether it had credit. */
function answerOnCredit(state: HandelState, port: Port, level: number, peer: number): boolean {
  if (state.levels.credit === 0) return false;
  state.levels.addCredit(-1);
  answer(state, port, level, peer);
  return true;
}

/**
 * Handles a request on a quiet level. A node without credit does not answer the request, because a Byzantine peer may
 * ask forever. The level then contacts the next peer in its prioritisation vector at the end of the period, as it would
 * without back-off.
 */
export function reply(state: HandelState, port: Port, level: number, peer: number): void {
  if (answerOnCredit(state, port, level, peer)) return;
  // Without the level flag, every message would count as a request, and two finished nodes would contact each other
  // forever.
  if (!state.off['level-flag']) state.levels.setOwes(level, true);
}

/**
 * Answers a peer that improved In_l of a node with an output. The peer may not have received any message from this
 * node, because the level sent no answers before the level became quiet.
 */
export function answerImprovement(state: HandelState, port: Port, level: number, peer: number): void {
  if (state.config.backOff && !isSilenced(state, level, peer)) answerOnCredit(state, port, level, peer);
}

/**
 * Asks for missing contributions on behalf of a node with an output, so that all nodes eventually receive all
 * contributions. The node's quiet levels take turns, with a pause that doubles after each turn. In its turn, a level
 * asks only a peer whose contribution is missing. In the same turn, the node pushes Out to the last peer that sent a
 * request, because a single message is more likely to arrive than both a question and its answer.
 */
export function askInTurn(state: HandelState, port: Port): void {
  const { levels, config } = state;
  if (!config.backOff || levels.passPause() || levels.credit === 0 || !levels.isAnyAsking()) return;
  const { askedLevel, count } = levels;
  for (let turn = 1; turn <= count; turn++) {
    const next = askedLevel + turn;
    const level = next > count ? next - count : next;
    if (!levels.mayAsk(level) || !levels.isLacking(level)) continue;
    const passed = seek(state, level, isLacked);
    if (passed === 0) continue;
    sendQuestion(state, port, level, passed);
    levels.addCredit(-1);
    push(state, port);
    levels.countTurn(level, Math.min(backOffRule.longestPause, 2 ** (levels.questions + 1)) - 1);
    return;
  }
}

function push(state: HandelState, port: Port): void {
  const { id, levels, scheme } = state;
  const peer = levels.lastAsker;
  if (peer < 0) return;
  const level = scheme.tree.levelBetween(id, peer);
  if (!isSilenced(state, level, peer)) answerOnCredit(state, port, level, peer);
}

type Wanted = (state: HandelState, level: number, peer: number) => boolean;

const mayAnswer: Wanted = ({ peers }, _level, peer) => !peers.has(peer, PeerFact.blacklisted);

const isLacked: Wanted = (state, level, peer) => {
  const known = state.levels.in(level);
  const has = known !== noContribution && state.scheme.contains(known, peer);
  return !has && mayAnswer(state, level, peer);
};

/**
 * Returns the distance to the next wanted peer in the level's prioritisation vector, counted from 1, or 0 if the vector
 * contains no wanted peer.
 */
function seek(state: HandelState, level: number, wanted: Wanted): number {
  const { id, levels, priorities, scheme } = state;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const first = levels.cursor(level);
  for (let passed = 1; passed <= places; passed++) {
    const peer = priorities.contact(id, block, (first + passed - 1) % places);
    if (peer >= 0 && wanted(state, level, peer)) return passed;
  }
  return 0;
}

/**
 * Sends Out_l to the peer `passed` places further in the prioritisation vector. The message lacks the flag for a
 * complete level, which marks the message as a question.
 */
function sendQuestion(state: HandelState, port: Port, level: number, passed: number): void {
  const { id, levels, priorities, scheme } = state;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const first = levels.cursor(level);
  const out = outOf(state, level);
  const peer = priorities.contact(id, block, (first + passed - 1) % places);
  port.send(peer, level, out, individualToSend(state, out), 0);
  levels.setCursor(level, (first + passed) % places);
}

/**
 * Performs a period of the periodic dissemination (v1.03 section 3.5.1): it contacts one peer on each active level.
 *
 * Intentional divergence: a level that has sent the same contribution often enough backs off and only asks for missing
 * contributions.
 *
 * @param sinceStartUs time since the node's start, microseconds.
 */
export function disseminate(state: HandelState, port: Port, sinceStartUs: number, hasOutput: boolean): void {
  const last = lastActive(state, sinceStartUs);
  for (let level = 1; level <= last; level++) disseminateOn(state, port, level, sinceStartUs, hasOutput);
  if (hasOutput) askInTurn(state, port);
}

/**
 * Returns the highest active level. Levels become active from the lowest level up; in most periods all levels are
 * active.
 */
function lastActive(state: HandelState, sinceStartUs: number): number {
  let level = state.levels.count;
  while (level > 0 && !isActive(state, level, sinceStartUs)) level--;
  return level;
}

/** Performs a period on one active level. */
export function disseminateOn(
  state: HandelState,
  port: Port,
  level: number,
  sinceStartUs: number,
  hasOutput: boolean,
): void {
  if (passQuietly(state, level)) {
    const { levels } = state;
    if (levels.owes(level)) {
      levels.setOwes(level, false);
      contactNext(state, port, level, 1);
    } else if (hasOutput || !ask(state, port, level, sinceStartUs)) saveCredit(state, level, 1);
    return;
  }
  contactNext(state, port, level, 1);
  countContact(state, level, hasOutput);
}

/** Returns whether periods have anything left to do on any level. */
export function isAnyAtWork(state: HandelState): boolean {
  for (let level = 1; level <= state.levels.count; level++) if (isAtWork(state, level)) return true;
  return false;
}

/**
 * Sends Out_l on the fast path (v1.03 section 3.5.1). Out_l has become complete on the levels from `first` up. A few
 * peers on each of these levels receive Out_l immediately.
 */
export function sendFast(state: HandelState, port: Port, first: number): void {
  const { scheme, levels, config } = state;
  const last = Math.min(scheme.tree.lastOfTier(levels.frontier), levels.count);
  for (let level = first; level <= last; level++) contactNext(state, port, level, config.fastPathPeers);
}
