import { ReferenceCounter, requireNodeArguments } from '../contribution/scheme.ts';
import { screen } from '../contribution/screening.ts';
import { expected } from '../errors.ts';
import { type Contribution, MessageFlag, noContribution, type ProtocolNode, TraceKind } from '../protocol.ts';
import { nextWindowSize, windowRanks } from './config.ts';
import { type HandelPart, type HandelRound, HandelTimer, requireRound } from './options.ts';
import { BackOff } from './readableBackOff.ts';

/** Parts of a readable node. Its config has no batches and no mechanism that is switched off. */
export interface ReadableHandelOptions extends HandelRound, HandelPart {}

// 3.4 Node state

/** State of one level. A level without peers has size 0 and stays idle. */
const newLevel = (number: number, block: number, size: number, window: number) => ({
  number,
  block, // the level's peers, as a block of the tree
  size, // number of peers
  in: noContribution, // In_l, the best aggregate of the peers' contributions
  count: 0, // number of contributions in In_l
  weight: 0, // w(In_l): equals the count if all nodes have the same weight
  unverified: new Map<number, Unverified>(), // Inc_(l,j) by sender: at most one aggregate and one individual
  dormant: new Map<number, Contribution>(), // unverified individual contributions that In_l already contains, by sender
  verified: new Map<number, Contribution>(), // verified individual contributions, by sender
  window, // size of the scoring window, in ranks
  place: 0, // next place of the contribution prioritisation vector
  silenced: new Set<number>(), // peers not to contact: their level is complete, or they are Byzantine
});
type Level = ReturnType<typeof newLevel>;
type Unverified = { aggregate: Contribution; individual: Contribution };

/** Returns all contributions that the levels store. */
function* contributionsOf(levels: readonly Level[]): Iterable<Contribution> {
  for (const level of levels) {
    yield level.in;
    for (const { aggregate, individual } of level.unverified.values()) {
      yield aggregate;
      yield individual;
    }
    yield* level.dormant.values();
    yield* level.verified.values();
  }
}

/** Returns whether In_l contains all contributions of the level's peers. */
const isComplete = ({ size, count }: Level): boolean => size > 0 && count === size;

/** Entry with the best score in the window of a level. */
type Candidate = { level: Level; sender: number; rank: number; score: number };

/**
 * Creates a node of Handel as version 1.03 of the paper describes it, but with the departures that
 * docs/concepts/handel.md lists. The departures of the node itself are marked *Intentional divergence*. Ranks grow as
 * in v1.0 section 3.6. This file is the specification. It has one function per rule, the paper's section numbers as
 * headings, and plain Maps and Sets. `HandelNode` is the same protocol with its state stored for speed. A differential
 * test runs both in random networks and compares every call to their ports.
 *
 * @throws RangeError for an id or a parameter out of range. @throws TypeError for a missing argument.
 */
export function readableHandel(options: ReadableHandelOptions): ProtocolNode {
  requireNodeArguments(options);
  const { id, config, scheme, priorities, quorum, own, port } = options;
  const { tree, stakes } = scheme;
  requireRound(options);
  const { batch = 1, without = [] } = config;
  if (batch > 1) throw new RangeError(expected('config.batch', '1 for a readable node', batch));
  if (without.length > 0) throw new RangeError(expected('config.without', 'an empty list', without.join()));
  const windowLimits = windowRanks(config.window, tree.nodes, priorities.span);
  const levels = Array.from({ length: tree.levels }, (_, index) => {
    const block = tree.peerBlock(id, index + 1);
    return newLevel(index + 1, block, tree.size(block), windowLimits.initial);
  });
  const outs = new Map<number, Contribution>(); // Out_l by the first level of its tier; L + 1: the final aggregate
  const verifications = new Map<number, number>(); // number of valid contributions by sender
  const knownIndividuals = new Set<number>(); // senders whose individual contribution was accepted
  const blacklist = new Set<number>(); // senders of invalid contributions
  let checking: { level: Level; sender: number; contribution: Contribution; isIndividual: boolean } | undefined;
  let ticket = -1;
  let bestOutput = 0; // weight of the last output
  let startUs: number | undefined;
  let startedLevels = 0;
  let periodEndUs: number | undefined; // end of the current period; undefined if no period is running
  let lastPeriodEndUs = -1;
  const hasOutput = () => bestOutput > 0;
  const backOff = new BackOff(
    { id, scheme, priorities, levels, blacklist, hasOutput, send, contactNext },
    config.backOff,
    config.disseminationPeriodMs,
  );
  // Retains the stored contributions after each call, and releases all others. Its `aggregate` is Aggr (section 2.1).
  const references = new ReferenceCounter(scheme, () => [
    own,
    checking?.contribution ?? noContribution,
    ...outs.values(),
    ...contributionsOf(levels),
  ]);

  function start(): void {
    if (startUs !== undefined) throw new RangeError('start: expected one call, got a second call');
    startUs = port.nowUs();
    sendFast(1);
    giveOutput();
    startLevels();
    startPeriod();
    verifyNext();
  }

  function onMessage(from: number, number: number, aggregate: Contribution, individual: Contribution, flags: number) {
    const refusal =
      screen(scheme, id, from, number, aggregate, individual, flags) ??
      (blacklist.has(from) ? 'blacklisted' : undefined);
    if (refusal !== undefined) {
      port.refuse(number, from, refusal);
      return;
    }
    const level = levels[number - 1]!;
    handleFlags(level, from, flags);
    if (isComplete(level)) return;
    if (receive(level, from, aggregate, individual)) verifyNext();
    else if ((flags & MessageFlag.answer) !== 0) backOff.countUseless(level);
  }

  function onVerified(answered: number, isValid: boolean): void {
    if (checking === undefined || answered !== ticket)
      throw new RangeError(expected('ticket', `the ticket of the verification in progress (${ticket})`, answered));
    const { level, sender, contribution, isIndividual } = checking;
    checking = undefined;
    level.window = nextWindowSize(level.window, isValid, windowLimits);
    if (isValid) takeValid(level, sender, contribution, isIndividual);
    else blacklistSender(level, sender);
    verifyNext();
  }

  // 2.1 Contributions

  /** Returns w(c), or the sum of the signers' weights if nodes have different weights. */
  function weightOf(contribution: Contribution): number {
    return stakes === undefined ? scheme.weight(contribution) : scheme.stake!(contribution);
  }

  const weightOfNode = (node: number): number => stakes?.score(node) ?? 1;

  // 3.3 Peer ranks and contribution selection

  /** Rank of a sender: VP_i(j), plus the number of ranks for each of its valid contributions (v1.0 section 3.6). */
  function rankOf(sender: number): number {
    const { span } = priorities;
    const largestGrowth = Math.floor(0x7fffffff / span) - 1; // ranks have 31 bits
    return priorities.rank(id, sender) + span * Math.min(verifications.get(sender) ?? 0, largestGrowth);
  }

  /**
   * Score of an aggregate: the weight that In_l would have with it. If the two cannot be aggregated, the score is the
   * weight of the aggregate united with the verified individual contributions that it lacks.
   */
  function scoreOfAggregate(level: Level, aggregate: Contribution): number {
    if (scheme.aggregatable(aggregate, level.in))
      return level.weight + (scheme.newWeight?.(aggregate, level.in) ?? weightOf(aggregate));
    const lacking = [...level.verified.keys()].filter((sender) => !scheme.contains(aggregate, sender));
    return lacking.reduce((sum, sender) => sum + weightOfNode(sender), weightOf(aggregate));
  }

  function scoreOfIndividual(level: Level, sender: number): number {
    return level.weight + (scheme.contains(level.in, sender) ? 0 : weightOfNode(sender));
  }

  /** Score of the better of a sender's two contributions. */
  function scoreOf(level: Level, sender: number, { aggregate, individual }: Unverified): number {
    const ofAggregate = aggregate === noContribution ? 0 : scoreOfAggregate(level, aggregate);
    return individual === noContribution ? ofAggregate : Math.max(ofAggregate, scoreOfIndividual(level, sender));
  }

  /**
   * Returns the entry with the best score in the window, which starts at the best ranked entry that can improve In_l.
   * Prunes entries that cannot improve In_l on the way.
   */
  function bestInWindow(level: Level, window: number): Candidate | undefined {
    let best: Candidate | undefined;
    let lastRank = Number.POSITIVE_INFINITY;
    const ranked = [...level.unverified.keys()].map((sender) => ({ sender, rank: rankOf(sender) }));
    for (const { sender, rank } of ranked.sort((a, b) => a.rank - b.rank)) {
      if (rank > lastRank) break;
      const score = scoreOf(level, sender, level.unverified.get(sender)!);
      if (score <= level.weight) pruneUseless(level, sender);
      else {
        if (best === undefined) lastRank = rank + window - 1;
        if (best === undefined || score > best.score) best = { level, sender, rank, score };
      }
    }
    return best;
  }

  /** Returns the best entry of each level, within the given part of its window. */
  function candidates(windowOf: (level: Level) => number): Candidate[] {
    return levels.map((level) => bestInWindow(level, windowOf(level))).filter((best) => best !== undefined);
  }

  /** Returns the share of the level's total weight that a candidate adds to In_l. */
  function shareAdded({ level, score }: Candidate): number {
    return (score - level.weight) / (stakes?.blockScore(level.block) ?? level.size);
  }

  /**
   * Chooses the contribution to verify. The paper does not say how to choose between levels. The candidate that adds
   * the greatest share goes first; on a tie, the one on the lowest level.
   */
  function choose(): Candidate | undefined {
    const found = candidates(({ window }) => window);
    if (found.some(({ level }) => level.window < windowLimits.initial)) return chooseUnderAttack();
    return found.sort((a, b) => shareAdded(b) - shareAdded(a))[0];
  }

  /**
   * Chooses by rank between levels. The node is under attack when a window has shrunk. Windows then count only up to
   * their initial size. The peers of a level thus delay another level only as often as they rank before it.
   * Intentional divergence: in v1.03 section 3.3 a window counts in full, and levels are not ordered.
   */
  function chooseUnderAttack(): Candidate | undefined {
    const found = candidates(({ window }) => Math.min(window, windowLimits.initial));
    const peersBefore = ({ rank, level }: Candidate) => Math.floor((rank * level.size) / priorities.span);
    return found.sort((a, b) => peersBefore(a) - peersBefore(b) || shareAdded(b) - shareAdded(a))[0];
  }

  /** Verifies the better contribution of the chosen entry. A node verifies one contribution at a time (section 6). */
  function verifyNext(): void {
    if (checking !== undefined || startUs === undefined) return;
    const chosen = choose();
    if (chosen === undefined) return;
    const { level, sender } = chosen;
    const entry = level.unverified.get(sender)!;
    const isIndividual =
      scoreOf(level, sender, entry) > scoreOf(level, sender, { ...entry, individual: noContribution });
    const contribution = isIndividual ? entry.individual : entry.aggregate;
    entry[isIndividual ? 'individual' : 'aggregate'] = noContribution;
    if (entry.aggregate === noContribution && entry.individual === noContribution) level.unverified.delete(sender);
    checking = { level, sender, contribution, isIndividual };
    ticket = port.verify(contribution, level.number, sender);
  }

  /** Adds a valid contribution to In_l if that makes In_l heavier. Stores an individual one for later unions. */
  function takeValid(level: Level, sender: number, contribution: Contribution, isIndividual: boolean): void {
    verifications.set(sender, (verifications.get(sender) ?? 0) + 1);
    const improves = scoreOfAggregate(level, contribution) > level.weight;
    if (isIndividual) level.verified.set(sender, contribution);
    if (!improves) return;
    const frontierBefore = frontier();
    const grows = scheme.aggregatable(contribution, level.in);
    setIn(level, grows ? references.aggregate(level.block, level.in, contribution) : unite(level, contribution));
    port.trace(TraceKind.levelImproved, level.number, sender, level.in);
    if (isComplete(level)) {
      pruneLevel(level);
      sendFast(tree.lastOfTier(frontierBefore) + 1);
    } else if (!grows) wakeDormant(level);
    giveOutput();
    backOff.answerImprovement(level, sender);
    startPeriod();
  }

  /** Returns a contribution united with the verified individual contributions that it lacks. */
  function unite(level: Level, contribution: Contribution): Contribution {
    let united = contribution;
    for (const [sender, individual] of level.verified)
      if (!scheme.contains(united, sender)) united = references.aggregate(level.block, united, individual);
    return united;
  }

  // 3.4 Node state

  /** Sets In_l. Discards Out of the tiers above and ends their quiet state, because they have something new to send. */
  function setIn(level: Level, contribution: Contribution): void {
    level.in = contribution;
    level.count = scheme.weight(contribution);
    level.weight = weightOf(contribution);
    const last = tree.lastOfTier(level.number);
    for (const above of levels.slice(last)) backOff.wake(above);
    backOff.startOver();
    for (const first of outs.keys()) if (first > last) outs.delete(first);
  }

  /** Returns Out_l = Aggr(In_0, ..., In_(l-1)). Levels of a tier share it. Out_(L+1) is the final aggregate. */
  function outOf(number: number): Contribution {
    const first = tree.firstOfTier(number);
    if (first === 1) return own;
    const known = outs.get(first);
    if (known !== undefined) return known;
    let out = outOf(first - 1);
    for (const below of levels.slice(tree.firstOfTier(first - 1) - 1, first - 1))
      out = references.aggregate(tree.ownBlock(id, first), out, below.in);
    outs.set(first, out);
    return out;
  }

  /** Returns the number of the first level whose In_l is not complete; L + 1 if all are. */
  function frontier(): number {
    return levels.find(({ count, size }) => count < size)?.number ?? tree.levels + 1;
  }

  const isOutComplete = (level: Level): boolean => tree.firstOfTier(level.number) <= frontier();

  /** Outputs the final aggregate if it meets the threshold and is heavier than the last output (section 2.4). */
  function giveOutput(): void {
    const count = levels.reduce((sum, level) => sum + level.count, 1);
    const weight = levels.reduce((sum, level) => sum + level.weight, weightOfNode(id));
    if (count < config.threshold || weight <= bestOutput) return;
    if (quorum?.mayBeMet(stakes, weight, count) === false) return;
    const final = outOf(tree.levels + 1);
    if (quorum?.isMet(scheme.setWords(final)) === false) return;
    bestOutput = weight;
    port.output(final);
  }

  // 3.5 Messages in Handel

  /**
   * Sends Out_l, and the node's individual contribution unless Out_l is that contribution. A flag states whether the
   * node has the level complete (section 6).
   */
  function send(level: Level, peer: number, flags = 0): void {
    const out = outOf(level.number);
    const individual = scheme.weight(out) === 1 ? noContribution : own;
    port.send(peer, level.number, out, individual, flags | (isComplete(level) ? MessageFlag.levelReceived : 0));
  }

  // 3.5.1 Sending contributions

  /** Sends to the next `count` peers of the contribution prioritisation vector that are not silenced. */
  function contactNext(level: Level, count: number): void {
    for (let left = Math.min(count, level.size - level.silenced.size); left > 0; ) {
      const peer = priorities.contact(id, level.block, level.place);
      level.place = (level.place + 1) % priorities.places(level.block);
      if (peer < 0 || level.silenced.has(peer)) continue; // the place is empty, or the peer is silenced
      send(level, peer);
      left--;
    }
  }

  /** Fast path: sends Out_l immediately on each level from `first` up where it is complete. */
  function sendFast(first: number): void {
    for (const level of levels.slice(first - 1, tree.lastOfTier(frontier()))) contactNext(level, config.fastPathPeers);
  }

  /** Periodic dissemination: each period contacts one peer on each active level. */
  function endPeriod(): void {
    periodEndUs = undefined;
    lastPeriodEndUs = port.nowUs();
    for (const level of levels.filter((one) => isOutComplete(one) || startTimeUs(one) <= lastPeriodEndUs)) {
      if (backOff.isQuiet(level)) backOff.passPeriod(level, lastPeriodEndUs - startUs!);
      else {
        contactNext(level, 1);
        backOff.countContact(level);
      }
    }
    backOff.endPeriod(lastPeriodEndUs);
    startPeriod();
  }

  /** Starts a period, unless one is running or no level has anything left to do. */
  function startPeriod(): void {
    if (startUs === undefined || periodEndUs !== undefined || !levels.some((level) => backOff.isAtWork(level))) return;
    const periodUs = Math.round(config.disseminationPeriodMs * 1000);
    periodEndUs = port.nowUs() + periodUs;
    port.setTimer(periodUs, HandelTimer.period);
  }

  /** Returns StartTime_l. It counts levels of the binary tree, so levels of a tier start together. */
  function startTimeUs({ number }: Level): number {
    return startUs! + Math.round(tree.levelOrder(number) * config.levelStartMs * 1000);
  }

  /**
   * Contacts a first peer on each level that starts, unless a period will do so. Intentional divergence: in v1.03
   * section 3.5.1 a level waits for the end of a period.
   */
  function startLevels(): void {
    const nowUs = port.nowUs();
    for (const level of levels.slice(startedLevels)) {
      const dueUs = startTimeUs(level);
      if (!isOutComplete(level)) {
        if (dueUs > nowUs) {
          port.setTimer(dueUs - nowUs, HandelTimer.levelStart);
          return;
        }
        if (lastPeriodEndUs < dueUs && periodEndUs !== nowUs) contactNext(level, 1);
      }
      startedLevels = level.number;
    }
  }

  // 3.5.2 Receiving contributions

  /**
   * Stops contacting a peer that has the level complete. Contacts it again if it reports an incomplete level, because
   * it has lost its state. Answers a peer that cannot know that the node has the level complete, or that lacks
   * something on a quiet level. Intentional divergence: v1.03 section 6 has no answers.
   */
  function handleFlags(level: Level, from: number, flags: number): void {
    const isDone = (flags & MessageFlag.levelReceived) !== 0;
    const wasSilenced = level.silenced.has(from);
    if (isDone) level.silenced.add(from);
    const isAnswer = (flags & MessageFlag.answer) !== 0;
    if (!isAnswer && isComplete(level) && wasSilenced) send(level, from, MessageFlag.answer);
    else if (!isAnswer && !isDone && backOff.isQuiet(level)) {
      backOff.reply(level, from, periodEndUs === undefined ? port.nowUs() : lastPeriodEndUs);
      startPeriod();
    }
    if (!isDone && !isAnswer) backOff.noteAsker(level, from);
    if (isDone || !wasSilenced || isComplete(level)) return;
    level.silenced.delete(from);
    startPeriod();
  }

  /**
   * Stores the contributions of a message for verification: the heaviest aggregate of a sender, and its individual
   * contribution once. Returns whether there is something new to verify.
   */
  function receive(level: Level, from: number, aggregate: Contribution, individual: Contribution): boolean {
    const isIndividual = scheme.weight(aggregate) === 1 && scheme.contains(aggregate, from);
    const single = isIndividual ? aggregate : individual;
    const isNew = single !== noContribution && !knownIndividuals.has(from);
    const isUseful = !isIndividual && scoreOfAggregate(level, aggregate) > level.weight;
    if (isNew) knownIndividuals.add(from);
    if (isNew && !isUseful && scheme.contains(level.in, from)) {
      level.dormant.set(from, single);
      return false;
    }
    if (isNew) entryOf(level, from).individual = single;
    if (isUseful) keepHeavier(entryOf(level, from), aggregate);
    return isNew || isUseful;
  }

  /** Keeps the heavier aggregate. If both have the same weight, keeps the one with more signers. */
  function keepHeavier(entry: Unverified, aggregate: Contribution): void {
    const more =
      weightOf(aggregate) - weightOf(entry.aggregate) || scheme.weight(aggregate) - scheme.weight(entry.aggregate);
    if (more > 0) entry.aggregate = aggregate;
  }

  /** Returns the sender's entry among the level's unverified contributions. Creates it if there is none. */
  function entryOf(level: Level, sender: number): Unverified {
    const entry = level.unverified.get(sender) ?? { aggregate: noContribution, individual: noContribution };
    level.unverified.set(sender, entry);
    return entry;
  }

  // 3.5.3 Pruning contributions

  /** (1) Prunes all contributions of a Byzantine sender. The node no longer accepts its messages or contacts it. */
  function blacklistSender(level: Level, sender: number): void {
    port.trace(TraceKind.blacklisted, level.number, sender, noContribution);
    blacklist.add(sender);
    level.silenced.add(sender);
    for (const list of [level.unverified, level.dormant, level.verified]) list.delete(sender);
  }

  /** (2) Prunes all contributions of a level whose In_l is complete. */
  function pruneLevel(level: Level): void {
    for (const sender of level.unverified.keys()) level.unverified.delete(sender);
    for (const list of [level.dormant, level.verified]) list.clear();
  }

  /**
   * (3) Prunes an entry that cannot improve In_l. Its individual contribution is kept as dormant, since In_l may be
   * replaced by a set without it. Fairness (section 2.4) depends on that.
   */
  function pruneUseless(level: Level, sender: number): void {
    const { individual } = entryOf(level, sender);
    if (individual !== noContribution) level.dormant.set(sender, individual);
    level.unverified.delete(sender);
  }

  /** Queues dormant individual contributions again that In_l lacks after it was replaced. */
  function wakeDormant(level: Level): void {
    for (const [sender, individual] of level.dormant) {
      if (scheme.contains(level.in, sender)) continue;
      level.dormant.delete(sender);
      entryOf(level, sender).individual = individual;
    }
  }

  const onTimer = (timer: number): void => (timer === HandelTimer.levelStart ? startLevels() : endPeriod());
  return references.counted({ start, onMessage, onTimer, onVerified });
}
