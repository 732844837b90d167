import { expect, it } from 'vitest';
import * as checks from './arguments.ts';

it('no check of types shows a text or bytes', () => {
  const secret = 'hunter2';
  for (const check of [checks.requireObject, checks.requireArray, checks.requireFunction, checks.requireBytes])
    expect(() => check('key', secret)).toThrow(/^key: expected .*, got a text of 7 characters$/);
  expect(() => checks.requireMethods('key', secret, ['sign'])).toThrow(/got a text of 7 characters$/);
  expect(() => checks.requireInt32Array('key', new TextEncoder().encode(secret))).toThrow(/got 7 bytes$/);
  expect(() => checks.requireText('key', 1)).toThrow('key: expected a text, got 1');
});
