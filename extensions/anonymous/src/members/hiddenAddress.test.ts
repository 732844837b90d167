import { describe, expect, it } from 'vitest';
import { type HiddenAddressOptions, hiddenAddress } from './hiddenAddress.ts';

const onion = `${'b'.repeat(56)}.onion`;
const inboxes = ['192.0.2.7', '192.0.2.8', '2001:db8::9'].map((host) => ({ host, port: 9000 }));
const names: Readonly<Record<string, readonly string[]>> = {
  'alice.example': ['2001:db8::7', '192.0.2.7'],
  'elsewhere.example': ['203.0.113.5'],
};

const dnsError = (code: string) => Object.assign(new Error(`getaddrinfo ${code}`), { code });

const resolve = async (name: string) => {
  const addresses = names[name];
  if (addresses === undefined) throw dnsError('ENOTFOUND');
  return addresses;
};

const decide = (over: Partial<HiddenAddressOptions>) =>
  hiddenAddress({
    transport: 'tcp',
    inboxes,
    member: 0,
    inboxBind: undefined,
    listen: { host: '203.0.113.5' },
    bind: undefined,
    hasProxy: true,
    resolve,
    ...over,
  });

describe('hiddenAddress', () => {
  it('listens at its registered address, or at another one with a bind', async () => {
    const host = '203.0.113.5';
    expect(await decide({})).toEqual({ bind: { host, port: 0 }, listen: { host }, warnings: [] });
    const listen = { host: onion, port: 9500 };
    const bind = { host: '127.0.0.1', port: 9500 };
    expect(await decide({ listen, bind: { host: bind.host } })).toEqual({ bind, listen, warnings: [] });
    expect((await decide({ listen, bind: { ...bind, port: 7 } })).bind.port).toBe(7);
  });

  it.each<[string, Partial<HiddenAddressOptions>, string]>([
    ["the inbox's host", { listen: { host: '192.0.2.7' } }, '192.0.2.7, that of its inbox in the registry (entry 0)'],
    [
      'the same in other words',
      { listen: { host: '::ffff:192.0.2.7' } },
      'that of its inbox in the registry (entry 0)',
    ],
    [
      'an address in other words',
      { member: 2, listen: { host: '2001:DB8:0::9' } },
      'that of its inbox in the registry (entry 2)',
    ],
    [
      'a name of its inbox',
      { hasProxy: false, listen: { host: 'alice.example', port: 1 }, bind: { host: '10.0.0.1' } },
      'alice.example, that of its inbox in the registry (entry 0)',
    ],
    [
      'an address of a name in the registry',
      {
        hasProxy: false,
        inboxes: [{ host: 'alice.example', port: 9000 }, inboxes[1]!],
        listen: { host: '2001:db8::7' },
      },
      '2001:db8::7, that of its inbox in the registry (entry 0)',
    ],
    [
      'where the inbox listens',
      { inboxBind: { host: '198.51.100.1' }, listen: { host: '198.51.100.1' } },
      '198.51.100.1, at which its inbox listens',
    ],
    [
      'a name over UDP',
      { transport: 'udp', listen: { host: 'a.example' } },
      '--listen: expected an IP address for udp',
    ],
    [
      'a name without a bind',
      { listen: { host: onion, port: 1 } },
      `--bind: expected an address to listen on, because ${onion}`,
    ],
    ['a bind without a port', { bind: { host: '10.0.0.1' } }, '--listen: expected HOST:PORT with --bind'],
    ['an address of this machine alone', { listen: { host: '127.0.0.1' } }, 'that the other members reach'],
  ])('refuses %s', async (_, over, line) => {
    await expect(decide(over)).rejects.toThrow(line);
  });

  const bind = { host: '10.0.0.1' };

  it('reports a resolver that does not answer, and accepts a name that does not exist', async () => {
    const over = { hasProxy: false, listen: { host: 'absent.example', port: 1 }, bind };
    const failing = async () => {
      throw dnsError('EAI_AGAIN');
    };
    await expect(decide({ ...over, resolve: failing })).rejects.toMatchObject({
      code: 'dns-failed',
      message: expect.stringMatching(/^absent\.example: .* got EAI_AGAIN; try again$/),
    });
    expect((await decide(over)).listen).toEqual(over.listen);
  });

  it('requires no name behind a proxy', async () => {
    const asked: string[] = [];
    const counting = (name: string) => {
      asked.push(name);
      return resolve(name);
    };
    const over = { resolve: counting, listen: { host: 'elsewhere.example', port: 1 }, bind };
    await decide({ ...over, hasProxy: true });
    expect(asked).toEqual([]);
    await decide({ ...over, hasProxy: false });
    expect(asked).toEqual(['elsewhere.example']);
  });

  it('warns about a socket at the inbox, and about connections without a proxy', async () => {
    const listen = { host: '203.0.113.5', port: 9500 };
    for (const host of ['0.0.0.0', '::', '192.0.2.7', '::ffff:192.0.2.7'])
      expect((await decide({ listen, bind: { host } })).warnings).toEqual([
        `--bind: ${host} is where the inbox is reached too, so others can find the anonymous key there`,
      ]);
    const inboxBind = { host: '0.0.0.0' };
    await expect(decide({ inboxBind })).rejects.toThrow('203.0.113.5, at which its inbox listens');
    expect((await decide({ listen, bind, inboxBind })).warnings).toEqual([
      "--inbox-bind: 0.0.0.0 includes 10.0.0.1, so others can find the inbox at the anonymous key's address",
    ]);
    expect((await decide({ listen, bind: { host: '127.0.0.1' }, inboxBind })).warnings).toEqual([]);
    expect((await decide({ hasProxy: false })).warnings).toEqual([expect.stringMatching(/^--proxy: without one/)]);
    expect((await decide({ transport: 'udp', hasProxy: false })).warnings).toEqual([]);
  });

  it('accepts members of one machine', async () => {
    const host = '127.0.0.1';
    const inboxes = [host, host, `::ffff:${host}`].map((one) => ({ host: one, port: 9000 }));
    const result = await decide({ transport: 'udp', inboxes, listen: { host }, hasProxy: false });
    expect(result).toEqual({ bind: { host, port: 0 }, listen: { host }, warnings: [] });
  });
});
