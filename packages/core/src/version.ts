/** The version of the protocol code and of its simulation; part of the line that is enough to reproduce a run. */
export const version = '0.1.0';
