import { type HornParameters, hornSizes } from '@tutti/core/horn';
import { griefedAggregate, griefingLoss } from '../griefing.ts';
import { exactly, type HornTable, row } from './row.ts';

/** Shares of Byzantine validators, percent. */
const shares = [1, 2, 5, 10, 20, 30, 100 / 3, 40] as const;

export function griefingTable(parameters: HornParameters): HornTable {
  const { subcommittee, allSubcommittees } = hornSizes(parameters);
  const election = { members: subcommittee, aggregators: parameters.aggregators };
  const eveVotes = Math.min(100, subcommittee);
  const honestVotes = subcommittee - eveVotes;
  const { weight, censored } = griefedAggregate(honestVotes, eveVotes);
  return {
    title: 'Reward griefing',
    section: 'Reward griefing attacks against Horn; Censorship attack implications on consensus',
    source: 'horn/griefing.ts',
    rows: [
      row(
        `Eve's aggregate less the best honest one, N = ${eveVotes}`,
        'votes',
        weight - honestVotes,
        exactly('best', 1),
      ),
      row(`honest votes left out, N = ${eveVotes}`, 'votes', censored, exactly('N-1', eveVotes - 1)),
      row(
        `Eve's votes spent on that, N = ${eveVotes}`,
        'votes',
        eveVotes,
        exactly('N for N', censored),
        'The appendix counts N votes for N censored ones; to be heavier, N leave out N-1. Its argument needs no more than one each.',
      ),
    ],
    grids: [
      {
        title: 'What the honest lose to Eve, by her share of the validators; votes of one subcommittee and slot',
        columns: ["Eve's, %", 'her votes', 'she is elected, %', 'left out', 'left out a slot', 'of the honest, %'],
        rows: shares.map((percent) => {
          const { elected, censored: lost, lostShare } = griefingLoss(election, percent / 100);
          return [
            percent,
            (subcommittee * percent) / 100,
            100 * elected,
            lost,
            allSubcommittees * lost,
            100 * lostShare,
          ];
        }),
      },
    ],
  };
}
