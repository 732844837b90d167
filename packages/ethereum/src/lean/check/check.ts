import { expected, requireInteger } from '@tutti/core/input';
import type { LeanPlan } from '../plans.ts';
import { countNewVotes, windowOf } from '../rules.ts';
import { hasWindows, type LeanStrategy, leanStrategies, leanStrategyNamed } from '../world.ts';
import { type LeanAct, type LeanCheckState, type LeanFault, LeanModel, type LeanModelOptions } from './model.ts';

/** Claims that must hold in a model without time. */
export const leanClaims = {
  owned: 'All well, somebody merges in every slot until a proof has all votes.',
  aligned: 'All well, l levels are merged after l slots.',
  whole: 'Once nothing goes wrong any more, some proof comes to have every vote that a live aggregator has.',
  grows: 'What an aggregator has proofs of never becomes less.',
  useful: 'No merge has only what one of its maker’s own proofs has.',
  once: 'All well, no set of votes is merged twice.',
  timely: 'No merge is begun that cannot end in time.',
} as const;
/** Name of a claim in {@link leanClaims}. */
export type LeanClaim = keyof typeof leanClaims;

/**
 * Kind of fault.
 *
 * - `ownerless`: no aggregator owns the width of its window in this slot.
 * - `lonely`: an owner has fewer than two proofs to merge.
 * - `misaligned`: the merges or proofs of the owners overlap with existing proofs.
 * - `wide`: a proof with a vote of every subnet makes all windows as wide as possible.
 * - `unmerged`: a strategy without windows does not merge, or merges too little.
 * - `duplicate`: a merge repeats an existing proof or another merge.
 * - `late`: a merge begins that cannot end in time.
 * - `dropped`: an aggregator drops a proof, as leanSpec's aggregator does.
 */
export type LeanFaultKind =
  | 'ownerless'
  | 'lonely'
  | 'misaligned'
  | 'wide'
  | 'unmerged'
  | 'duplicate'
  | 'late'
  | 'dropped';

/** A run of the model that violates a claim. */
export interface LeanCounterexample {
  readonly claim: LeanClaim;
  readonly kind: LeanFaultKind;
  readonly options: LeanModelOptions;
  readonly silent: readonly number[];
  readonly wide: readonly number[];
  readonly firstSlot: number;
  /** Faults by slot, starting with the first slot. After the list, there are no faults. */
  readonly faults: readonly LeanFault[];
  /** Description of each slot: the merges, and the reasons for missing merges. */
  readonly trace: readonly string[];
}

/** Result of a check of the claims in every model of a range. */
export interface LeanCheckResult {
  /** Number of models. A model fixes the silent aggregators, the wide leaves and the first slot. */
  readonly worlds: number;
  /** Total number of states in all models. */
  readonly states: number;
  /** Shortest counterexample found for each claim and kind of fault. */
  readonly broken: readonly LeanCounterexample[];
}

const ranges = { subnets: [1, 8], leafSubnets: [1, 8], silent: [0, 3], idle: [0, 3], losses: [0, 3] } as const;

/** Checks options. @throws RangeError that names the field. */
function validateLeanModelOptions(options: LeanModelOptions): void {
  if (!leanStrategies.includes(options.rule)) {
    throw new RangeError(expected('rule', `one of ${leanStrategies.join(', ')}`, options.rule));
  }
  for (const [name, [least, most]] of Object.entries(ranges)) {
    requireInteger(name, options[name as keyof typeof ranges], least, most);
  }
  requireInteger('number of owners', options.owners.length, 1, 8);
  for (const owner of options.owners) requireInteger('owners', owner, 0, options.subnets - 1);
  requireInteger('wide', options.wide ?? 0, 0, 3);
  requireInteger('deadline', options.deadline ?? 0, 0, 64);
}

/**
 * Explores all runs of all models within these limits, with a breadth-first search in each model. Faults happen only in
 * the first two periods of a run, see `LeanModel.period`.
 */
export function checkLean(options: LeanModelOptions): LeanCheckResult {
  validateLeanModelOptions(options);
  const found = new Map<string, LeanCounterexample>();
  const report = (one: LeanCounterexample): void => {
    const key = `${one.claim} ${one.kind}`;
    const known = found.get(key);
    if (known === undefined || lengthOf(one) < lengthOf(known)) found.set(key, one);
  };
  let states = 0;
  let worlds = 0;
  const positions = options.owners.map((_, position) => position);
  for (const silent of subsets(positions, options.silent)) {
    if (silent.length === positions.length) continue;
    const live = positions.filter((position) => !silent.includes(position));
    for (const wide of subsets(live, options.wide ?? 0)) {
      const { cycle } = new LeanModel(options, silent, wide);
      for (let slot = 0; slot < cycle; slot++) {
        worlds++;
        states += new WorldSearch(new LeanModel(options, silent, wide), slot, report).explore();
      }
    }
  }
  return { worlds, states, broken: [...found.values()].sort((a, b) => lengthOf(a) - lengthOf(b)) };
}

const isFault = (fault: LeanFault) => Object.keys(fault).length > 0;

/** Returns the complexity of a counterexample: a fault counts as ten lines of the trace. */
const lengthOf = ({ trace, faults, silent, wide }: LeanCounterexample) =>
  trace.length + 10 * (silent.length + wide.length + faults.filter(isFault).length);

function subsets(of: readonly number[], max: number): number[][] {
  const all: number[][] = [[]];
  for (const one of of) all.push(...all.filter((set) => set.length < max).map((set) => [...set, one]));
  return all;
}

/** A state whose continuations have not been explored yet, with the numbers of faults that are still possible. */
interface Open {
  readonly state: LeanCheckState;
  readonly faults: readonly LeanFault[];
  readonly idle: number;
  readonly losses: number;
}

/** Exploration of all runs of a model that start in a given slot, with faults only in the first two periods. */
class WorldSearch {
  readonly #model: LeanModel;
  readonly #firstSlot: number;
  readonly #report: (found: LeanCounterexample) => void;
  /** States from which a fault-free continuation was found to be complete. */
  readonly #sound = new Set<string>();

  constructor(model: LeanModel, firstSlot: number, report: (found: LeanCounterexample) => void) {
    this.#model = model;
    this.#firstSlot = firstSlot;
    this.#report = report;
  }

  /** Explores the runs, and returns the number of states. */
  explore(): number {
    const model = this.#model;
    const { options } = model;
    const seen = new Set<string>();
    // The states of a strategy with levels contain the slot, so a run whose votes never come together would have no end.
    const maxFaultSlots = 2 * model.period;
    let open: Open[] = [
      { state: model.first(this.#firstSlot), faults: [], idle: options.idle, losses: options.losses },
    ];
    for (let depth = 0; open.length > 0 && depth <= maxFaultSlots; depth++) {
      const next: Open[] = [];
      for (const one of open) {
        const key = `${model.keyOf(one.state)} ${one.idle} ${one.losses}`;
        if (seen.has(key)) continue;
        seen.add(key);
        if (one.faults.length === 0 || this.#hasFault(one)) this.#followFairly(one);
        const { all, best } = model.coverage(one.state);
        if (best < all && !model.isLate(one.state)) next.push(...successors(model, one));
      }
      open = next;
    }
    return seen.size;
  }

  #hasFault({ faults }: Open): boolean {
    return this.#model.silent.length > 0 || faults.some(isFault);
  }

  /** Continues without faults, and checks the claims on the way and at the end. */
  #followFairly(open: Open): void {
    const model = this.#model;
    const { options, silent, wide } = model;
    const { state: from, faults } = open;
    const hasFault = this.#hasFault(open);
    const trace = replayed(model, this.#firstSlot, faults);
    const note: Note = (claim, kind) =>
      this.#report({ claim, kind, options, silent, wide, firstSlot: this.#firstSlot, faults, trace: [...trace] });
    const passed: string[] = [];
    const merged = hasFault ? undefined : new Set<string>();
    let state = from;
    let quiet = 0;
    for (let slots = 0; ; slots++) {
      const key = model.keyOf(state);
      if (this.#sound.has(key)) break;
      passed.push(key);
      const { all, best } = model.coverage(state);
      const isOpen = best < all && !model.isLate(state);
      if (isOpen && !hasFault && slots >= levelsOf(options)) note('aligned', kindOf(model, state));
      const { state: next, acts } = model.step(state, {});
      trace.push(wordsOf(model, state, acts));
      if (model.coverage(next).all < all) note('grows', 'dropped');
      const merges = mergesOf(acts);
      if (best < all) checkMerges(model, state, merges, merged, note);
      if (!isOpen) break;
      quiet = merges.length === 0 ? quiet + 1 : 0;
      if (quiet > model.period) {
        // One slot without a merge stands for all of them.
        trace.splice(-model.period);
        note('whole', kindOf(model, state));
        return;
      }
      state = next;
    }
    for (const key of passed) this.#sound.add(key);
  }
}

/** Returns every choice for a slot: no fault, a delayed merge, or a lost delivery. */
function successors(model: LeanModel, { state, faults, idle, losses }: Open): Open[] {
  const fair = model.step(state, {});
  const makers = mergesOf(fair.acts).map(({ position }) => position);
  const all: Open[] = [{ state: fair.state, faults: [...faults, {}], idle, losses }];
  for (const position of idle > 0 ? makers : []) {
    const fault = { idle: position };
    all.push({ state: model.step(state, fault).state, faults: [...faults, fault], idle: idle - 1, losses });
  }
  for (const by of losses > 0 ? makers : []) {
    for (const to of model.options.owners.keys()) {
      if (to === by || model.silent.includes(to)) continue;
      const fault = { lost: [by, to] as const };
      all.push({ state: model.step(state, fault).state, faults: [...faults, fault], idle, losses: losses - 1 });
    }
  }
  return all;
}

/** An action that is a merge. */
type LeanMerge = LeanAct & { readonly plan: LeanPlan };

const mergesOf = (acts: readonly LeanAct[]) => acts.filter((act): act is LeanMerge => act.plan !== undefined);

type Note = (claim: LeanClaim, kind: LeanFaultKind) => void;

/** Returns the number of levels above the subnets that have an aggregator. */
function levelsOf({ owners }: LeanModelOptions): number {
  return Math.ceil(Math.log2(new Set(owners).size));
}

/**
 * Checks the claims about the merges of a slot.
 *
 * @param merged keys of the merges in earlier slots, changed in place; undefined for a run with a fault, for which only
 * some of the claims must hold.
 */
function checkMerges(
  model: LeanModel,
  state: LeanCheckState,
  merges: readonly LeanMerge[],
  merged: Set<string> | undefined,
  note: Note,
): void {
  if (model.isLate(state)) {
    if (merges.length > 0) note('timely', 'late');
    return;
  }
  if (merged !== undefined && merges.length === 0) note('owned', kindOf(model, state));
  for (const { position, plan } of merges) {
    if (state.held[position]!.some(({ votes }) => countNewVotes(plan.votes, votes) === 0)) note('useful', 'duplicate');
    const key = plan.votes.join();
    if (merged?.has(key)) note('once', 'duplicate');
    merged?.add(key);
  }
}

/** Returns the kind of fault in a slot with too few merges. */
function kindOf(model: LeanModel, state: LeanCheckState): LeanFaultKind {
  if (!hasWindows(model.options.rule)) return 'unmerged';
  const live = [...model.options.owners.keys()].filter((position) => !model.silent.includes(position));
  if (mergesOf(model.acts(state, new Map(state.ready))).length > 0)
    return model.wide.length > 0 ? 'wide' : 'misaligned';
  const why = live.map((position) => model.whyNot(state, position));
  if (why.every((one) => one === 'not an owner')) return 'ownerless';
  return why.includes('lonely') ? 'lonely' : 'misaligned';
}

function replayed(model: LeanModel, firstSlot: number, faults: readonly LeanFault[]): string[] {
  let state = model.first(firstSlot);
  return faults.map((fault) => {
    const step = model.step(state, fault);
    const line = `${wordsOf(model, state, step.acts)}${faultWords(fault)}`;
    state = step.state;
    return line;
  });
}

function faultWords({ idle, lost }: LeanFault): string {
  if (idle !== undefined) return `; ${idle} is too slow`;
  return lost === undefined ? '' : `; what ${lost[0]} made does not come to ${lost[1]}`;
}

/** Describes a slot in one line: the merges, and the reasons for missing merges. */
function wordsOf(model: LeanModel, state: LeanCheckState, acts: readonly LeanAct[]): string {
  const { owners, rule, subnets } = model.options;
  const isWindowed = hasWindows(rule);
  const says = acts.map(({ position, plan }) => {
    const window = windowOf(state.held[position]!, owners[position]!, subnets);
    const width = isWindowed ? ` (width ${window.width})` : '';
    const who = `subnet ${owners[position]}'s aggregator${width}`;
    if (plan !== undefined) return `${who} merges ${plan.children.map((child) => setOf(child.subnets)).join(' and ')}`;
    const dropped = model.droppedBy(state, { position, plan });
    if (dropped !== undefined) return `${who} drops ${setOf(dropped.subnets)}, alone in its pending pool`;
    return `${who} merges nothing${isWindowed ? `: ${model.whyNot(state, position)}` : ''}`;
  });
  return `slot ${state.slot}: ${says.join('; ')}`;
}

function setOf(subnets: Uint8Array): string {
  return `{${[...subnets.keys()].filter((one) => subnets[one] === 1).join(',')}}`;
}

/**
 * Returns every placement of aggregators on 1 to `max` subnets.
 *
 * @param each maximum number of aggregators per subnet.
 */
export function allPlacements(
  rule: LeanStrategy,
  max: number,
  bounds: Pick<LeanModelOptions, 'silent' | 'idle' | 'losses' | 'wide' | 'deadline'>,
  each = 1,
): LeanModelOptions[] {
  const all: LeanModelOptions[] = [];
  for (let subnets = 1; subnets <= max; subnets++) {
    for (let number = 1; number < (each + 1) ** subnets; number++) {
      const owners = Array.from({ length: subnets }, (_, subnet) => subnet).flatMap((subnet) =>
        new Array<number>(Math.floor(number / (each + 1) ** subnet) % (each + 1)).fill(subnet),
      );
      all.push({ rule, subnets, owners, leafSubnets: 1, ...bounds });
    }
  }
  return all;
}

/** Returns a counterexample as the fragment of a link, after `#`. {@link readLeanLink} reads the fragment. */
export function leanLink({ options, silent, wide, firstSlot, faults }: LeanCounterexample): string {
  const { rule, subnets, owners, leafSubnets, deadline } = options;
  const wrong = faults
    .map(({ idle, lost }) => (idle !== undefined ? `i${idle}` : lost ? `l${lost.join('-')}` : ''))
    .join('.');
  const parts = {
    rule,
    subnets,
    owners: owners.join('.'),
    leaf: leafSubnets,
    slot: firstSlot,
    silent: silent.join('.'),
    faults: wrong,
    ...(wide.length === 0 ? {} : { wide: wide.join('.') }),
    ...(deadline === undefined ? {} : { deadline }),
  };
  return `lean-check=${Object.entries(parts)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')}`;
}

/** A counterexample without its trace: the data from which `LeanModel` repeats the run. */
export type LeanCase = Pick<LeanCounterexample, 'options' | 'silent' | 'wide' | 'firstSlot' | 'faults'>;

/** Parses a link. @throws RangeError for a text that is not a link to a counterexample. */
export function readLeanLink(text: string): LeanCase {
  const [, body] = /^#?lean-check=(\w+:[^,:]*(?:,\w+:[^,:]*)*)$/.exec(text) ?? [];
  if (body === undefined) throw new RangeError(expected('link', 'lean-check=rule:NAME,...', text));
  const parts = Object.fromEntries(body.split(',').map((part) => part.split(':') as [string, string]));
  const numbers = (list = '') => (list === '' ? [] : list.split('.').map(Number));
  const options: LeanModelOptions = {
    rule: leanStrategyNamed(parts.rule ?? '') ?? (parts.rule as LeanStrategy),
    subnets: Number(parts.subnets),
    owners: numbers(parts.owners),
    leafSubnets: Number(parts.leaf),
    silent: 0,
    idle: 0,
    losses: 0,
    ...(parts.deadline === undefined ? {} : { deadline: Number(parts.deadline) }),
  };
  validateLeanModelOptions(options);
  const requirePositions = (name: string, positions: readonly number[]) => {
    for (const one of positions) requireInteger(name, one, 0, options.owners.length - 1);
  };
  const [silent, wide] = [numbers(parts.silent), numbers(parts.wide)];
  requirePositions('silent', silent);
  requirePositions('wide', wide);
  const faults = parts.faults ? parts.faults.split('.').map(faultOf) : [];
  // A counterexample of a model of this size has faults in fewer slots.
  requireInteger('number of slots with faults', faults.length, 0, 128);
  for (const { idle = 0, lost = [] } of faults) requirePositions('faults', [idle, ...lost]);
  const firstSlot = Number(parts.slot);
  requireInteger('slot', firstSlot, 0, 2 ** 31 - 1);
  return { options, silent, wide, firstSlot, faults };
}

function faultOf(text: string): LeanFault {
  if (text === '') return {};
  const [, idle, by, to] = /^(?:i(\d+)|l(\d+)-(\d+))$/.exec(text) ?? [];
  if (idle !== undefined) return { idle: Number(idle) };
  if (by !== undefined) return { lost: [Number(by), Number(to)] };
  throw new RangeError(expected('faults', 'iPOSITION or lFROM-TO, separated by dots', text));
}

/** Repeats a link's run and describes it slot by slot, followed by `more` slots without faults. */
export function replayLeanLink(text: string, more: number): string[] {
  const { options, silent, wide, firstSlot, faults } = readLeanLink(text);
  const model = new LeanModel(options, silent, wide);
  return replayed(model, firstSlot, [...faults, ...Array.from({ length: more }, () => ({}))]);
}
