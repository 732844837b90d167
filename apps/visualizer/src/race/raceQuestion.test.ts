import { describe, expect, it } from 'vitest';
import type { RaceOutcome } from './raceFile.ts';
import { bulkWords, endWords } from './raceQuestion.ts';

const of = (protocol: RaceOutcome['protocol'], lastMs: number, checked: number, messagesSent: number): RaceOutcome => ({
  ...{
    protocol,
    lastMs,
    checked,
    messagesSent,
    nodes: 64,
    dead: 0,
    live: 64,
    reached: 64,
    meanMs: 1,
    bytesSent: 1,
  },
});
const outcomes = [
  of('handel', 391, 12.2, 160),
  of('gossip', 12_190, 1023, 7152),
  of('complete-graph', 12_060, 1023, 1023),
  of('complete-graph-bulk', 354, 7.4, 1023),
];

describe('the end of the race', () => {
  it('sets the first of the four beside the last, by checks', () => {
    expect(endWords(outcomes)).toBe('0.39\u00a0s against 12.2\u00a0s: 12 checks against 1,023. How?');
  });

  it('leaves out who never was done', () => {
    const stuck = outcomes.map((one) => (one.protocol === 'gossip' ? { ...one, reached: 60 } : one));
    expect(endWords(stuck)).toContain('against 12.1\u00a0s');
    expect(endWords([])).toBe('How do two signatures become one?');
  });

  it('says of the sum that it is fast while nobody lies, and what it sends', () => {
    expect(bulkWords(outcomes)).toBe(
      'The complete graph that checks one sum takes 0.35\u00a0s while nobody lies, with 1,023 messages a node; Handel sends 160.',
    );
    expect(bulkWords(outcomes.slice(0, 2))).toBe('');
  });
});
