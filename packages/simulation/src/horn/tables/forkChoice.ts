import { forkChoiceCases } from '../forkChoice.ts';
import { exactly, type HornTable, row } from './row.ts';

export function forkChoiceTable(): HornTable {
  const { cases, irreproducible, irreproducibleFirstVotes } = forkChoiceCases(3, 2, 2);
  const none = exactly('none', 0);
  return {
    title: "The fork choice under censorship: two honest votes, two of Eve's, three blocks",
    section: 'Censorship attack implications on consensus',
    source: 'horn/forkChoice.ts',
    rows: [
      row('cases of votes before, a block, and who is censored', '', cases),
      row('weights out of reach without censoring, all censored having voted before', '', irreproducible, none),
      row(
        'weights out of reach without censoring, a first vote censored',
        '',
        irreproducibleFirstVotes,
        none,
        "The argument has Eve replace the latest vote of those she censors. A validator that never voted has none, and where all of Eve's have voted before, she cannot take a vote back.",
      ),
    ],
    grids: [],
  };
}
