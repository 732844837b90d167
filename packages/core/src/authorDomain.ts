import { asciiBytes } from './bytes.ts';

/** Domain separation prefix of the statement that the author of a Horn aggregate signs; see `hornStatement`. */
export const authorDomain = asciiBytes('tutti horn author v1');
