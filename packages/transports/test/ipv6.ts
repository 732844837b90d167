import { networkInterfaces } from 'node:os';

/** Whether this machine has an IPv6 address for tests. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

/** Title of tests that are skipped because there is no IPv6 address. */
export const noIpv6 = 'over IPv6: skipped, because this machine has no ::1';
