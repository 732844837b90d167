import { requireObject } from '../errors.ts';
import { shuffle } from '../overlay/shuffle.ts';
import { type HornParameters, hornSizes } from './parameters.ts';

/**
 * The places of validators in a slot: `order[place]` is the validator at a place. Places go through the committees one
 * after another and through the subcommittees of each, so that a committee is a run of places. Drawn by seed, as
 * Ethereum shuffles its validators (Horn: "Introduction to the current aggregation scheme").
 */
export function assignValidators(parameters: HornParameters, seed: number): Int32Array {
  requireObject('parameters', parameters);
  return shuffle(parameters.validators, seed, 'committees');
}

/**
 * The least subcommittee that the post's divisions are kept for; with fewer validators there are fewer subcommittees
 * instead.
 */
const postSubcommittee = 512;

/**
 * The post's proportions for another number of validators: subcommittees of 512, and in each committee as many of them
 * as there are committees, or twice as many. If powers of two do not divide the validators so, subcommittees are
 * larger.
 */
export function scaledHornParameters(validators: number, parameters: HornParameters): HornParameters {
  requireObject('parameters', parameters);
  let committees = 1;
  let subcommittees = 1;
  for (let all = 2; validators % all === 0 && validators / all >= postSubcommittee; all *= 2) {
    if (subcommittees > committees) committees *= 2;
    else subcommittees *= 2;
  }
  const { subcommittee, committee } = hornSizes({ ...parameters, validators, committees, subcommittees });
  return {
    ...parameters,
    validators,
    committees,
    subcommittees,
    aggregators: Math.min(parameters.aggregators, subcommittee),
    collectors: Math.min(parameters.collectors, committee),
  };
}
