import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planFields } from '../figure/figurePlan.ts';
import { firstNetworkChoice, readNetworkLink } from '../horn/networkState.ts';
import { firstSlotState, readSlotLink } from '../horn/slotState.ts';
import { leanFields } from '../lean/leanState.ts';
import { readLiveLink } from '../live/liveLink.ts';
import { decodeState, firstState } from '../state/pageState.ts';
import { readStoryLink } from '../story/address.ts';
import type { Reading } from './fields.ts';

interface OldLink {
  readonly page: keyof typeof readers;
  readonly link: string;
  /** Differences from the state of a first visit. */
  readonly means: unknown;
  /** Names of fields whose texts are rejected. */
  readonly refused?: readonly string[];
}

interface Read {
  readonly means: unknown;
  readonly notices: readonly string[];
}

const differing = ({ values, notices }: Reading<object>, first: object): Read => ({
  means: differences(values, first),
  notices,
});

const readers = {
  run(link: string): Read {
    const { notices, ...values } = decodeState(link);
    return differing({ values, notices }, firstState);
  },
  story(link: string): Read {
    const { link: read, notices } = readStoryLink(link);
    return { means: JSON.parse(JSON.stringify(read ?? {})), notices };
  },
  slot: (link: string) => differing(readSlotLink(link), firstSlotState),
  network(link: string): Read {
    const { notices, ...values } = readNetworkLink(link);
    const { means } = differing({ values, notices }, { choice: firstNetworkChoice });
    return { means: { choice: {}, ...(means as object) }, notices };
  },
  lean: (link: string) => differing(leanFields.read(link), leanFields.first),
  figure: (link: string) => differing(planFields.read(link), planFields.first),
  live: (link: string): Read => ({
    means: readLiveLink(`https://example.org/tutti/live.html${link}`) ?? null,
    notices: [],
  }),
} as const;

/** Returns the properties of `value` that are missing in `base` or have a different value there. */
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

describe('a link from an earlier version opens the same content', () => {
  it.each(table.map((row) => [row.page, row.link, row] as const))('%s %s', (page, link, { means, refused = [] }) => {
    const read = readers[page](link);
    expect(read.means).toEqual(means);
    expect([...new Set(read.notices.map((notice) => /^[\w-]+(?=:|, )/.exec(notice)?.[0] ?? 'chapter'))]).toEqual(
      refused,
    );
  });

  it('has at least 60 links', () => {
    expect(table.length).toBeGreaterThanOrEqual(60);
  });
});
