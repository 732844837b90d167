import { requireInteger } from '@tutti/core/input';
import { entryScore, type HandelState, type IndividualList, List, nil, PeerFact, unscored } from '@tutti/core/packed';
import {
  aboutOf,
  ChoiceKind,
  contributionCode,
  contributionText,
  decodeMessageCode,
  kindOf,
  messageText,
} from './codes.ts';
import { type Breach, breachBy, fairEnd, isOfTheEnd } from './fairEnd.ts';
import { type ModelCheckerOptions, type ModelSetting, settingOf } from './setting.ts';
import { type NodeRecord, SmallWorld } from './smallWorld.ts';

/** Result of a model check. */
export interface ModelCheckResult {
  readonly options: Required<Omit<ModelCheckerOptions, 'node'>>;
  /** Number of different states reached, including the first. */
  readonly states: number;
  /** Number of choices made, each in one state. */
  readonly transitions: number;
  /** Length of the longest of the shortest paths to the states, in choices. */
  readonly depth: number;
  /**
   * Whether every state was reached that the limits on losses, repeats, timers and injections allow, without a violated
   * claim.
   */
  readonly complete: boolean;
  readonly broken: BrokenClaim | undefined;
}

/** A violated claim and the path to it, one line per choice. */
export interface BrokenClaim extends Breach {
  /**
   * Shortest path to the violation. If a fair end revealed the violation first, the path is what remains after each
   * unnecessary choice was removed once, the last one first.
   */
  readonly choices: readonly string[];
  /** Events of the fair end, if it shows the violation. */
  readonly fairEnd: readonly string[];
}

/**
 * Creates a model checker of a few nodes. The checker is advanced step by step, so that it can be observed and stopped.
 *
 * @throws RangeError for a value out of its range; TypeError for an unknown option or a value of the wrong type.
 */
export function createModelChecker(options: ModelCheckerOptions): ModelChecker {
  return new ModelChecker(settingOf(options));
}

/**
 * Explores every order of events of a few nodes, breadth first, so that the first violated claim is one of the nearest.
 * Nodes are not copied: the path to a state is stored as choices, and replayed from the beginning for every choice that
 * is tried in that state.
 */
export class ModelChecker {
  readonly #setting: ModelSetting;
  /** Keys of the states reached. */
  readonly #known = new Set<string>();
  /** For each state, in the order of discovery: the previous state and the choice. */
  readonly #parent: number[] = [];
  readonly #chosen: number[] = [];
  /** Choices of states that are not expanded yet. */
  readonly #open = new Map<number, readonly number[]>();
  #expanded = 0;
  #transitions = 0;
  /** Number of choices on the path to the state expanded next, and the first state with one choice more. */
  #depth = 0;
  #nextDepthFrom = 1;
  #deepest = 0;
  #broken: BrokenClaim | undefined;

  constructor(setting: ModelSetting) {
    this.#setting = setting;
    this.#reach(new SmallWorld(setting), -1, -1);
  }

  /** Number of different states reached so far. */
  get states(): number {
    return this.#parent.length;
  }

  /** Number of choices made so far. */
  get transitions(): number {
    return this.#transitions;
  }

  /** Number of choices on the longest of the shortest paths to the states. */
  get depth(): number {
    return this.#deepest;
  }

  /**
   * Makes at least the given number of choices, an integer of at least 1. Returns false once nothing is left to check, a
   * claim is violated, or a limit is reached.
   *
   * @throws RangeError for any other number.
   */
  advance(atLeast: number): boolean {
    requireInteger('atLeast', atLeast, 1, Number.MAX_SAFE_INTEGER);
    const { depth, maxStates } = this.#setting.options;
    const until = this.#transitions + atLeast;
    while (this.#transitions < until) {
      if (this.#broken !== undefined || this.#open.size === 0 || this.states >= maxStates) return false;
      if (this.#expanded === this.#nextDepthFrom) {
        this.#depth++;
        this.#nextDepthFrom = this.states;
      }
      if (this.#depth === depth) return false;
      this.#expand(this.#expanded++);
    }
    return true;
  }

  /** Returns the result of the choices made so far. */
  result(): ModelCheckResult {
    const { node: _, ...options } = this.#setting.options;
    return {
      options,
      states: this.states,
      transitions: this.#transitions,
      depth: this.#deepest,
      complete: this.#open.size === 0 && this.#broken === undefined,
      broken: this.#broken,
    };
  }

  #expand(state: number): void {
    const choices = this.#open.get(state);
    if (choices === undefined) return;
    this.#open.delete(state);
    const way = this.#wayTo(state);
    for (const chosen of choices) {
      this.#transitions++;
      const world = new SmallWorld(this.#setting);
      for (const before of way) world.apply(before);
      const broken = breachBy(() => void world.apply(chosen));
      if (broken !== undefined) this.#break(broken, [...way, chosen], []);
      else if (!this.#known.has(stateKey(world))) this.#reach(world, state, chosen);
      if (this.#broken !== undefined) return;
    }
  }

  /** Adds a new state, and continues the state to a fair end. */
  #reach(world: SmallWorld, parent: number, chosen: number): void {
    const state = this.states;
    this.#known.add(stateKey(world));
    this.#parent.push(parent);
    this.#chosen.push(chosen);
    if (state > 0) this.#deepest = this.#depth + 1;
    const choices = world.choices();
    if (choices.length > 0) this.#open.set(state, choices);
    const end: number[] = [];
    const broken = breachBy(() => fairEnd(world, end));
    if (broken === undefined) return;
    const way = this.#wayTo(state);
    if (isOfTheEnd(broken)) this.#break(broken, way, end);
    else this.#break(broken, withoutNeedless(this.#setting, [...way, ...end], broken.claim), []);
  }

  #wayTo(state: number): number[] {
    const way: number[] = [];
    for (let at = state; at > 0; at = this.#parent[at]!) way.push(this.#chosen[at]!);
    return way.reverse();
  }

  /** Replays the path to a violated claim, to describe it. */
  #break(broken: Breach, way: readonly number[], end: readonly number[]): void {
    const world = new SmallWorld(this.#setting);
    const described = [...way, ...end].map((chosen) => {
      const line = narrate(world, chosen);
      breachBy(() => void world.apply(chosen));
      return line;
    });
    this.#broken = { ...broken, choices: described.slice(0, way.length), fairEnd: described.slice(way.length) };
  }
}

/** Returns one line that describes a choice, in the model that is about to make the choice. */
function narrate(world: SmallWorld, chosen: number): string {
  const about = aboutOf(chosen);
  const { scheme } = world;
  const { to } = decodeMessageCode(about);
  switch (kindOf(chosen)) {
    case ChoiceKind.cast:
      return `node ${about} is Byzantine`;
    case ChoiceKind.start:
      return `node ${about} starts`;
    case ChoiceKind.deliver:
      return `node ${to} receives ${messageText(scheme, about)}`;
    case ChoiceKind.repeat:
      return `node ${to} receives a message that will be delivered once more: ${messageText(scheme, about)}`;
    case ChoiceKind.lose:
      return `lost on the way to node ${to}: ${messageText(scheme, about)}`;
    case ChoiceKind.timer:
      return `node ${about}: its dissemination period ends`;
    case ChoiceKind.verified: {
      const verdicts = world.records[about]!.node!.inspector.checking.map(({ level, sender, contribution }) => {
        const text = contributionText(scheme, contributionCode(scheme, contribution));
        return `${text} from ${sender}, level ${level}: ${scheme.verify(contribution) ? 'valid' : 'invalid'}`;
      });
      return `node ${about} has verified ${verdicts.join('; together with ')}`;
    }
    case ChoiceKind.inject:
      return `node ${to} receives an injected message, ${messageText(scheme, about)}`;
  }
}

/** Removes unnecessary choices from a path to a violated claim, one by one, the last choices first. */
function withoutNeedless(setting: ModelSetting, way: readonly number[], claim: Breach['claim']): readonly number[] {
  let needed = way;
  for (let at = way.length - 2; at >= 0; at--) {
    const shorter = needed.filter((_, index) => index !== at);
    if (breaks(setting, shorter, claim)) needed = shorter;
  }
  return needed;
}

/** Returns whether every choice but the last can be made, and the last choice violates the claim. */
function breaks(setting: ModelSetting, way: readonly number[], claim: Breach['claim']): boolean {
  const world = new SmallWorld(setting);
  for (const [index, chosen] of way.entries()) {
    if (!world.allows(chosen)) return false;
    const broken = breachBy(() => void world.apply(chosen));
    if (broken !== undefined) return broken.claim === claim && index === way.length - 1;
  }
  return false;
}

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
  const { bestOutput, checking, state } = node.inspector;
  codes.push(bestOutput, checking.length);
  for (const { level, sender, contribution, isIndividual } of checking) {
    codes.push((level << 3) | (sender << 1) | (isIndividual ? 1 : 0), contributionCode(scheme, contribution));
  }
  codes.push(state.levels.turns & 255, (state.levels.turns >>> 8) & 255, state.levels.turns >>> 16);
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

/** Returns an entry's score, which is computed now unless it is already stored. The state does not change. */
function scoreOf(state: HandelState, level: number, entry: number): number {
  const score = state.pending.score(entry);
  return score === unscored ? entryScore(state, level, entry) : score;
}

/**
 * Returns the senders in a list without a relevant order, as bits; senders of forged contributions in the upper four
 * bits.
 */
function individuals({ pending, scheme }: HandelState, level: number, list: IndividualList): number {
  let bits = 0;
  const run = pending.run(level, list);
  for (let place = pending.countOf(run) - 1; place >= 0; place--) {
    bits |= (scheme.verify(pending.individualIn(run, place)) ? 1 : 16) << pending.senderIn(run, place);
  }
  return bits;
}
