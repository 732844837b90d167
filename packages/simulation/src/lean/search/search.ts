import { RandomStream } from '@tutti/core';
import { requireInteger, requireNumber } from '@tutti/core/internal';
import { oneOf } from '../../checks/attackSearch/draw.ts';
import { type Hill, HillClimb } from '../../checks/attackSearch/hillClimb.ts';
import { runSlotsInRow } from '../chain/slotsInRow.ts';
import { runLeanSlot } from '../slot/result.ts';
import {
  type LeanPlacement,
  type LeanRole,
  type LeanScenario,
  leanPlacements,
  leanRoles,
  validateLeanScenario,
} from '../slot/scenario.ts';

/** What makes an attack worse: votes that the next proposer lacks, or slots that justification is behind. */
export const leanObjectives = ['excluded', 'lag'] as const;
export type LeanObjective = (typeof leanObjectives)[number];

/** An attack to try, and the world in which it is tried. */
export interface LeanTrial {
  /** Aggregators by what they do. */
  readonly roles: Readonly<Partial<Record<LeanRole, number>>>;
  readonly placement: LeanPlacement;
  readonly world: LeanHardships;
}

/** What makes a world hard for honest aggregators: fields of the scenario. */
export type LeanHardships = Pick<LeanScenario, 'clocksMs' | 'slowShare' | 'unserved' | 'perHost'>;

export interface LeanTried extends LeanTrial {
  /** Votes of a slot that no proof has which the next proposer has verified, of all validators'. */
  readonly excluded: number;
  /** Slots that justification is behind the clock, the mean over the second half; looked at for that objective alone. */
  readonly lag?: number;
}

export interface LeanSearchOptions {
  readonly base: LeanScenario;
  /** Of the aggregators, those who are not honest. */
  readonly share: number;
  readonly objective: LeanObjective;
  /** Whether worlds that are hard are tried too; they are compared with each other alone. */
  readonly hard: boolean;
  /** Slots in a row, where the lag is looked at. */
  readonly slots: number;
  readonly seed: number;
}

/** What a search changes of a world, at most. */
const hardships = { clocksMs: [0, 50, 100, 200, 400, 800], slowShare: [0, 0.1, 0.2, 0.33], perHost: [1, 2, 4, 8, 15] };
/** Of the subnets, those without an aggregator at most: one in so many. */
const servedToUnserved = 8;

/**
 * A search for what a share of the aggregators can do to a slot's votes, or to a chain: which of them do what, where they
 * are, and, if asked for, in which world.
 */
export class LeanSearch extends HillClimb<LeanTrial, LeanTried> {
  readonly #options: LeanSearchOptions;

  /** @throws RangeError naming the field. */
  constructor(options: LeanSearchOptions) {
    validateLeanScenario(options.base);
    requireNumber('share', options.share, 0, 1);
    requireInteger('slots', options.slots, 2, 4096);
    super(hillOf(options), new RandomStream(options.seed, 'lean search'));
    this.#options = options;
  }

  /** The slot that shows what a trial comes to. */
  scenario(trial: LeanTrial): LeanScenario {
    return leanTrialScenario(this.#options.base, trial);
  }
}

function hillOf({ base, share, objective, hard }: LeanSearchOptions): Hill<LeanTrial, LeanTried> {
  const most = Math.floor(share * base.aggregators);
  const { clocksMs, slowShare, unserved, perHost } = base;
  const world = { clocksMs, slowShare, unserved, perHost };
  const worldOf = (random: RandomStream, isHard: boolean) =>
    isHard ? leanHardships.reduce((made, name) => harder(made, name, base, random), world) : world;
  return {
    // Silence of all of them is what the others are measured against.
    from: most === 0 ? [] : leanRoles.map((role) => ({ roles: { [role]: most }, placement: 'drawn', world })),
    classes: hard ? 2 : 1,
    classOf: (trial) => (JSON.stringify(trial.world) === JSON.stringify(world) ? 0 : 1),
    nameOf: (trial) => JSON.stringify([leanRoles.map((role) => trial.roles[role] ?? 0), trial.placement, trial.world]),
    draw: (random) => ({
      roles: drawnRoles(random, most),
      placement: oneOf(random, leanPlacements),
      world: worldOf(random, hard && random.nextBelow(2) === 0),
    }),
    changed: (trial, random) => {
      const what = random.nextBelow(hard ? 6 : 4);
      if (what === 0) return { ...trial, placement: oneOf(random, leanPlacements) };
      if (what < 3) return { ...trial, roles: changedRoles(trial.roles, random, most) };
      if (what === 3) return { ...trial, roles: drawnRoles(random, most) };
      return { ...trial, world: harder(trial.world, oneOf(random, leanHardships), base, random) };
    },
    order: (a, b) =>
      objective === 'lag' ? (b.lag ?? 0) - (a.lag ?? 0) || b.excluded - a.excluded : b.excluded - a.excluded,
  };
}

const leanHardships = ['clocksMs', 'slowShare', 'unserved', 'perHost'] as const satisfies (keyof LeanHardships)[];

function harder(
  world: LeanHardships,
  name: keyof LeanHardships,
  { subnets }: LeanScenario,
  random: RandomStream,
): LeanHardships {
  if (name === 'unserved')
    return { ...world, unserved: random.nextBelow(1 + Math.ceil(subnets / servedToUnserved)) % subnets };
  return { ...world, [name]: oneOf(random, hardships[name]) };
}

/** All of them, in one to three roles. */
function drawnRoles(random: RandomStream, most: number): LeanTrial['roles'] {
  const roles: Partial<Record<LeanRole, number>> = {};
  const chosen = Array.from({ length: 1 + random.nextBelow(3) }, () => oneOf(random, leanRoles));
  for (let left = most; left > 0; left--) {
    const role = oneOf(random, chosen);
    roles[role] = (roles[role] ?? 0) + 1;
  }
  return roles;
}

/** Some of one role do another thing. */
function changedRoles(roles: LeanTrial['roles'], random: RandomStream, most: number): LeanTrial['roles'] {
  const there = leanRoles.filter((role) => (roles[role] ?? 0) > 0);
  if (there.length === 0) return drawnRoles(random, most);
  const [from, to] = [oneOf(random, there), oneOf(random, leanRoles)];
  const moved = 1 + random.nextBelow(roles[from]!);
  const { [from]: before, ...others } = roles;
  const left = before! - moved;
  const rest: LeanTrial['roles'] = left > 0 ? { ...others, [from]: left } : others;
  return { ...rest, [to]: (rest[to] ?? 0) + moved };
}

/** @returns the slot of a trial in a world. */
function leanTrialScenario(base: LeanScenario, { roles, placement, world }: LeanTrial): LeanScenario {
  const shares = Object.entries(roles).map(([role, count]) => [role, count / base.aggregators]);
  return { ...base, ...world, placement, roles: Object.fromEntries(shares) };
}

/** Runs a trial. @param slots in a row, where the lag is looked at. */
export function tryLean(trial: LeanTrial, scenario: LeanScenario, slots?: number): LeanTried {
  const { pooled } = runLeanSlot(scenario).result;
  const excluded = 1 - pooled[String(Math.max(...scenario.deadlinesMs))]!;
  if (slots === undefined) return { ...trial, excluded };
  return { ...trial, excluded, lag: runSlotsInRow(scenario, slots).justificationLag.mean };
}
