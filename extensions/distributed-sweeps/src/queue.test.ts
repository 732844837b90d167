import { version } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { queueFlag, redisFlag } from './flags.ts';
import { readWorkerName, workerName } from './queue.ts';

describe('a worker in the list of clients', () => {
  it('is identified by its version and place', () => {
    const found = readWorkerName(`bull:abc:w:${workerName()}`);
    expect(found).toMatchObject({ version, where: expect.stringMatching(`\\.${process.pid}$`) });
    expect(readWorkerName('bull:abc:w:tutti@0.2.0-beta.1@a-host.77')).toEqual({
      version: '0.2.0-beta.1',
      where: 'a-host.77',
    });
  });

  it.each(['', 'bull:abc', 'bull:abc:w:somebody'])('refuses %j', (client) => {
    expect(readWorkerName(client)).toBeUndefined();
  });
});

describe('redisFlag', () => {
  it.each(['redis://127.0.0.1:6379', 'rediss://user:secret@host:1/2'])('%s', (url) => {
    expect(redisFlag(url)).toBe(url);
  });

  it.each([
    ['localhost', '"localhost"'],
    ['http://host:80', '"http://host:80"'],
    ['redis://', '"redis://"'],
    ['http://user:sec:r@et@host', '"http://user:***@host"'],
    ['http://:secret@host?password=secret', '"http://:***@host?..."'],
  ])('refuses %s without its password', (url, shown) => {
    expect(() => redisFlag(url)).toThrow(`--redis: expected redis://HOST:PORT or rediss://HOST:PORT, got ${shown}`);
  });
});

describe('queueFlag', () => {
  it.each(['', 'a:b', 'a b'])('refuses %j', (name) => {
    expect(() => queueFlag(name)).toThrow('--queue: expected');
  });
});
