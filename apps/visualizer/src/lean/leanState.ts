import {
  defaultLeanScenario,
  defaultProposers,
  type LeanScenario,
  type LeanStart,
  type LeanStrategy,
  leanProfileNames,
  leanProfiles,
  leanStarts,
  leanStrategies,
  leanStrategyNamed,
} from '@tutti/ethereum/lean';
import { choice, type Field, Fields, named, number, optional, proofOf, seeds, text, whole } from '../links/fields.ts';

/** State of the page as a link stores it. */
export interface LeanState {
  readonly profile: string;
  readonly subnets: number;
  /** Number of aggregators per subnet. */
  readonly each: number;
  /** Number of cores per prover. */
  readonly cores: number;
  /** Share of the aggregators that are silent, percent. */
  readonly silent: number;
  /** Rule for the time at which today's clients prove and publish. */
  readonly start: LeanStart;
  readonly seed: number;
  readonly strategies: readonly LeanStrategy[];
  /** Time on the clock, ms; if undefined, the slot plays from the beginning. */
  readonly timeMs: number | undefined;
  /** Proof whose explanation is shown, with the proof's strategy. */
  readonly asked: { readonly strategy: LeanStrategy; readonly proof: number } | undefined;
  /** Counterexample of `tutti lean rules`: the part of the counterexample's link after `lean-check=`. */
  readonly check: string | undefined;
}

const firstStrategies: readonly LeanStrategy[] = ['spec', 'greedy', 'window-skip', 'halving-owners'];

/**
 * Field with the strategies of the panels, one strategy per panel. A link may name fewer strategies than there are
 * panels, or the same strategy more than once.
 */
const strategies: Field<readonly LeanStrategy[]> = {
  formerName: 'rivals',
  first: firstStrategies,
  takes: `up to ${firstStrategies.length} of ${leanStrategies.join(', ')}`,
  read(text) {
    const names = text.split(',');
    return names.length <= firstStrategies.length && names.every((name) => leanStrategyNamed(name) !== undefined)
      ? this.nearest!(text)
      : undefined;
  },
  nearest: (text) => firstStrategies.map((first, place) => leanStrategyNamed(text.split(',')[place] ?? '') ?? first),
  write: (value) => value.join(','),
};

/** Fields of links and of the form. */
export const leanFields = new Fields<LeanState>({
  check: named('lean-check', optional(text(4000))),
  profile: choice(leanProfileNames, defaultLeanScenario.profile.name),
  subnets: choice([4, 8, 16, 32], 8),
  each: choice([1, 2, 4, 16], 2),
  cores: choice([2, 8, 16, 64], 16),
  silent: choice([0, 20, 33], 0),
  start: choice(leanStarts, defaultLeanScenario.start),
  seed: whole(seeds, 1),
  strategies,
  timeMs: named('t', optional(number({ min: 0, max: 60_000 }, 0))),
  asked: proofOf(leanStrategies, leanStrategyNamed),
});

/** State on a first visit. */
export const firstLeanState = leanFields.first;

/**
 * Returns the scenario for a strategy, which is the scenario that `tutti lean slot` creates for {@link leanCommand}.
 */
export function leanScenarioOf(state: LeanState, strategy: LeanStrategy): LeanScenario {
  const aggregators = state.subnets * state.each;
  return {
    ...defaultLeanScenario,
    profile: { ...leanProfiles[state.profile]!, cores: state.cores },
    strategy,
    subnets: state.subnets,
    aggregators,
    nodes: aggregators + defaultProposers,
    start: state.start,
    roles: state.silent === 0 ? {} : { silent: state.silent / 100 },
    seed: state.seed,
  };
}

/** Returns the command that simulates the slot of a strategy in a terminal. */
export function leanCommand(state: LeanState, strategy: LeanStrategy): string {
  const { profile, subnets, each, cores, silent, start, seed } = state;
  const flags = [
    `--strategy ${strategy}`,
    `--subnets ${subnets}`,
    `--aggregators ${subnets * each}`,
    `--cores ${cores}`,
  ];
  if (profile !== firstLeanState.profile) flags.push(`--profile ${profile}`);
  if (start !== firstLeanState.start) flags.push(`--start ${start}`);
  if (silent > 0) flags.push(`--role silent:${silent / 100}`);
  return `npx tutti lean slot ${flags.join(' ')} --seed ${seed}`;
}
