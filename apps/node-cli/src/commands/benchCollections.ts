import { availableParallelism } from 'node:os';
import { defaultHornParameters, hornSizes } from '@tutti/core/horn';
import { integers } from '@tutti/core/input';
import type { SumMethod } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { answer, type Context, Interrupted } from '../context.ts';
import {
  badValue,
  choice,
  countSetting,
  type FlagReader,
  type FlagsOf,
  flag,
  jsonFlag,
  listFlag,
  numberFlag,
  seedFlag,
  withFlags,
} from '../flags.ts';
import { type PairingMethod, pairingMethods, type SlotSettings, sumMethods } from '../horn/committeeOfSlot.ts';
import { type Taken, VerifyCrew } from '../horn/verifyCrew.ts';
import type { VerifyTask } from '../horn/verifyThread.ts';
import { Counter } from '../output/progress.ts';
import { columnTable, counted, grouped } from '../output/text.ts';

/** Default participation values: shares of a committee's votes in a collection. */
const participations = [0.5, 0.66, 0.9, 0.95, 0.99, 1];

/** Minimum number of votes of a collection, so that a corrupted collection with one vote fewer is not empty. */
const minVotes = 2;

/** Maximum number of threads. */
const maxThreads = 256;

/** Length, in bytes, of a key in kernel memory: two coordinates of 48 bytes. */
const bytesPerKey = 96;

const threadsFlag: FlagReader<number> = (text) => {
  if (text === 'all') return availableParallelism();
  const threads = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (threads >= 1 && threads <= maxThreads) return threads;
  throw badValue('--threads', `an integer from 1 to ${maxThreads}, or all`, text);
};

const { committees, collectors } = defaultHornParameters;

const benchFlags = {
  collections: countSetting({
    default: committees * collectors,
    range: integers(1, 8192),
    about: `of ${counted(committees, 'committee')}`,
  }),
  committee: countSetting({
    default: hornSizes(defaultHornParameters).committee,
    range: integers(8, 2 ** 15),
    about: 'validators in a committee',
  }),
  participation: flag(
    '<list>',
    'shares of a committee that vote, comma-separated',
    (name) => listFlag(numberFlag(name, 'shares greater than 0 and at most 1', (share) => share > 0 && share <= 1)),
    participations,
  ),
  threads: flag('<n>', `1 to ${maxThreads}, or 'all' for one per core`, () => threadsFlag, 1),
  method: flag(
    '<name>',
    `methods of summing keys: ${[...sumMethods, 'all'].join(', ')}`,
    choice<SumMethod | 'all'>([...sumMethods, 'all']),
    'all',
  ),
  seed: seedFlag('seed for keys, votes and messages'),
  json: jsonFlag,
};

type Flags = FlagsOf<typeof benchFlags>;

/** Result of summing the keys of all collections by one method. */
interface SumRow extends Taken {
  readonly participation: number;
  readonly method: SumMethod;
  /** Number of key additions, over all collections. */
  readonly additions: number;
  /** CPU time per addition, ns; null if there were no additions. */
  readonly nsPerAddition: number | null;
}

/** Result of verifying the signatures of all collections under the sums of their keys. */
interface PairingRow extends Taken {
  readonly participation: number;
  readonly method: PairingMethod;
  readonly signatures: number;
}

/** Output of `tutti bench collections --json`. */
interface BenchCollectionsDocument extends SlotSettings {
  readonly keys: number;
  /** Memory of the kernel for the keys over all threads, bytes. */
  readonly keyBytes: number;
  readonly threads: number;
  /** Time for creating the keys and opening the committees that contain them. */
  readonly opening: Taken;
  readonly sums: readonly SumRow[];
  readonly pairings: readonly PairingRow[];
  /**
   * Number of tested collections with one vote too many or too few: one per committee and participation. All such
   * collections were rejected.
   */
  readonly corruptedRefused: number;
  readonly peakRssBytes: number;
}

export function benchCollectionsCommand(context: Context): Command {
  const command = new Command('collections').description(
    'Measure how fast the collections of a slot are verified, with real keys and signatures.',
  );
  return withFlags(command, benchFlags).action(async (flags: Flags) => {
    const document = await bench(flags, context);
    answer(context, flags.json, document, text(document));
  });
}

async function bench(flags: Flags, context: Context): Promise<BenchCollectionsDocument> {
  const { collections, committee, seed } = flags;
  for (const participation of flags.participation) votesOf(participation, committee);
  const committees = Math.min(collections, defaultHornParameters.committees);
  const settings: SlotSettings = { collections, committees, committee, seed };
  const threads = Math.min(flags.threads, committees);
  if (context.signal.aborted) throw new Interrupted();
  const crew = new VerifyCrew(settings, threads);
  const onAbort = () => void crew.close();
  context.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const measured = await measure(crew, settings, flags, context);
    const keys = committees * committee;
    const peakRssBytes = process.resourceUsage().maxRSS * 1024;
    return { ...settings, keys, keyBytes: keys * bytesPerKey, threads, ...measured, peakRssBytes };
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    await crew.close();
  }
}

/**
 * Returns the number of votes in a collection.
 *
 * @throws UsageError if it is less than {@link minVotes}.
 */
function votesOf(participation: number, committee: number): number {
  const votes = Math.round(participation * committee);
  if (votes >= minVotes) return votes;
  throw badValue('--participation', `${counted(minVotes, 'vote')} of ${committee} or more`, String(participation));
}

async function measure(crew: VerifyCrew, settings: SlotSettings, flags: Flags, context: Context) {
  const { collections, committees, committee } = settings;
  const perform = async (task: VerifyTask, what: string, steps: number, unit = 'committees'): Promise<Taken> => {
    // Each task has its own progress estimate.
    const counter = new Counter(context, what, steps, unit);
    return crew.perform(task, () => counter.step()).finally(() => counter.done());
  };
  const methods = flags.method === 'all' ? sumMethods : [flags.method];
  const [sums, pairings]: [SumRow[], PairingRow[]] = [[], []];
  const opening = await perform({ kind: 'open' }, 'making keys', committees);
  for (const participation of flags.participation) {
    const votes = votesOf(participation, committee);
    const at = `at ${percent(participation)}`;
    await perform({ kind: 'draw', votes }, `signing collections ${at}`, committees);
    for (const method of methods) {
      const taken = await perform({ kind: 'sum', method }, `summing keys ${at}, ${method}`, collections, 'collections');
      const added = method === 'subtraction' ? Math.min(votes, committee - votes) : votes;
      const additions = added * collections;
      const nsPerAddition = additions === 0 ? null : (taken.cpuSeconds * 1e9) / additions;
      sums.push({ participation, method, ...taken, additions, nsPerAddition });
    }
    for (const method of pairingMethods) {
      const taken = await perform({ kind: 'verify', method }, `verifying ${at}, ${method}`, committees);
      pairings.push({ participation, method, ...taken, signatures: collections });
    }
    await perform({ kind: 'corrupt' }, `corrupting ${at}`, committees);
  }
  return { opening, sums, pairings, corruptedRefused: committees * flags.participation.length };
}

const percent = (share: number): string => `${grouped(100 * share, Number.isInteger(100 * share) ? 0 : 1)} %`;

function text(document: BenchCollectionsDocument): string {
  const { collections, committees, committee, keys, keyBytes, threads, opening, sums, pairings } = document;
  const taken = ({ wallSeconds, cpuSeconds }: Taken) => [grouped(wallSeconds, 2), grouped(cpuSeconds, 2)];
  const sumRows = sums.map((row) => [
    `${percent(row.participation)}, ${row.method}`,
    grouped(row.additions),
    ...taken(row),
    row.nsPerAddition === null ? '-' : grouped(row.nsPerAddition),
  ]);
  const pairingRows = pairings.map((row) => [
    `${percent(row.participation)}, ${row.method}`,
    grouped(row.signatures),
    ...taken(row),
    grouped((row.cpuSeconds * 1000) / row.signatures, 2),
  ]);
  return [
    `${counted(collections, 'collection')} of ${counted(committee, 'bit')}, ${counted(committees, 'committee')}, ${counted(threads, 'thread')}; ` +
      `${counted(keys, 'distinct key')}, ${grouped(keyBytes / 1e6, 1)} MB, generated in ${grouped(opening.wallSeconds, 1)} s\n`,
    columnTable(['sums of keys', 'additions', 's', 'CPU s', 'ns of CPU per addition'], sumRows),
    columnTable(['pairings', 'signatures', 's', 'CPU s', 'ms of CPU per signature'], pairingRows),
    `All methods give the same sums. All signatures are valid under these sums. All ${document.corruptedRefused} corrupted collections are rejected.\n`,
  ].join('\n');
}
