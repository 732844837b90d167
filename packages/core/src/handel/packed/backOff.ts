import type { Port } from '../../protocol.ts';
import { backOffRule, maxWait } from '../config.ts';
import { outOf } from './aggregation.ts';
import { answer, individualToSend, isSilenced } from './messages.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * Counts a period in which the level contacted a peer. If back-off is on and the node has contacted enough peers, the
 * level becomes quiet. Until Out_l changes, a quiet level only asks for missing contributions. The first wait of a level
 * is its number, so levels begin to ask at different times.
 *
 * Intentional divergence: in v1.03 section 3.5.1 a node contacts a peer on every active level in every period, without
 * end.
 */
export function countContact(state: HandelState, level: number, hasOutput: boolean): void {
  const { levels, config } = state;
  if (!config.backOff) return;
  const listeners = levels.size(level) - levels.silencedCount(level);
  if (listeners === 0 || levels.countContact(level) >= contactsBeforeQuiet(state, level, listeners, hasOutput))
    levels.fallQuiet(level, level);
}

/**
 * Returns the number of contacts after which a level becomes quiet. A few contacts are enough, regardless of the
 * level's size. If more than half of a level's contributions are missing, a node without an output contacts each
 * listening peer once, because a few peers may all be dead or Byzantine. If such a node has found a Byzantine peer, it
 * contacts each listening peer once on every incomplete level.
 */
function contactsBeforeQuiet(
  { levels, peers }: HandelState,
  level: number,
  listeners: number,
  hasOutput: boolean,
): number {
  const { contactsIfComplete, contacts, contactsIfByzantine } = backOffRule;
  if (levels.inComplete(level)) return contactsIfComplete;
  if (hasOutput) return contacts;
  if (peers.hasAny(PeerFact.blacklisted)) return Math.max(contactsIfByzantine, listeners);
  const lacksMost = 2 * levels.inWeight(level) < levels.size(level);
  return lacksMost ? Math.max(contacts, listeners) : contacts;
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
  if (!askNext(state, port, level, mayAnswer)) {
    levels.setWait(level, longest);
    return false;
  }
  levels.countQuestion(level);
  levels.setWait(level, Math.min(longest, waitAfter(state, level)));
  return true;
}

/**
 * Returns the number of periods until a level's next question. The wait doubles with useless answers, whose count is
 * weighted by the square of their share of the questions. If many peers are dead or Byzantine, or messages are lost, a
 * few answers say little about the remaining peers. Unanswered questions count little, because the peer may be dead or
 * a message may be lost. The first questions are rarer, because the answers are still in transit.
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
  const doublings = doublingsPerUseless * useless * share * share + (asked - useless) / perDoubling;
  const whole = Math.floor(doublings);
  const min = asked <= firstQuestions ? 2 : 1;
  return Math.max(min, Math.floor(2 ** whole * (1 + doublings - whole)));
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
 * Handles a message without the flag for a complete level, which counts as a request. A node with an output later sends
 * Out_l to the last such peer: see {@link askInTurn}. If the level is quiet, a node with an output also asks questions
 * at its initial rate again, because an answer may get lost.
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
 * Counts periods in which a level sent nothing, although it would have contacted a peer without back-off. The node may
 * later send one message for each counted period, up to the maximum credit. On average the node sends at most one
 * message per active level and period.
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
 * contributions. The node's quiet levels take turns, with a pause that doubles after each turn up to a maximum. In its
 * turn, a level asks only a peer whose contribution is missing. In the same turn, the node sends Out_l to the last peer
 * that sent a request, because a single message is more likely to arrive than both a question and its answer.
 */
export function askInTurn(state: HandelState, port: Port): void {
  const { levels, config } = state;
  // The last test gives the result of the loop without a visit to the complete levels below the frontier.
  if (!config.backOff || levels.passPause() || levels.credit === 0 || !levels.isAnyAsking()) return;
  const { askedLevel, count } = levels;
  for (let turn = 1; turn <= count; turn++) {
    const next = askedLevel + turn;
    const level = next > count ? next - count : next;
    if (!levels.mayAsk(level) || !levels.isLacking(level)) continue;
    if (!askNext(state, port, level, isMissing)) continue;
    levels.addCredit(-1);
    answerLastAsker(state, port);
    levels.countTurn(level, Math.min(backOffRule.longestPause, 2 ** (levels.questions + 1)) - 1);
    return;
  }
}

function answerLastAsker(state: HandelState, port: Port): void {
  const { id, levels, scheme } = state;
  const peer = levels.lastAsker;
  if (peer < 0) return;
  const level = scheme.tree.levelBetween(id, peer);
  if (!isSilenced(state, level, peer)) answerOnCredit(state, port, level, peer);
}

type Wanted = (state: HandelState, level: number, peer: number) => boolean;

const mayAnswer: Wanted = ({ peers }, _level, peer) => !peers.has(peer, PeerFact.blacklisted);

const isMissing: Wanted = (state, level, peer) =>
  !state.scheme.contains(state.levels.in(level), peer) && mayAnswer(state, level, peer);

/**
 * Asks the next wanted peer in the level's prioritisation vector: the node sends Out_l without the flag for a complete
 * level, which marks the message as a question.
 *
 * @returns whether the vector contains a wanted peer.
 */
function askNext(state: HandelState, port: Port, level: number, isWanted: Wanted): boolean {
  const { id, levels, priorities, scheme } = state;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const first = levels.cursor(level);
  for (let passed = 0; passed < places; passed++) {
    const place = (first + passed) % places;
    const peer = priorities.contact(id, block, place);
    if (peer < 0 || !isWanted(state, level, peer)) continue;
    const out = outOf(state, level);
    port.send(peer, level, out, individualToSend(state, out), 0);
    levels.setCursor(level, (place + 1) % places);
    return true;
  }
  return false;
}
