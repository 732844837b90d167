/// <reference types="vite/client" />
import { expect, it } from 'vitest';
import { constantsOf } from '../../../tests/digests.ts';

const sources = import.meta.glob<object>(['./**/*.ts', '!./**/*.{test,d}.ts'], { eager: true });

it('constants are what they were', () => expect(constantsOf(sources)).toMatchSnapshot());
