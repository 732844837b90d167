import { expect, it } from 'vitest';
import * as transports from './index.ts';
import * as node from './node.ts';
import * as rooms from './rooms.ts';

const hostileArguments = [[], [null], [7], ['x y'], [{}], [[]], [() => 0]];

const exports = { ...transports, ...node, ...rooms };
// biome-ignore lint/suspicious/noExplicitAny: as from a program without types.
const callable = Object.entries<any>(exports).filter(([, one]) => typeof one === 'function');

it.each(callable)(
  '%s accepts or refuses any argument with its own error, never with an error of the JavaScript engine',
  async (_, one) => {
    const isClass = Function.prototype.toString.call(one).startsWith('class');
    for (const args of hostileArguments) {
      try {
        await (isClass ? Reflect.construct(one, args) : one(...args));
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]*expected [^\n]+, got [^\n]+$/) });
      }
    }
  },
);
