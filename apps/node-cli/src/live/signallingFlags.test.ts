import { Command } from 'commander';
import { expect, it } from 'vitest';
import { words } from '../../test/runMain.ts';
import { withFlags } from '../flags.ts';
import { hostNameFlag, originFlag, signallingFlags, signallingOptions } from './signallingFlags.ts';

const parsed = (line: string) => {
  const command = withFlags(new Command(), signallingFlags).exitOverride().parse(words(line), { from: 'user' });
  return signallingOptions(command.opts());
};

it('returns the given options of a server', () => {
  const access = '--origin https://a.example --origin * --name rooms.example --name r2 --behind-proxy';
  const limits = '--max-rooms-per-address 1 --max-members-per-address 2 --max-connections-per-address 65536';
  expect(parsed(`${access} ${limits} --max-share-per-address 0.5`)).toEqual({
    origins: ['https://a.example', '*'],
    names: ['rooms.example', 'r2'],
    behindProxy: true,
    limits: { roomsPerAddress: 1, membersPerAddress: 2, connectionsPerAddress: 65_536, shareOfRoomPerAddress: 0.5 },
  });
});

it('an origin is a scheme and a host, optionally with a port, or *', () => {
  for (const origin of ['https://page.example', 'http://10.0.0.7:8080', '*'])
    expect(originFlag('--origin')(origin)).toBe(origin);
  const others = ['page.example', 'https://page.example/', 'https://page.example/path', 'https://P.example', ''];
  for (const other of others)
    expect(() => originFlag('--origin')(other)).toThrow(
      /^--origin: expected the origin of a page, such as https:\/\/page\.example/,
    );
});

it('a name has no port, and neither begins nor ends with a dot or a hyphen', () => {
  for (const name of ['a', 'rooms.example', 'ROOMS-2.example', 'a'.repeat(253)]) expect(hostNameFlag(name)).toBe(name);
  for (const other of ['', '-a', 'a-', '.a', 'a.', 'a:80', 'a b', 'a'.repeat(254)])
    expect(() => hostNameFlag(other)).toThrow(/^--name: expected a host name without a port, such as rooms\.example/);
});

it.each(['--max-rooms-per-address', '--max-members-per-address', '--max-connections-per-address'])(
  '%s is 1 to 65,536',
  (flag) => {
    for (const value of ['0', '65537', 'x']) expect(() => parsed(`${flag} ${value}`)).toThrow(`${flag}: expected`);
    for (const value of ['1', '65536'])
      expect(Object.values(parsed(`${flag} ${value}`).limits ?? {})).toContain(Number(value));
  },
);

it('the share of a room is over 0 and at most 1', () => {
  const flag = '--max-share-per-address';
  expect(parsed(`${flag} 1`)).toMatchObject({ limits: { shareOfRoomPerAddress: 1 } });
  for (const value of ['0', '1.01', 'x'])
    expect(() => parsed(`${flag} ${value}`)).toThrow(
      `${flag}: expected a number greater than 0 and at most 1, got "${value}"`,
    );
});
