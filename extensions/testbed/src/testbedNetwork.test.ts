import { describe, expect, it } from 'vitest';
import { droppedIn } from './testbedNetwork.ts';

/** Content of `net/udp` on a Linux 6.18 system. */
const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 1025: 0100007F:8DE0 0100007F:8430 01 00000000:00000000 00:00000000 00000000     0        0 71234 2 0000000000000000 12
 1210: 0100007F:8430 0100007F:8DE0 01 00000000:00000000 00:00000000 00000000     0        0 71233 2 0000000000000000 3
 1990: 00000000:1B58 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 71300 2 0000000000000000 7
`;

describe('droppedIn', () => {
  it('adds the drops of the sockets', () => {
    expect(droppedIn(table)).toBe(22);
    expect(droppedIn(table.split('\n', 1)[0]!)).toBe(0);
  });

  it('counts the sockets of the given ports only', () => {
    expect(droppedIn(table, new Set([0x8de0, 0x8430]))).toBe(15);
    expect(droppedIn(table, new Set([7000]))).toBe(7);
    expect(droppedIn(table, new Set())).toBe(0);
  });
});
