import { EnvironmentError } from '@tutti/core/input';
import {
  type BrokenClaim,
  claims,
  createModelChecker,
  type ModelChecker,
  type ModelCheckResult,
  modelCheckerSettings,
} from '@tutti/simulation/checks';
import { Command } from 'commander';
import { answer, breathe, type Context, Interrupted, UsageError } from '../context.ts';
import {
  countSetting,
  type FlagsOf,
  flag,
  flagPaths,
  jsonFlag,
  ranged,
  setting,
  validatedFlags,
  withFlags,
  withoutFlag,
} from '../flags.ts';
import { Progress } from '../output/progress.ts';
import { counted, grouped, pairTable } from '../output/text.ts';

const settings = modelCheckerSettings;

const modelFlags = {
  nodes: countSetting(settings.nodes),
  branching: setting(settings.branching),
  losses: setting(settings.losses),
  repeats: setting(settings.repeats),
  // The default is 0, so that a first check is short.
  timers: setting({ ...settings.timers, default: 0 }),
  byzantine: setting(settings.byzantine),
  injections: flag(
    '<n>',
    `${settings.injections.about} (default: ${settings.injections.default})`,
    ranged(settings.injections.range),
  ),
  levelStartPeriods: setting(settings.levelStartPeriods),
  threshold: flag(
    '<n>',
    `${settings.threshold.about} (default: of all honest nodes)`,
    ranged(settings.threshold.range),
  ),
  backOff: setting(settings.backOff),
  seed: setting(settings.seed),
  batch: setting(settings.batch),
  depth: flag('<n>', `${settings.depth.about} (default: no limit)`, ranged(settings.depth.range)),
  states: setting(settings.maxStates),
  without: withoutFlag,
  json: jsonFlag,
};
type ModelCheckFlags = FlagsOf<typeof modelFlags> & { readonly quiet?: boolean };

/** Output of `tutti claims check --json`. */
interface ModelCheckDocument extends ModelCheckResult {
  readonly wallSeconds: number;
  readonly peakRssBytes: number;
}

/** Number of choices between two yields to the event loop. */
const choicesAtOnce = 2000;

export function claimsCheckCommand(context: Context): Command {
  const command = new Command('check').description(
    'Try every order of events in a network of two to four nodes, and check the claims in every state.',
  );
  return withFlags(command, modelFlags, { nodes: 'n' }).action(async (flags: ModelCheckFlags) => {
    if (flags.injections !== undefined && flags.byzantine === 0) {
      throw new UsageError('--injections: expected --byzantine 1, got --byzantine 0');
    }
    const { states: maxStates, json, quiet: _, ...same } = flags;
    const modelChecker = validatedFlags(flagPaths(command), () => createModelChecker({ ...same, maxStates }));
    const document = await modelCheck(modelChecker, context);
    answer(context, json, document, summary(document));
    if (document.broken !== undefined) throw new EnvironmentError('claim-broken', `broken: ${document.broken.what}`);
  });
}

async function modelCheck(modelChecker: ModelChecker, context: Context): Promise<ModelCheckDocument> {
  const startedMs = performance.now();
  try {
    await checkAll(modelChecker, startedMs, context);
  } catch (error) {
    if (error instanceof Interrupted) context.err(`all claims hold in ${reached(modelChecker)}\n`);
    throw error;
  }
  return {
    ...modelChecker.result(),
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

/** Checks every state within the bounds until a state breaks a claim, and shows the progress. */
async function checkAll(modelChecker: ModelChecker, startedMs: number, context: Context): Promise<void> {
  const progress = new Progress(context);
  try {
    while (modelChecker.advance(choicesAtOnce)) {
      await breathe(context);
      progress.update(() => {
        const perSecond = modelChecker.states / ((performance.now() - startedMs) / 1000);
        return `checking: ${reached(modelChecker)}, ${counted(perSecond, 'state')}/s`;
      });
    }
  } finally {
    progress.done();
  }
}

function reached({ states, transitions, depth }: Pick<ModelChecker, 'states' | 'transitions' | 'depth'>): string {
  return `${counted(states, 'state')} up to ${counted(depth, 'choice')} deep, ${counted(transitions, 'transition')}`;
}

function levelStarts(periods: number): string {
  if (periods === 0) return 'at once';
  return periods === 1 ? 'one period apart' : `${periods} periods apart`;
}

function summary(document: ModelCheckDocument): string {
  const { options, states, transitions, depth, complete, broken, wallSeconds, peakRssBytes } = document;
  const { nodes, branching, losses, repeats, timers, byzantine } = options;
  const { injections, levelStartPeriods, threshold, seed, without } = options;
  const verdict = complete
    ? 'Every state within these bounds was reached, and all claims hold in every state.'
    : `Not every state within these bounds was reached. All claims hold in the reached states, which include every state up to a depth of ${depth === options.depth ? depth : depth - 1} choices.`;
  return [
    `handel, ${counted(nodes, 'node')}, ${byzantine} Byzantine, threshold ${threshold}`,
    ...(branching === 2 ? [] : [`branching factor ${branching}`]),
    ...(without.length === 0 ? [] : [`without ${without.join(', ')}`]),
    `${broken === undefined ? verdict : `Broken: ${broken.what}`}\n`,
    ...(broken === undefined ? [] : [`${claimText(broken)}\n`, choicesText(broken.choices, broken.fairEnd)]),
    pairTable([
      ['at most', `${losses} lost, ${repeats} repeated and ${injections} injected messages, ${timers} timers per node`],
      ['levels start', levelStarts(levelStartPeriods)],
      ['states', grouped(states)],
      ['transitions', grouped(transitions)],
      ['depth', grouped(depth)],
      ['took', `${grouped(wallSeconds, 2)} s, ${grouped(peakRssBytes / 1e6)} MB at most`],
      ['reproduce', `with --seed ${seed}`],
    ]),
  ].join('\n');
}

/** Describes the claim, with the paper's section if the paper states the claim. */
function claimText({ claim }: BrokenClaim): string {
  if (claim === 'no-throw') return 'No message causes an exception in a node.';
  if (claim === 'silence')
    return 'v1.03 6: No node sends messages after every node has all contributions and has announced this.';
  return `${claims[claim].section}: ${claims[claim].says}`;
}

/** Returns the choices that lead to a broken claim and the choices of the fair end, one numbered line per choice. */
function choicesText(choices: readonly string[], fairEnd: readonly string[]): string {
  const lines = [...choices, ...fairEnd].map((line, index) => `${String(index + 1).padStart(3)}  ${line}`);
  if (fairEnd.length > 0) lines.splice(choices.length, 0, '     and then, fairly:');
  return `${lines.join('\n')}\n`;
}
