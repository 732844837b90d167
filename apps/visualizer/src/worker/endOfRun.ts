import { MultiSignatureScheme } from '@tutti/core';
import type { Recording, Simulation } from '@tutti/simulation';
import type { InsecureRun } from './insecureRun.ts';
import type { FinalOutput } from './messages.ts';

export interface EndOfRun {
  readonly recordingLater: () => Recording;
  readonly output: FinalOutput | undefined;
}

/**
 * What a run leaves behind, and its curve's memory given back. That comes last: with some attackers checks are put off
 * to the end, and the result does them.
 */
export function endOfRun(simulation: Simulation, insecureRun: InsecureRun | undefined): EndOfRun {
  const output = insecureRun && finalOutput(simulation, insecureRun);
  const recordingLater = simulation.recordingLater();
  insecureRun?.free();
  return { recordingLater, output };
}

function finalOutput(simulation: Simulation, { message, publicKeys }: InsecureRun): FinalOutput | undefined {
  const { heaviestOutput: heaviest, scheme } = simulation;
  if (!heaviest || !(scheme instanceof MultiSignatureScheme)) return undefined;
  const { first, bits, signature } = scheme.claim(heaviest.contribution);
  const signers = Uint8Array.from(publicKeys, (_, id) => {
    const bit = id - first;
    return bit >= 0 && bit < bits.length * 8 ? (bits[bit >> 3]! >>> (bit & 7)) & 1 : 0;
  });
  return { node: heaviest.node, signature: signature.slice(), signers, publicKeys, message };
}
