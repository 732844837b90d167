import {
  defaultLeanScenario,
  type LeanRival,
  type LeanScenario,
  type LeanStart,
  leanProfileNames,
  leanProfiles,
  leanRivalNamed,
  leanStarts,
} from '@tutti/ethereum/lean';
import { seeds } from '../state/within.ts';

/** What the page shows, as a link holds it. */
export interface LeanState {
  readonly profile: string;
  readonly subnets: number;
  /** Aggregators of each subnet. */
  readonly each: number;
  readonly cores: number;
  /** Per cent of the aggregators. */
  readonly silent: number;
  /** When today's clients begin to prove, and publish. */
  readonly start: LeanStart;
  readonly seed: number;
  readonly rivals: readonly LeanRival[];
  /** Undefined: from the beginning, playing. */
  readonly timeMs: number | undefined;
  /** The proof that is asked about, and whose. */
  readonly asked: { readonly rival: LeanRival; readonly proof: number } | undefined;
  /** A counterexample of `tutti lean check`, as its link has it behind `lean-check=`. */
  readonly check: string | undefined;
}

/** What the form offers. */
export const leanChoices = {
  subnets: [4, 8, 16, 32],
  each: [1, 2, 4, 16],
  cores: [2, 8, 16, 64],
  silent: [0, 20, 33],
} as const;

export const firstLeanState: LeanState = {
  profile: defaultLeanScenario.profile.name,
  subnets: 8,
  each: 2,
  cores: 16,
  silent: 0,
  start: defaultLeanScenario.start,
  seed: 1,
  rivals: ['spec', 'greedy', 'window-skip', 'halving-owners'],
  timeMs: undefined,
  asked: undefined,
  check: undefined,
};

/** @param hash as in a location; what is missing or invalid has its initial value. */
export function readLeanState(hash: string): LeanState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (name: string, most: number): number | undefined => {
    const text = fields.get(name) ?? '';
    return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
  };
  const choice = (name: keyof typeof leanChoices): number =>
    leanChoices[name].find((one) => one === number(name, 1e4)) ?? firstLeanState[name];
  const rivals = (fields.get('rivals') ?? '').split(',').map(leanRivalNamed);
  return {
    profile: leanProfileNames.find((name) => name === fields.get('profile')) ?? firstLeanState.profile,
    subnets: choice('subnets'),
    each: choice('each'),
    cores: choice('cores'),
    silent: choice('silent'),
    start: leanStarts.find((name) => name === fields.get('start')) ?? firstLeanState.start,
    seed: number('seed', seeds.max) ?? firstLeanState.seed,
    rivals: firstLeanState.rivals.map((first, place) => rivals[place] ?? first),
    timeMs: number('t', 60_000),
    asked: askedOf(fields.get('job')),
    check: fields.get('lean-check') ?? undefined,
  };
}

function askedOf(text: string | null): LeanState['asked'] {
  const [, name, proof] = /^([a-z-]+):(\d{1,6})$/.exec(text ?? '') ?? [];
  const rival = leanRivalNamed(name ?? '');
  return rival === undefined ? undefined : { rival, proof: Number(proof) };
}

/** The part of a link behind #; what is as at first stays out. */
export function writeLeanState(state: LeanState): string {
  const names = ['profile', 'subnets', 'each', 'cores', 'silent', 'start', 'seed'] as const;
  const fields = state.check === undefined ? [] : [`lean-check=${state.check}`];
  for (const name of names) if (state[name] !== firstLeanState[name]) fields.push(`${name}=${state[name]}`);
  const rivals = state.rivals.join();
  if (rivals !== firstLeanState.rivals.join()) fields.push(`rivals=${rivals}`);
  if (state.timeMs !== undefined) fields.push(`t=${Math.round(state.timeMs)}`);
  if (state.asked !== undefined) fields.push(`job=${state.asked.rival}:${state.asked.proof}`);
  return fields.join('&');
}

/** The world that a rival plays in: the same as `tutti lean play` makes of {@link leanCommand}. */
export function leanScenarioOf(state: LeanState, rival: LeanRival): LeanScenario {
  const aggregators = state.subnets * state.each;
  return {
    ...defaultLeanScenario,
    profile: { ...leanProfiles[state.profile]!, cores: state.cores },
    rival,
    subnets: state.subnets,
    aggregators,
    nodes: aggregators + 64,
    start: state.start,
    roles: state.silent === 0 ? {} : { silent: state.silent / 100 },
    seed: state.seed,
  };
}

export function leanCommand(state: LeanState, rival: LeanRival): string {
  const { profile, subnets, each, cores, silent, start, seed } = state;
  const flags = [`--rival ${rival}`, `--subnets ${subnets}`, `--aggregators ${subnets * each}`, `--cores ${cores}`];
  if (profile !== firstLeanState.profile) flags.push(`--profile ${profile}`);
  if (start !== firstLeanState.start) flags.push(`--start ${start}`);
  if (silent > 0) flags.push(`--role silent:${silent / 100}`);
  return `npx tutti lean play ${flags.join(' ')} --seed ${seed}`;
}
