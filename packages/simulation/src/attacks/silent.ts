import type { ProtocolNode } from '@tutti/core';
import type { Attack } from './attack.ts';

/** Refrains from participating (v1.03 section 4.1 (1)). */
export const silent: Attack = {
  name: 'silent',
  section: 'v1.03 4.1 (1)',
  aim: 'Keeps its contribution to itself, so that levels stay incomplete and whoever contacts it waits in vain.',
  against: ['handel', 'complete-graph', 'san-fermin', 'gossip'],
  form: () => ({ join: () => silence }),
};

/** A node that does nothing. */
export const silence: ProtocolNode = { start() {}, onMessage() {}, onTimer() {}, onVerified() {} };
