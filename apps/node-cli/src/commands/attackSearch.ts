import { availableParallelism } from 'node:os';
import { percentText, version } from '@tutti/core';
import {
  defaultScenario,
  isolatePlan,
  type RunResult,
  scenarioArguments,
  scenarioFields,
  simulate,
  worstFinds,
} from '@tutti/simulation';
import {
  AttackSearch,
  idRules,
  type SearchClass,
  type SearchObjective,
  type SearchWorld,
  searchObjectives,
  type Tried,
} from '@tutti/simulation/checks';
import { Command } from 'commander';
import type { SearchTask } from '../attacks/searchThread.ts';
import { answer, type Context, shellWord } from '../context.ts';
import {
  choice,
  durationFlag,
  type FlagsOf,
  flag,
  integer,
  jobsFlag,
  listFlag,
  numberFlag,
  seedFlag,
  validatedFlags,
  withFlags,
} from '../flags.ts';
import { readNetworksAmong } from '../networkFile.ts';
import { type InputFile, inputFiles, inputText } from '../output/files.ts';
import { Progress, type Work } from '../output/progress.ts';
import { columnTable, counted, grouped } from '../output/text.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';
import { addFieldFlags, readScenario } from '../scenarioFlags.ts';
import { ThreadPool } from '../threads/threadPool.ts';

const maxTries = 1_000_000;

const minutes = (of: string) =>
  numberFlag(of, 'a number greater than 0 and at most 10000', (value) => value > 0 && value <= 10_000);

/** Flags that help shows before those of {@link worldFields}. */
const sizeFlags = {
  nodes: flag('<n>', 'nodes', integer(4, 65_536), 256),
  share: flag(
    '<share>',
    'share of the nodes that are Byzantine, or share of the quantity that --attack-share-of selects',
    (of) => numberFlag(of, 'a number greater than 0 and less than 0.5', (share) => share > 0 && share < 0.5),
    0.3,
  ),
  minutes: flag('<min>', 'time limit of the search, minutes', minutes, 10),
  tries: flag('<n>', 'maximum number of attacks to try', integer(1, maxTries), maxTries),
};

/** Flags that help shows after those of {@link worldFields}. */
const goalFlags = {
  seed: seedFlag('seed of the search and of its runs'),
  objective: flag(
    '<name>',
    `measure of an attack, ${searchObjectives.join(' or ')}: mean time to threshold of the honest nodes, or time of the last honest node`,
    choice(searchObjectives),
    'mean',
  ),
  ids: flag(
    '<name>',
    `${idRules.join(' or ')}: with chosen ids, the search also chooses the positions of the attacker's nodes, as an attacker could without the global shuffle`,
    choice(idRules),
    'drawn',
  ),
  verifyMs: flag(
    '<list>',
    'duration of a verification on a standard node, ms; if this is a list, the search tries each value',
    (of) => listFlag(durationFlag(of)),
    [defaultScenario.verifyMs],
  ),
  jobs: jobsFlag,
  ...outputFlags,
};

/** Fields of a scenario that are fixed during a search. */
const worldFields = ['network', 'threshold', 'weights', 'priority-basis', 'attack-share-of'];

type SearchFlags = FlagsOf<typeof sizeFlags & typeof goalFlags>;

/** Output of `tutti attack search --json`. */
export interface AttackSearchDocument {
  readonly version: string;
  readonly nodes: number;
  readonly share: number;
  readonly seed: number;
  readonly objective: SearchObjective;
  readonly network: string;
  /** The input files, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly tried: number;
  readonly wallSeconds: number;
  /**
   * Classes of attacks: for each cost of a check, first the attacks with drawn ids, then the attacks with chosen ids.
   */
  readonly classes: readonly FoundClass[];
}

/**
 * Attacks of one class. Their times are compared with the times under the same share of silent nodes with drawn ids.
 */
interface FoundClass extends Omit<SearchClass, 'worst'> {
  /** Mean time and time of the last node, for honest nodes among silent nodes with the same cost of a check, ms. */
  readonly silentMs: number;
  readonly silentLastMs: number;
  /**
   * Attacks, worst first. `times` is the mean time divided by that of silence; `timesLast` is the last node's time
   * divided by that of silence.
   */
  readonly worst: readonly Found[];
}

type Found = Tried & { readonly times: number; readonly timesLast: number; readonly again: string };

export function attackSearchCommand(context: Context): Command {
  const command = new Command('search').description(
    `Search level by level for the attack that slows down honest nodes the most. The tree has a branching factor of ${defaultScenario.branching}. Defaults: AWS, a threshold of ${percentText(defaultScenario.threshold)}, equal weights, verifications of ${defaultScenario.verifyMs} ms and random ids.`,
  );
  addFieldFlags(withFlags(command, sizeFlags, { nodes: 'n' }), worldFields);
  return withFlags(command, goalFlags).action(async (options: SearchFlags, self: Command) => {
    requireOut(options);
    const document = await search(options, await readScenario(self, worldFields), context);
    writeStudy(options.out, () => studyRows(document), self, options.seed);
    answer(context, options.json, document, summary(document));
  });
}

/** Returns one row per attack, with the worst attack of each class first and with the column names of a sweep. */
function studyRows({ nodes, share, seed, objective, network, classes }: AttackSearchDocument): object[] {
  const setting = { nodes, byzantineShare: share, seed, objective, network };
  return classes.flatMap(({ ids, verifyMs, silentMs, silentLastMs, worst }) =>
    worst.map(({ plan, stuck, meanMs, maxMs, times, timesLast, again }, index) => ({
      ...setting,
      ids,
      verifyMs,
      rank: index + 1,
      plan,
      timeToThresholdMs: { mean: meanMs, max: maxMs },
      stuck,
      timesSilence: times,
      lastTimesSilence: timesLast,
      silentTimeToThresholdMs: { mean: silentMs, max: silentLastMs },
      again,
    })),
  );
}

async function search(
  options: SearchFlags,
  { network, threshold, weights, prioritiesBy, attackBy }: SearchWorld,
  context: Context,
): Promise<AttackSearchDocument> {
  const { nodes, share, minutes, tries, seed, objective, ids, verifyMs, jobs = availableParallelism() } = options;
  const startedMs = performance.now();
  const from = [isolatePlan, ...worstFinds.map(({ plan }) => plan)];
  const world: SearchWorld = { network, threshold, weights, prioritiesBy, attackBy };
  const searched = { nodes, share, seed, objective, ids, verifyMs, from, world };
  const attackSearch = validatedFlags(scenarioFields, () => new AttackSearch(searched));
  const silence = new Map(verifyMs.map((cost) => [cost, simulate(attackSearch.silence(cost))]));
  const progress = new Progress(context);
  try {
    await runSearch(attackSearch, { network, minutes, tries, jobs }, context, (work) =>
      progress.update(
        () => `searching: ${grouped(attackSearch.tried)} tried, ${worstOf(foundIn(attackSearch, silence), objective)}`,
        work,
      ),
    );
    const wallSeconds = Math.round(performance.now() - startedMs) / 1000;
    const classes = foundIn(attackSearch, silence);
    const inputs = inputFiles();
    const on = { network, ...(inputs !== undefined && { inputs }) };
    return { version, nodes, share, seed, objective, ...on, tried: attackSearch.tried, wallSeconds, classes };
  } finally {
    progress.done();
  }
}

/** Returns the attacks found so far, with their times relative to silence. */
function foundIn(search: AttackSearch, silence: ReadonlyMap<number, RunResult>): FoundClass[] {
  return search.classes.map(({ ids, verifyMs, worst }) => {
    const { mean: silentMs, max: silentLastMs } = silence.get(verifyMs)!.timeToThresholdMs;
    const found = worst.map((one) => ({
      ...one,
      times: one.meanMs / silentMs,
      timesLast: one.maxMs / silentLastMs,
      again: ['tutti simulate', ...scenarioArguments(search.scenario(one)).map(shellWord)].join(' '),
    }));
    return { ids, verifyMs, silentMs, silentLastMs, worst: found };
  });
}

/** Describes the worst attack of all classes. */
function worstOf(classes: readonly FoundClass[], objective: SearchObjective): string {
  const times = (one: Found): number => (objective === 'mean' ? one.times : one.timesLast);
  const all = classes.flatMap(({ worst }) => worst.slice(0, 1));
  const worst = all.reduce((a, b) => ((b.stuck - a.stuck || times(b) - times(a)) > 0 ? b : a));
  return `the worst: ${worst.stuck > 0 ? counted(worst.stuck, 'node never finishes', 'nodes never finish') : `${grouped(times(worst), 2)} times the time with silent attackers`}, with ${worst.plan}`;
}

function summary({ nodes, share, network, tried, wallSeconds, classes }: AttackSearchDocument): string {
  const head = `${counted(tried, 'attack')} tried, with ${percentText(share)} Byzantine nodes among ${counted(nodes, 'node')} on ${network}, in ${grouped(wallSeconds, 1)} s\n${inputText()}`;
  return [head, ...classes.map(classTable)].join('\n');
}

function classTable({ ids, verifyMs, silentMs, silentLastMs, worst }: FoundClass): string {
  const world = `ids ${ids}, ${verifyMs} ms per verification; with silent attackers (ratio 1), the time is ${grouped(silentMs)} ms on average and ${grouped(silentLastMs)} ms for the last node`;
  if (worst.length === 0) return `${world}; no attack was tried\n`;
  return [
    `${world}\n`,
    columnTable(
      ['worst attacks', 'unfinished nodes', 'mean, ms', 'ratio', 'last, ms', 'ratio'],
      worst.map(({ plan, stuck, meanMs, maxMs, times, timesLast }) => [
        plan,
        grouped(stuck),
        grouped(meanMs),
        grouped(times, 2),
        grouped(maxMs),
        grouped(timesLast, 2),
      ]),
    ),
    // The command is never wrapped, so that a user can copy it.
    `reproduce with  ${worst[0]!.again}\n`,
  ].join('\n');
}

/**
 * Number of plans that the search proposes before it learns from their results. The number does not depend on the
 * number of jobs, so the search always proposes the same plans.
 */
const generation = 8;

/**
 * Runs a search on this machine's cores. After the time limit, the current generation is completed.
 *
 * @param onLearnt called with the progress: the completed share of the tries or of the minutes, whichever is larger.
 * @throws EnvironmentError `run-failed`; Interrupted.
 */
async function runSearch(
  search: AttackSearch,
  { network, tries, minutes, jobs }: Pick<SearchFlags, 'tries' | 'minutes'> & { network: string; jobs: number },
  { signal }: Context,
  onLearnt: (work: Work) => void,
): Promise<void> {
  const startedMs = performance.now();
  const spent = (): number => (performance.now() - startedMs) / (60_000 * minutes);
  const pool = new ThreadPool<SearchTask, Tried>(
    jobs,
    new URL('../attacks/searchThread.js', import.meta.url),
    ({ trial }) => trial.plan,
    readNetworksAmong([network]),
  );
  await pool.during(signal, async () => {
    while (search.tried < tries && spent() < 1) {
      const trials = search.propose(Math.min(generation, tries - search.tried));
      if (trials.length === 0) return;
      search.learn(await Promise.all(trials.map((trial) => pool.run({ trial, scenario: search.scenario(trial) }))));
      const done = Math.min(1, Math.max(search.tried / tries, spent()));
      onLearnt({ done, left: 1 - done });
    }
  });
}
