import { systemOf } from '@tutti/ethereum';
import { figure } from '../formatNumber.ts';
import type { PlayerContent } from '../player/player.ts';
import type { SlotDial } from './clockView.ts';
import { inReachWords, networkChapters } from './networkChapters.ts';
import type { NetworkLane } from './networkFile.ts';
import { reachOfNodes } from './networkNumbers.ts';
import type { NetworkChoice } from './networkState.ts';
import { networkRounds, votingNames } from './networkText.ts';
import { phasesUntil } from './phases.ts';
import { seconds } from './words.ts';

/** Returns the player's content for a slot along its clock. */
export function contentOf(lane: NetworkLane): PlayerContent {
  const { scenario, steps } = lane;
  const spanUs = 1000 * systemOf(scenario).slotMs;
  const last = Math.max(1, steps.sent.length - 1);
  const moments = steps.sent.flatMap((sent, step) => {
    const isNew =
      step > 0 && (sent > steps.sent[step - 1]! || steps.verified.some((all) => all[step]! > all[step - 1]!));
    return isNew ? [1000 * step * steps.stepMs] : [];
  });
  const rounds = networkRounds(scenario);
  return {
    track: {
      spanUs,
      curve: steps.sent.map((_, step) => [step / last, (reachOfNodes(lane, step) ?? 0) / 100]),
    },
    chapters: networkChapters(lane),
    marks: [
      ...rounds.map(({ fromUs, name }) => ({ timeUs: fromUs, label: name, kind: 'level' as const })),
      { timeUs: spanUs, label: 'next block', kind: 'level' },
    ],
    stepsUs: [...new Set([...rounds.map(({ fromUs }) => fromUs), ...moments, spanUs])].sort((a, b) => a - b),
  };
}

/** Returns the moment shortly after the first message, at which a queue is visible, µs. */
export function firstMomentUs({ steps }: NetworkLane): number {
  const first = steps.sent.findIndex((sent) => sent > 0);
  return 1000 * (Math.max(0, first) + 1) * steps.stepMs;
}

export function dialOf({ scenario, result }: NetworkLane): SlotDial {
  const endUs = 1000 * systemOf(scenario).slotMs;
  const { share, meanMs } = result.reach;
  return {
    phases: phasesUntil(endUs, [{ fromUs: 0, name: 'the block' }, ...networkRounds(scenario)]),
    endUs,
    reachUs: share > 0 && meanMs !== undefined ? 1000 * meanMs : undefined,
  };
}

/** Explains how to read the clock. */
export function clockWords({ reachUs }: SlotDial): string {
  const what =
    reachUs === undefined
      ? 'No proposer has 99\u00a0% of the votes in reach.'
      : 'The gold mark is the mean time at which a proposer has 99\u00a0% of the votes in reach.';
  return `One revolution is one slot. ${what}`;
}

export function slotWords({ system, slotSeconds }: NetworkChoice): string {
  return slotSeconds === undefined
    ? votingNames[system]
    : `${votingNames[system]}, slot length ${figure(slotSeconds)} s`;
}

export function outcomeWords(choice: NetworkChoice, { result }: NetworkLane, isRecorded: boolean): string {
  const { meanMs } = result.reach;
  const reached =
    meanMs === undefined
      ? 'No proposer ever had 99 % of the votes in reach.'
      : `99 % in reach after ${seconds(1000 * meanMs)}.`;
  const how = isRecorded ? 'recorded when the page was made' : 'simulated here';
  return `${reached} At the end of the slot: ${inReachWords(result)}. ${capital(slotWords(choice))}, ${how}.`;
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
