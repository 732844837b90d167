import { expect, it } from 'vitest';
import { callableOf, foreignErrorsOf, ownErrors } from '../../../tests/outcomes.ts';
import * as index from './index.ts';
import { loadG1 } from './kernel.ts';

it.each(callableOf({ ...index, loadG1 }))(ownErrors, async (_, one) => expect(await foreignErrorsOf(one)).toEqual([]));
