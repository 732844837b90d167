import { expect, it } from 'vitest';
import * as input from './input.ts';
import * as settings from './settings.ts';

it.each(Object.entries({ input, settings }))('no check of types of %s shows a text or bytes', (_, checks) => {
  const secret = 'hunter2';
  for (const check of [checks.requireObject, checks.requireArray, checks.requireFunction, checks.requireBytes])
    expect(() => check('key', secret)).toThrow(/^key: expected .*, got a text of 7 characters$/);
  expect(() => checks.requireMethods('key', secret, ['sign'])).toThrow(/got a text of 7 characters$/);
  expect(() => checks.requireInt32Array('key', new TextEncoder().encode(secret))).toThrow(/got 7 bytes$/);
  expect(() => checks.requireText('key', 1)).toThrow('key: expected a text, got 1');
});

it('an input check and a settings check of the same name are the same function', () => {
  const shared = Object.keys(input).filter((name) => name.startsWith('require') && name in settings);
  expect(shared.length).toBeGreaterThan(5);
  for (const name of shared) expect(Reflect.get(settings, name), name).toBe(Reflect.get(input, name));
});
