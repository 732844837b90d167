import { electionModulus, globalTopicLoad, type HornParameters, hornSizes, probabilityOfNone } from '@tutti/core/horn';
import {
  keySum,
  mergeableAggregates,
  multiplicityBytes,
  multiplicitySumAdditions,
  succinctProofBytes,
} from '../costs.ts';
import { griefingLoss } from '../griefing.ts';
import { binomial } from '../statistics.ts';
import { exactly, type HornTable, rounded, row } from './row.ts';

/** Time to verify one proof, as stated in the post, s. */
const proofSeconds = 0.5;

/** Share of Byzantine validators in the table of alternatives. */
const eveShare = 1 / 3;

export function alternativesTable(parameters: HornParameters): HornTable {
  const { committee, subcommittee } = hornSizes(parameters);
  const bits = parameters.multiplicityBits === 4 ? 'four bits' : `${parameters.multiplicityBits} bits`;
  const bare = globalTopicLoad('horn', parameters, 0);
  const election = { members: subcommittee, aggregators: parameters.aggregators };
  const merged = mergeableAggregates(parameters.multiplicityBits);
  const vectors = bare.messages * multiplicityBytes(committee, parameters.multiplicityBits);
  const proofBytes = succinctProofBytes(committee, parameters);
  const withProofs = bare.bytes + bare.messages * proofBytes;
  const upTo = binomial(subcommittee, 1 / electionModulus(election)).slice(0, merged + 1);
  const noneHonest = probabilityOfNone(election, 1 - eveShare);
  const proofsSeconds = bare.messages * proofSeconds;
  return {
    title: 'Alternatives that merge overlapping aggregates',
    section: 'Alternative aggregation schemes',
    source: 'horn/costs.ts',
    rows: [
      row(`${bits}: multiplicities on the global topic`, 'B', vectors, rounded('8MBs', 8e6, 0.5e6)),
      row(`${bits}: by bitfields`, 'times', vectors / bare.bytes, exactly('a factor of four', 4)),
      row(`${bits}: overlapping aggregates that merge`, '', merged, exactly('up to 15', 15)),
      row(
        `${bits}: probability of more aggregators than that`,
        '',
        1 - upTo.reduce((sum, probability) => sum + probability, 0),
        undefined,
        'Sixteen are expected, so not all fit one vector; those that add no vote are left out, and where others are too many a further vector has them.',
      ),
      row(
        `${bits}: additions for one key, at most`,
        '',
        multiplicitySumAdditions(committee, parameters.multiplicityBits),
      ),
      row(
        'proof: its length for a committee, with the key',
        'B',
        proofBytes,
        rounded('about 3 kilobytes', 3000, 500),
        'Shorter, though the bitfield and the range of the multiplicities are proved too: one argument over one vector stands for all.',
      ),
      row('proof: bitfields and proofs on the global topic', 'B', withProofs),
      row(
        'proof: all collections one after another',
        's',
        proofsSeconds,
        undefined,
        `By the post's ${proofSeconds} s a proof; it calls that impractical.`,
      ),
    ],
    grids: [
      {
        title:
          "The post's table: honest votes lost to an Eve with a third of the validators, bytes of a slot, and what a key takes at most",
        columns: ['scheme', 'griefing', 'lost, %', 'bandwidth', 'bytes', 'time', 'key'],
        rows: [
          [
            'bitfield',
            'bad',
            100 * griefingLoss(election, eveShare).lostShare,
            'middling',
            bare.bytes,
            'good',
            `${keySum(committee, 50).subtracting} additions`,
          ],
          [
            `${bits === 'four bits' ? 'four-bit' : `${parameters.multiplicityBits}-bit`} integers`,
            'good',
            100 * noneHonest,
            'bad',
            vectors,
            'good',
            `${multiplicitySumAdditions(committee, parameters.multiplicityBits)} additions`,
          ],
          ['succinct proof', 'good', 100 * noneHonest, 'middling', withProofs, 'bad', `${proofSeconds} s`],
        ],
      },
    ],
  };
}
