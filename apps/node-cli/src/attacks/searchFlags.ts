import { type FlagsOf, flag, integer, numberFlag } from '../flags.ts';

const mostTries = 1_000_000;

const minutes = (of: string) =>
  numberFlag(of, 'a number over 0 and at most 10000', (value) => value > 0 && value <= 10_000);

/** How long a search goes on. */
export const searchFlags = {
  minutes: flag('<min>', 'stop after this time', minutes, 10),
  tries: flag('<n>', 'stop after this many attacks', integer(1, mostTries), mostTries),
};

export type SearchFlags = FlagsOf<typeof searchFlags>;
