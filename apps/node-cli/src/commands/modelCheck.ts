import { type Branching, branchings, type Mechanism, mechanisms } from '@tutti/core';
import {
  type BrokenClaim,
  claims,
  createModelChecker,
  type ModelChecker,
  type ModelCheckResult,
} from '@tutti/simulation/checks';
import { WorldError } from '@tutti/transports/errors';
import { Command } from 'commander';
import { seedOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { checkedFlags, choiceFlag, flagPaths, integerFlag } from '../flags.ts';
import { counted, grouped } from '../numbers.ts';
import { Progress } from '../output/progress.ts';
import { pairTable } from '../output/tables.ts';
import { Interrupted, UsageError } from '../usageError.ts';

interface ModelCheckOptions {
  readonly nodes: number;
  readonly branching: string;
  readonly losses: number;
  readonly repeats: number;
  readonly timers: number;
  readonly byzantine: number;
  readonly injections?: number;
  readonly levelStart: number;
  readonly threshold?: number;
  readonly backOff: 'on' | 'off';
  readonly seed: number;
  readonly together: number;
  readonly depth?: number;
  readonly states: number;
  readonly without: readonly Mechanism[];
  readonly json?: boolean;
}

/** What `tutti model-check --json` prints. */
export interface ModelCheckDocument extends ModelCheckResult {
  readonly wallSeconds: number;
  readonly peakRssBytes: number;
}

/** Choices between two looks at the event loop. */
const choicesAtOnce = 2000;

const mechanismFlag = choiceFlag('--without', mechanisms);
const bound = (flag: string) => integerFlag(flag, 0, 15);

export function modelCheckCommand(context: Context): Command {
  return new Command('model-check')
    .description('Try every order of events in a world of two to four nodes, and check the claims in every state.')
    .option('-n, --nodes <n>', 'nodes, 2 to 4', integerFlag('--nodes', 2, 4), 3)
    .option(
      '--branching <n>',
      'children of a subtree: 2, 4 or 8',
      choiceFlag('--branching', branchings.map(String)),
      '2',
    )
    .option('--losses <n>', 'messages that may be lost', bound('--losses'), 0)
    .option('--repeats <n>', 'times that a message may be delivered again', bound('--repeats'), 0)
    .option('--timers <n>', "times that each node's dissemination timer may run out", bound('--timers'), 0)
    .option('--byzantine <n>', 'Byzantine nodes, 0 or 1; each node is tried', integerFlag('--byzantine', 0, 1), 0)
    .option('--injections <n>', 'messages that the Byzantine node makes up (default: 2)', bound('--injections'))
    .option('--level-start <n>', 'periods of a node between the starts of its levels', bound('--level-start'), 1)
    .option(
      '--threshold <n>',
      'contributions that an output needs (default: of all honest nodes)',
      integerFlag('--threshold', 1, 4),
    )
    .option(
      '--back-off <on|off>',
      'on: nodes with nothing new to say only ask for what they lack; or off',
      choiceFlag('--back-off', ['on', 'off']),
      'on',
    )
    .addOption(seedOption('draws the verification priorities'))
    .option('--together <n>', 'most contributions that a node verifies together', integerFlag('--together', 1, 32), 1)
    .option(
      '--depth <n>',
      'choices in a row to look at (default: as many as there are)',
      integerFlag('--depth', 0, 255),
    )
    .option('--states <n>', 'states to stop at', integerFlag('--states', 1, 16_000_000), 5_000_000)
    .option(
      '--without <mechanism>',
      'switch a mechanism of Handel off, to see what it is for; repeatable',
      (text: string, before: readonly Mechanism[]) => [...before, mechanismFlag(text)],
      [],
    )
    .option('--json', 'print one JSON document')
    .action(async (options: ModelCheckOptions, command: Command) => {
      if (options.injections !== undefined && options.byzantine === 0) {
        throw new UsageError('--injections: expected with --byzantine 1, got --byzantine 0');
      }
      const modelChecker = checkedFlags(flagPaths(command), () => createModelChecker(modelCheckerOptions(options)));
      const document = await modelCheck(modelChecker, context);
      context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
      if (document.broken !== undefined) throw new WorldError('claim-broken', `broken: ${document.broken.what}`);
    });
}

function modelCheckerOptions(options: ModelCheckOptions): Parameters<typeof createModelChecker>[0] {
  const { injections, threshold, depth } = options;
  return {
    nodes: options.nodes,
    branching: Number(options.branching) as Branching,
    losses: options.losses,
    repeats: options.repeats,
    timers: options.timers,
    byzantine: options.byzantine,
    levelStartPeriods: options.levelStart,
    backOff: options.backOff === 'on',
    seed: options.seed,
    batch: options.together,
    maxStates: options.states,
    without: options.without,
    ...(injections === undefined ? {} : { injections }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(depth === undefined ? {} : { depth }),
  };
}

async function modelCheck(modelChecker: ModelChecker, context: Context): Promise<ModelCheckDocument> {
  const startedMs = performance.now();
  const progress = new Progress(context);
  try {
    while (modelChecker.advance(choicesAtOnce)) {
      await new Promise(setImmediate);
      if (context.signal.aborted) throw new Interrupted();
      progress.update(() => {
        const perSecond = modelChecker.states / ((performance.now() - startedMs) / 1000);
        return `checking: ${reached(modelChecker)}, ${counted(perSecond, 'state')}/s`;
      });
    }
  } catch (error) {
    progress.done();
    if (error instanceof Interrupted) context.err(`all claims hold in ${reached(modelChecker)}\n`);
    throw error;
  } finally {
    progress.done();
  }
  return {
    ...modelChecker.result(),
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

function reached({ states, transitions, depth }: Pick<ModelChecker, 'states' | 'transitions' | 'depth'>): string {
  return `${counted(states, 'state')} up to ${counted(depth, 'choice')} deep, ${counted(transitions, 'transition')}`;
}

function levelStarts(periods: number): string {
  if (periods === 0) return 'at once';
  return periods === 1 ? 'a period after each other' : `${periods} periods after each other`;
}

function summary(document: ModelCheckDocument): string {
  const { options, states, transitions, depth, complete, broken, wallSeconds, peakRssBytes } = document;
  const {
    nodes,
    branching,
    losses,
    repeats,
    timers,
    byzantine,
    injections,
    levelStartPeriods,
    threshold,
    seed,
    without,
  } = options;
  const verdict = complete
    ? 'Every state that these bounds allow was reached; all claims hold in each.'
    : `Not every state that these bounds allow was reached; all claims hold in those that were, all up to ${depth === options.depth ? depth : depth - 1} choices deep among them.`;
  return [
    `handel, ${counted(nodes, 'node')}, ${byzantine} Byzantine, output at ${threshold}`,
    ...(branching === 2 ? [] : [`branching factor ${branching}`]),
    ...(without.length === 0 ? [] : [`without ${without.join(', ')}`]),
    `${broken === undefined ? verdict : `Broken: ${broken.what}`}\n`,
    ...(broken === undefined ? [] : [`${claimText(broken)}\n`, way(broken.choices, broken.fairEnd)]),
    pairTable([
      ['at most', `${losses} lost, ${repeats} repeated, ${injections} made up, ${timers} timers a node`],
      ['levels start', levelStarts(levelStartPeriods)],
      ['states', grouped(states)],
      ['transitions', grouped(transitions)],
      ['depth', grouped(depth)],
      ['took', `${grouped(wallSeconds, 2)} s, ${grouped(peakRssBytes / 1e6)} MB at most`],
      ['reproduce', `with --seed ${seed}`],
    ]),
  ].join('\n');
}

/** The claim in a sentence, with its section where it is the paper's. */
function claimText({ claim }: BrokenClaim): string {
  if (claim === 'no-throw') return 'Whatever a node is told, it does not throw.';
  if (claim === 'silence') return 'v1.03 6: Once all have everything and have said so, nobody sends any more.';
  return `${claims[claim].section}: ${claims[claim].says}`;
}

/** The way to a broken claim, a numbered line for each choice. */
function way(choices: readonly string[], fairEnd: readonly string[]): string {
  const lines = [...choices, ...fairEnd].map((line, index) => `${String(index + 1).padStart(3)}  ${line}`);
  if (fairEnd.length > 0) lines.splice(choices.length, 0, '     and then, fairly:');
  return `${lines.join('\n')}\n`;
}
