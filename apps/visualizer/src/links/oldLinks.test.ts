import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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

/** Functions that return how a link's state differs from the state of a first visit, and the notices about the link. */
const readers = {
  run(link: string) {
    const { notices, ...values } = decodeState(link);
    return { means: differences(values, firstState), notices };
  },
  story(link: string) {
    const { link: read, notices } = readStoryLink(link);
    return { means: JSON.parse(JSON.stringify(read ?? {})), notices };
  },
  slot: (link: string) => differing(readSlotLink(link), firstSlotState),
  network(link: string) {
    const { notices, ...values } = readNetworkLink(link);
    return { means: { choice: {}, ...differences(values, { choice: firstNetworkChoice }) }, notices };
  },
  lean: (link: string) => differing(leanFields.read(link), leanFields.first),
  figure: (link: string) => differing(planFields.read(link), planFields.first),
  live(link: string) {
    const read = readLiveLink(`https://example.org/tutti/live.html${link}`);
    return { means: read?.kind === 'bad' ? read.kind : (read ?? null), notices: [] };
  },
} as const;

function differing({ values, notices }: Reading<object>, first: object) {
  return { means: differences(values, first), notices };
}

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

it.each(table)('a link from an earlier version opens the same content: $page $link', (row) => {
  const { page, link, means, refused = [] } = row;
  const read = readers[page](link);
  expect(read.means).toEqual(means);
  expect([...new Set(read.notices.map((notice) => /^[\w-]+(?=:|, )/.exec(notice)?.[0]))]).toEqual(refused);
});
