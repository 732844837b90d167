import { EnvironmentError } from '@tutti/core/input';
import {
  allPlacements,
  checkLean,
  type LeanCounterexample,
  type LeanModelOptions,
  type LeanStrategy,
  leanClaims,
  leanLink,
  leanStrategies,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, breathe, type Context, UsageError } from '../context.ts';
import { badValue, type FlagsOf, flag, flagPaths, integer, jsonFlag, validatedFlags, withFlags } from '../flags.ts';
import { strategyFlag } from '../lean/leanFlags.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, wrapped } from '../output/text.ts';

const upTo3 = integer(0, 3);
/** Maximum number of aggregators in a search. */
const maxAggregators = 8;

const rulesFlags = {
  rule: flag('<name>', `one of ${leanStrategies.join(', ')}`, strategyFlag, 'halving-owners'),
  subnets: flag(
    '<n>',
    'number of subnets, 1 to 8; without --owners, the search tries every number up to this value',
    integer(1, 8),
    4,
  ),
  owners: flag(
    '<list>',
    'subnet on which each aggregator is on duty, comma-separated (default: try every placement)',
    () => ownersFlag,
  ),
  each: flag('<n>', 'maximum number of aggregators per subnet, without --owners', integer(1, 2), 1),
  leafSubnets: flag(
    '<n>',
    "number of subnets in a leaf: the aggregator's own subnet and the following ones",
    integer(1, 8),
    1,
  ),
  silent: flag('<n>', 'maximum number of silent aggregators', upTo3, 0),
  idle: flag('<n>', 'maximum number of merges that arrive one slot late', upTo3, 0),
  losses: flag('<n>', 'maximum number of merges that fail to reach one of the other aggregators', upTo3, 0),
  wide: flag('<n>', 'maximum number of leaves that contain votes from all subnets', upTo3, 0),
  deadline: flag('<slots>', 'maximum number of slots for a merge (default: no limit)', integer(0, 64)),
  json: jsonFlag,
};

/** Output of `tutti lean rules --json`. */
interface LeanRulesDocument {
  readonly rule: LeanStrategy;
  readonly world: StatedWorld;
  /** Numbers of tested placements of aggregators, of their worlds, and of the states of these worlds. */
  readonly placements: number;
  readonly worlds: number;
  readonly states: number;
  /** Shortest counterexample for each claim and kind, with its link. */
  readonly broken: readonly (LeanCounterexample & { readonly link: string })[];
}

export function leanRulesCommand(context: Context): Command {
  const command = new Command('rules').description(
    'Try all assignments of merges to aggregators slot by slot, without modelling time within a slot, and print the shortest path to a level that no node merges.',
  );
  return withFlags(command, rulesFlags).action(async (flags: FlagsOf<typeof rulesFlags>) => {
    const { rule, subnets, owners, leafSubnets, silent, idle, losses, wide, each, deadline } = flags;
    if (owners === undefined && subnets * each > maxAggregators)
      throw new UsageError(
        `--each: expected at most ${Math.floor(maxAggregators / subnets)} with --subnets ${subnets}, got ${each}`,
      );
    const bounds = { silent, idle, losses, wide, ...(deadline === undefined ? {} : { deadline }) };
    const worlds: readonly LeanModelOptions[] =
      owners === undefined
        ? allPlacements(rule, subnets, bounds, each).map((one) => ({ ...one, leafSubnets }))
        : [{ rule, subnets, owners, leafSubnets, ...bounds }];
    const aggregators =
      owners === undefined
        ? `up to ${subnets * each} aggregators, every placement`
        : counted(owners.length, 'aggregator');
    const document = { world: checkedWorld(aggregators), ...(await check(rule, worlds, command, context)) };
    answer(context, flags.json, document, text(document));
    const [shortest] = document.broken;
    if (shortest !== undefined) throw new EnvironmentError('claim-broken', `broken: ${leanClaims[shortest.claim]}`);
  });
}

function ownersFlag(given: string): readonly number[] {
  const owners = given.split(',').map((one) => one.trim());
  if (owners.length > maxAggregators || !owners.every((one) => /^\d$/.test(one)))
    throw badValue('--owners', `at most ${maxAggregators} subnets, separated by commas`, given);
  return owners.map(Number).sort((a, b) => a - b);
}

async function check(
  rule: LeanStrategy,
  worlds: readonly LeanModelOptions[],
  command: Command,
  context: Context,
): Promise<Omit<LeanRulesDocument, 'world'>> {
  const counts = { placements: worlds.length, worlds: 0, states: 0 };
  const shortest = new Map<string, LeanCounterexample>();
  for (const options of worlds) {
    await breathe(context);
    const found = validatedFlags(flagPaths(command), () => checkLean(options));
    counts.worlds += found.worlds;
    counts.states += found.states;
    // The search tries placements with few subnets first, so the first of several equally short traces has the smallest
    // world.
    for (const one of found.broken) {
      const key = `${one.claim} ${one.kind}`;
      if (one.trace.length < (shortest.get(key)?.trace.length ?? Number.POSITIVE_INFINITY)) shortest.set(key, one);
    }
  }
  const broken = [...shortest.values()].sort((a, b) => a.trace.length - b.trace.length);
  return { rule, ...counts, broken: broken.map((one) => ({ ...one, link: `lean.html#${leanLink(one)}` })) };
}

/**
 * Returns the world of the search, which does not model machines or networks.
 *
 * @param nodes description of the aggregators.
 */
function checkedWorld(nodes: string): StatedWorld {
  return {
    profile: 'none: only the rules are checked',
    nodes,
    cores: 'not simulated',
    start: 'not simulated: one merge per slot',
    network: 'not simulated: --losses bounds the number of lost merges',
    links: 'not simulated',
    seeds: [],
  };
}

function text({ rule, world, placements, worlds, states, broken }: LeanRulesDocument): string {
  const line = wrapped(`${worldLine(world)}\n`);
  const bounds = `${counted(placements, 'placement')}, ${counted(worlds, 'world')}, ${counted(states, 'state')}, faults in the first two periods of a run`;
  if (broken.length === 0) return `${wrapped(`${rule}: all claims hold in these bounds (${bounds}).\n`)}${line}`;
  const [first, ...others] = broken;
  const rest = others.map(
    ({ kind, claim, firstSlot, options }) =>
      `also ${kind}: ${leanClaims[claim]} It fails with aggregators on subnets ${options.owners.join(', ')} of ${options.subnets}, from slot ${firstSlot} on.\n`,
  );
  return [wrapped(`${rule}: ${bounds}\n`), words(first!), ...rest.map((one) => wrapped(one)), line].join('\n');
}

function words({ kind, claim, options, silent, wide, trace, link }: LeanRulesDocument['broken'][number]): string {
  const list = (name: string, positions: readonly number[]) =>
    positions.length === 0 ? '' : `, ${name}: ${positions.map((position) => options.owners[position]).join(', ')}`;
  const who = `${list('silent', silent)}${list('wide', wide)}`;
  const lines = trace.map((line) => wrapped(`  ${line}\n`));
  return [
    wrapped(`Broken (${kind}): ${leanClaims[claim]}\n`),
    wrapped(`Aggregators of subnets ${options.owners.join(', ')} of ${options.subnets}${who}\n`),
    ...lines,
    wrapped(`link: ${link}\n`),
  ].join('');
}
