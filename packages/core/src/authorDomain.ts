import { asciiBytes } from './bytes.ts';

/** Prefix of the statement that the author of an aggregate in Horn signs, see `hornStatement`. */
export const authorDomain = asciiBytes('tutti horn author v1');
