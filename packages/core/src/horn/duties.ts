import { RandomStream } from '../random.ts';
import { electionModulus, isElected } from './election.ts';
import { type HornParameters, hornSizes } from './parameters.ts';

/** What a validator is elected to besides voting; bits. */
export const Duty = { aggregator: 1, collector: 2 } as const;

/**
 * Every place's duties, as {@link Duty} bits. Validators elect themselves: the hash of each one's slot signature is
 * drawn, once for each duty, so that being a collector is independent of being an aggregator.
 */
export function electDuties(parameters: HornParameters, seed: number): Uint8Array {
  const { subcommittee, committee } = hornSizes(parameters);
  const duties = new Uint8Array(parameters.validators);
  const elections = [
    { duty: Duty.aggregator, purpose: 'aggregators', members: subcommittee, aggregators: parameters.aggregators },
    { duty: Duty.collector, purpose: 'collectors', members: committee, aggregators: parameters.collectors },
  ];
  for (const { duty, purpose, ...election } of elections) {
    const random = new RandomStream(seed, purpose);
    const modulus = electionModulus(election);
    for (let place = 0; place < duties.length; place++) {
      if (isElected(random.nextUint32(), random.nextUint32(), modulus)) duties[place]! |= duty;
    }
  }
  return duties;
}
