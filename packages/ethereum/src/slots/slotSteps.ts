import { requireInteger, requireNumber } from '@tutti/core/input';
import type { SlotRecording } from './slotResult.ts';

/**
 * Stages of a vote, in this order: cast, verified by an honest aggregator of its subcommittee, in the proposer's reach.
 */
export const voteStages = ['cast', 'seen', 'reach'] as const;

/** Value in {@link SlotSteps.quarters} that stands for "not within the steps". */
export const neverStep = 255;

/**
 * A slot in summary, for honest votes only: by time steps and quarters of a subcommittee, not by vote. Events within a
 * step count from the step's end, so no event is shown before it happened.
 */
export interface SlotSteps {
  readonly stepUs: number;
  /** Cumulative number of votes at each stage, at step 0, 1, ... */
  readonly counts: readonly (readonly number[])[];
  /**
   * Step at which a subcommittee had 1, 2, 3 and 4 quarters of its votes at each stage:
   * `quarters[(subcommittee * 3 + stage) * 4 + quarter]`.
   */
  readonly quarters: Uint8Array;
}

/**
 * Times at which each vote of a slot reached each stage, by place, µs; -1 for never. The value of `attack` is -1 for
 * honest voters.
 */
export type StagedVotes = Pick<SlotRecording, 'subcommittee' | 'attack' | 'castUs' | 'seenUs' | 'reachUs'>;

/**
 * Summarises a recording by steps.
 *
 * @param stepUs length of a step, 1 to 60,000,000 µs.
 * @param steps number of steps, 1 to 254.
 * @throws RangeError for any other length or number of steps.
 */
export function slotSteps(recording: StagedVotes, stepUs: number, steps: number): SlotSteps {
  requireNumber('stepUs', stepUs, 1, 60_000_000);
  requireInteger('steps', steps, 1, neverStep - 1);
  const { subcommittee: size, attack, castUs, seenUs, reachUs } = recording;
  const groups = castUs.length / size;
  const quarters = new Uint8Array(groups * voteStages.length * 4).fill(neverStep);
  const counts = voteStages.map(() => new Array<number>(steps + 1).fill(0));
  const arriving = new Int32Array(steps + 1);
  for (const [stage, times] of [castUs, seenUs, reachUs].entries()) {
    const counted = counts[stage]!;
    for (let group = 0; group < groups; group++) {
      arriving.fill(0);
      let voters = 0;
      for (let place = group * size; place < (group + 1) * size; place++) {
        if (attack[place] !== -1 || castUs[place] === -1) continue;
        voters++;
        const us = times[place]!;
        const step = Math.max(0, Math.ceil(us / stepUs));
        if (us !== -1 && step <= steps) arriving[step]!++;
      }
      let arrived = 0;
      let quarter = 0;
      for (let step = 0; step <= steps; step++) {
        arrived += arriving[step]!;
        counted[step]! += arrived;
        while (voters > 0 && quarter < 4 && arrived >= Math.ceil(((quarter + 1) * voters) / 4))
          quarters[(group * voteStages.length + stage) * 4 + quarter++] = step;
      }
    }
  }
  return { stepUs, counts, quarters };
}
