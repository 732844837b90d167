import { expect, it } from 'vitest';
import { callableOf, foreignErrorsOf, ownErrors } from '../../../tests/outcomes.ts';
import * as transports from './index.ts';
import * as node from './node.ts';
import * as rooms from './rooms.ts';

it.each(callableOf({ ...transports, ...node, ...rooms }))(ownErrors, async (_, one) => {
  expect(await foreignErrorsOf(one)).toEqual([]);
});
