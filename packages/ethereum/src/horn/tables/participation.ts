/** Shares of the validators that vote, at which tables are made. */
export const participationPercents = [50, 66, 90, 95, 99, 100] as const;
