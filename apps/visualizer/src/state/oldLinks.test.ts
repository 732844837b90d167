import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodePlan, firstPlan } from '../figure/figurePlan.ts';
import { decodeNetworkChoice, firstNetworkChoice } from '../horn/networkState.ts';
import { decodeSlotState, firstSlotState } from '../horn/slotState.ts';
import { firstLeanState, readLeanState } from '../lean/leanState.ts';
import { readLiveLink } from '../live/liveLink.ts';
import { readStoryLink } from '../story/address.ts';
import { decodeState, firstState } from './pageState.ts';

interface OldLink {
  readonly page: keyof typeof readers;
  readonly link: string;
  /** What differs from a first visit. */
  readonly means: unknown;
}

const chapters = 'race doubling desk switch-off matrix break-it growth horn proofs live'.split(' ');

const readers = {
  run: (link: string) => differences({ ...decodeState(link), notices: undefined }, firstState),
  story: (link: string) => {
    const { chapter, atMs } = readStoryLink(link, chapters) ?? {};
    return { chapter, atMs };
  },
  slot: (link: string) => differences(decodeSlotState(link), firstSlotState),
  network: (link: string) => differences(decodeNetworkChoice(link), { choice: firstNetworkChoice }),
  lean: (link: string) => differences(readLeanState(link), firstLeanState),
  figure: (link: string) => ({ plan: differences(decodePlan(link).plan, firstPlan) }),
  live: (link: string) => readLiveLink(`https://example.org/tutti/live.html${link}`) ?? null,
} as const;

/** The properties of `value` that `base` has not, or has otherwise. */
function differences(value: object, base: object): Record<string, unknown> {
  const isObject = (one: unknown): one is object => typeof one === 'object' && one !== null && !Array.isArray(one);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, own]) => {
      const first = (base as Record<string, unknown>)[name];
      if (JSON.stringify(own) === JSON.stringify(first)) return [];
      return [[name, isObject(own) && isObject(first) ? differences(own, first) : own]];
    }),
  );
}

const table: readonly OldLink[] = JSON.parse(
  readFileSync(new URL('../../test/oldLinks.json', import.meta.url), 'utf8'),
);

describe('a link that was once handed out still opens what it did', () => {
  it.each(table.map((row) => [row.page, row.link, row.means] as const))('%s %s', (page, link, means) => {
    const { shows: _, ...expected } = Object(means);
    const read = readers[page](link);
    if (page === 'story') expect(read).toEqual(expected);
    else if (page === 'figure') expect(read).toEqual({ plan: {}, ...expected });
    else expect(read).toEqual(means);
  });

  it('has at least 60 links', () => {
    expect(table.length).toBeGreaterThanOrEqual(60);
  });
});
