import { networkInterfaces } from 'node:os';

/** Whether this machine has an IPv6 address of its own to test on. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

/** The title of what is skipped for want of it. */
export const noIpv6 = 'over IPv6: skipped, because this machine has no ::1';
