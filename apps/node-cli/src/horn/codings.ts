import { type BitfieldCoding, runLengthCoding, sparseCoding } from '@tutti/core';
import { snappyCoding } from '../snappyCoding.ts';

/** The ways to compress a bitfield that Horn's tables compare. */
export const codings: readonly BitfieldCoding[] = [snappyCoding, runLengthCoding, sparseCoding];
