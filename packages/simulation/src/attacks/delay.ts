import type { Attack } from './attack.ts';
import { silence } from './silent.ts';

/** The bound on intentional delays, about the longest way between two regions of AWS. */
const boundMs = 200;

/**
 * A network adversary that holds every message for as long as it may (v1.03 section 2.3). It needs no nodes: with
 * `delay:0` all are honest; those that it is given are silent.
 */
export const delay: Attack = {
  name: 'delay',
  section: 'v1.03 2.3',
  aim: `Delays every message by the ${boundMs} ms that it may.`,
  against: ['handel', 'complete-graph', 'san-fermin', 'gossip'],
  form: () => ({ join: () => silence, delayUs: () => boundMs * 1000 }),
};
