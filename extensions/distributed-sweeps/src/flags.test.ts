import { describe, expect, it } from 'vitest';
import { queueFlag, redisFlag } from './flags.ts';

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
    ['http://user@host', '"http://user@host"'],
    ['user:secret@host:6379', '"user:***@host:6379"'],
    ['rediss//user:secret@host', '"rediss//user:***@host"'],
    ['redis:user:secret@host', '"redis:***@host"'],
    ['redis:///user:secret@host', '"redis:///user:***@host"'],
    ['us@er:sec\nret@host', '"us@er:***@host"'],
  ])('refuses %s without its password', (url, shown) => {
    expect(() => redisFlag(url)).toThrow(`--redis: expected redis://HOST:PORT or rediss://HOST:PORT, got ${shown}`);
  });
});

describe('queueFlag', () => {
  it.each(['', 'a:b', 'a b'])('refuses %j', (name) => {
    expect(() => queueFlag(name)).toThrow('--queue: expected');
  });
});
