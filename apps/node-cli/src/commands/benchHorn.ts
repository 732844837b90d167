import { defaultHornParameters, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { integers, type Setting } from '@tutti/core/input';
import { defaultSlotScenario, type SlotResult, type SlotScenario, slotTopics } from '@tutti/ethereum';
import { hornAttacks, slotSettings } from '@tutti/ethereum/settings';
import { scenarioTable } from '@tutti/simulation/fields';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { countSetting, type FlagsOf, flag, jsonFlag, ranged, seedFlag, setting, several, withFlags } from '../flags.ts';
import { attackFlag, runInPieces } from '../horn/simulateSlot.ts';
import { machineCosts } from '../horn/slotFlags.ts';
import { columnTable, counted, grouped } from '../output/text.ts';

/** Number of validators, which is small enough for a simulation of every message. */
const validators: Setting<number> = { default: 2 ** 14, range: integers(512, 2 ** 15), about: 'validators' };

const benchFlags = {
  nodes: countSetting(validators),
  dead: setting({ ...scenarioTable.dead, about: 'share of dead validators' }),
  attack: flag(
    '<name:share>',
    `behaviour, and the share of the validators that are Byzantine with it; repeatable: ${hornAttacks.map(({ name }) => name).join(', ')}`,
    several(() => attackFlag),
    [],
  ),
  desync: setting(slotSettings.desyncMs),
  verifyMs: flag(
    '<ms>',
    `${slotSettings.verifyMs.about} (default: the i7-8550U's)`,
    ranged(slotSettings.verifyMs.range),
  ),
  seed: seedFlag(),
  json: jsonFlag,
};

type BenchHornOptions = FlagsOf<typeof benchFlags>;

/**
 * Comparison, for one topic of one system, between arrivals drawn from a model and arrivals of individually simulated
 * messages.
 */
interface DrawnArrivals {
  readonly system: string;
  readonly topic: string;
  readonly drawnMs: { readonly mean: number; readonly p95: number };
  readonly singlyMs: { readonly mean: number; readonly p95: number };
  /** Differences in percent of the values from the individual simulation. */
  readonly off: { readonly mean: number; readonly p95: number; readonly copies: number };
}

/** Output of `tutti bench horn --json`. */
interface BenchHornDocument {
  /** Number of validators. */
  readonly nodes: number;
  readonly seed: number;
  readonly arrivals: readonly DrawnArrivals[];
  /**
   * Number of honest votes, and number of those within the next proposer's reach at the end of the slot, in both modes.
   */
  readonly votes: readonly {
    readonly system: string;
    readonly cast: number;
    readonly drawn: number;
    readonly singly: number;
  }[];
}

export function benchHornCommand(context: Context): Command {
  const command = new Command('horn').description(
    "Compare the statistical model of Horn's slots with simulations of every message of the same slots.",
  );
  return withFlags(command, benchFlags, { nodes: 'n' }).action(async (options: BenchHornOptions) => {
    const document = await measure(options, context);
    answer(context, options.json, document, summary(document));
  });
}

async function measure(options: BenchHornOptions, context: Context): Promise<BenchHornDocument> {
  const arrivals: DrawnArrivals[] = [];
  const costs = machineCosts({ verifyMs: options.verifyMs });
  const votes: BenchHornDocument['votes'][number][] = [];
  for (const system of hornSystems) {
    const scenario: SlotScenario = {
      ...defaultSlotScenario,
      system,
      parameters: scaledHornParameters(options.nodes, defaultHornParameters),
      dead: options.dead,
      attacks: options.attack,
      desyncMs: options.desync,
      ...costs,
      seed: options.seed,
    };
    const drawn = (await runInPieces(scenario, 'statistical', context)).result();
    const singly = (await runInPieces(scenario, 'messages', context)).result();
    arrivals.push(...compared(system, drawn, singly));
    votes.push({ system, cast: singly.votes.cast, drawn: drawn.votes.inReach, singly: singly.votes.inReach });
  }
  return { nodes: options.nodes, seed: options.seed, arrivals, votes };
}

function compared(system: string, drawn: SlotResult, singly: SlotResult): DrawnArrivals[] {
  const off = (draws: number, truth: number): number => 100 * (draws / truth - 1);
  return slotTopics
    .filter((topic) => singly.topics[topic].messages > 0)
    .map((topic) => {
      const [draws, truth] = [drawn.topics[topic], singly.topics[topic]];
      return {
        system,
        topic,
        drawnMs: draws.delayMs,
        singlyMs: truth.delayMs,
        off: {
          mean: off(draws.delayMs.mean, truth.delayMs.mean),
          p95: off(draws.delayMs.p95, truth.delayMs.p95),
          copies: off(draws.copies, truth.copies),
        },
      };
    });
}

function summary({ nodes, seed, arrivals, votes }: BenchHornDocument): string {
  const rows = arrivals.map(({ system, topic, drawnMs, singlyMs, off }) => [
    `${system}: ${topic}`,
    grouped(drawnMs.mean, 1),
    grouped(singlyMs.mean, 1),
    grouped(off.mean, 1),
    grouped(drawnMs.p95, 1),
    grouped(singlyMs.p95, 1),
    grouped(off.p95, 1),
    grouped(off.copies, 2),
  ]);
  const head = ['', 'mean, drawn', 'singly', 'off, %', '95 %, drawn', 'singly', 'off, %', 'copies off, %'];
  const reached = columnTable(
    ['', 'votes cast', 'in reach, drawn', 'singly'],
    votes.map(({ system, cast, drawn, singly }) => [system, grouped(cast), grouped(drawn), grouped(singly)]),
  );
  return `Delays from publication to verification, ms; ${counted(nodes, 'validator')}, seed ${seed}\n\n${columnTable(head, rows)}\n${reached}`;
}
