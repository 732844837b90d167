import { networkInterfaces } from 'node:os';

/** Whether this machine has an IPv6 address that tests can use. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

export const noIpv6 = 'over IPv6: skipped, because this machine has no ::1';
