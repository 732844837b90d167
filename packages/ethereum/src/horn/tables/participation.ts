/** Shares of the validators that vote, for which tables are computed, percent. */
export const participationPercents = [50, 66, 90, 95, 99, 100] as const;
