import { checkingOf } from '@tutti/core/packed';
import {
  aboutOf,
  ChoiceKind,
  contributionCode,
  contributionText,
  decodeMessageCode,
  kindOf,
  messageText,
} from './codes.ts';
import { type Breach, fairEnd, isOfTheEnd, thrownBy } from './fairEnd.ts';
import { type ModelCheckerOptions, type ModelSetting, settingOf } from './setting.ts';
import { SmallWorld } from './smallWorld.ts';
import { stateKey } from './stateKey.ts';

/** What a model check saw. */
export interface ModelCheckResult {
  readonly options: Required<Omit<ModelCheckerOptions, 'node'>>;
  /** Different states that were reached, the first one among them. */
  readonly states: number;
  /** Choices that were made, each in one state. */
  readonly transitions: number;
  /** The most choices in a row that lead to a state by the shortest way. */
  readonly depth: number;
  /**
   * Whether every state that can be reached within the bounds on losses, repeats, timers and injections was reached,
   * and no claim is broken.
   */
  readonly complete: boolean;
  readonly broken: BrokenClaim | undefined;
}

/** A broken claim and the way there, a line for each choice. */
export interface BrokenClaim extends Breach {
  /**
   * The shortest way; or, where a fair end was the first to meet what is broken, a way of which no choice can be left
   * out.
   */
  readonly choices: readonly string[];
  /** What happened then, where it is a fair end that shows it. */
  readonly fairEnd: readonly string[];
}

/**
 * Makes a model checker of a small world, to be advanced piece by piece, so that it can be watched and stopped.
 *
 * @throws RangeError naming the option, what was expected and what came.
 */
export function createModelChecker(options: ModelCheckerOptions): ModelChecker {
  return new ModelChecker(settingOf(options));
}

/**
 * Goes through every order of events in a small world, breadth first, so that the first broken claim is one of the
 * nearest. Nodes are not copied: the way to a state is kept as choices, and walked from the beginning for every choice
 * that is tried there.
 */
export class ModelChecker {
  readonly #setting: ModelSetting;
  /** The names of the states that were reached. */
  readonly #known = new Set<string>();
  /** Per state, in the order in which they were reached: from which state, by which choice. */
  readonly #parent: number[] = [];
  readonly #chosen: number[] = [];
  /** The choices of states that were not expanded yet, where there are any. */
  readonly #open = new Map<number, readonly number[]>();
  #expanded = 0;
  #transitions = 0;
  /** How many choices lead to the state that is expanded next, and the first state that takes one more. */
  #depth = 0;
  #nextDepthFrom = 1;
  #deepest = 0;
  #broken: BrokenClaim | undefined;

  constructor(setting: ModelSetting) {
    this.#setting = setting;
    this.#reach(new SmallWorld(setting), -1, -1);
  }

  get states(): number {
    return this.#parent.length;
  }

  get transitions(): number {
    return this.#transitions;
  }

  get depth(): number {
    return this.#deepest;
  }

  /**
   * Makes some `atLeast` choices; false once there is nothing more to check, a claim is broken, or a limit is reached.
   */
  advance(atLeast: number): boolean {
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
      const broken = thrownBy(() => void world.apply(chosen));
      if (broken !== undefined) this.#break(broken, [...way, chosen], []);
      else if (!this.#known.has(stateKey(world))) this.#reach(world, state, chosen);
      if (this.#broken !== undefined) return;
    }
  }

  /** Adds a new state, and lets its world continue to a fair end. */
  #reach(world: SmallWorld, parent: number, chosen: number): void {
    const state = this.states;
    this.#known.add(stateKey(world));
    this.#parent.push(parent);
    this.#chosen.push(chosen);
    if (state > 0) this.#deepest = this.#depth + 1;
    const choices = world.choices();
    if (choices.length > 0) this.#open.set(state, choices);
    const end: number[] = [];
    const broken = thrownBy(() => fairEnd(world, end));
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

  /** Walks the way to a broken claim once more, to tell it. */
  #break(broken: Breach, way: readonly number[], end: readonly number[]): void {
    const world = new SmallWorld(this.#setting);
    const told = [...way, ...end].map((chosen) => {
      const line = narrate(world, chosen);
      thrownBy(() => void world.apply(chosen));
      return line;
    });
    this.#broken = { ...broken, choices: told.slice(0, way.length), fairEnd: told.slice(way.length) };
  }
}

/** One line for people that says what a choice is, in the world that is about to make it. */
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
      return `node ${to} receives, and will again, ${messageText(scheme, about)}`;
    case ChoiceKind.lose:
      return `lost on the way to node ${to}: ${messageText(scheme, about)}`;
    case ChoiceKind.timer:
      return `node ${about}: its dissemination period is over`;
    case ChoiceKind.verified: {
      const verdicts = checkingOf(world.records[about]!.node!).map(({ level, sender, contribution }) => {
        const text = contributionText(scheme, contributionCode(scheme, contribution));
        return `${text} from ${sender}, level ${level}: ${scheme.verify(contribution) ? 'valid' : 'invalid'}`;
      });
      return `node ${about} has verified ${verdicts.join('; together with ')}`;
    }
    case ChoiceKind.inject:
      return `node ${to} receives, made up, ${messageText(scheme, about)}`;
  }
}

/** A way to a broken claim without the choices that it can do without, tried one by one, the last ones first. */
function withoutNeedless(setting: ModelSetting, way: readonly number[], claim: Breach['claim']): readonly number[] {
  let needed = way;
  for (let at = way.length - 2; at >= 0; at--) {
    const shorter = needed.filter((_, index) => index !== at);
    if (breaks(setting, shorter, claim)) needed = shorter;
  }
  return needed;
}

/** Whether every choice but the last can be made, and that one breaks the claim. */
function breaks(setting: ModelSetting, way: readonly number[], claim: Breach['claim']): boolean {
  const world = new SmallWorld(setting);
  for (const [index, chosen] of way.entries()) {
    if (!world.allows(chosen)) return false;
    const broken = thrownBy(() => void world.apply(chosen));
    if (broken !== undefined) return broken.claim === claim && index === way.length - 1;
  }
  return false;
}
