import { leanStrategyNamed } from '@tutti/ethereum/lean';
import { matrixAttacks } from '@tutti/lab';
import {
  choice,
  type Field,
  Fields,
  linkOf,
  named,
  number,
  optional,
  parametersOf,
  proofOf,
  text,
  whole,
  word,
} from '../links/fields.ts';
import { ruleFields, switches } from '../rules/editedRules.ts';

const baselines = ['san-fermin', 'complete-graph', 'complete-graph-bulk', 'gossip'] as const;

/** Link fields for the stage of each chapter. */
export const chapterFields = {
  race: new Fields({
    dead: choice<number>([0, 0.2], 0),
    byzantine: { ...optional(choice<number>([1, 10], 10)), formerName: 'liars' },
  }),
  doubling: new Fields({
    nodes: named('n', choice<number>([8, 64], 8)),
    network: choice<'constant' | 'aws'>(['constant', 'aws'], 'constant'),
  }),
  desk: new Fields({ node: whole({ min: 0, max: 63 }, 1), ...ruleFields }),
  'switch-off': new Fields({
    without: optional(
      choice(
        switches.map(({ id }) => id as string),
        '',
      ),
    ),
    row: optional(choice<string>(baselines, '')),
    attack: choice(matrixAttacks, 'invalid'),
    nodes: named('n', optional(choice<number>([256, 1024], 256))),
  }),
  matrix: new Fields({}),
  // `run` is the link of a run page; `decodeState` checks its fields.
  'break-it': new Fields({
    run: optional(text(100_000)),
    byzantine: { ...word, formerName: 'lies' },
  }),
  growth: new Fields({ nodes: named('n', choice([8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096], 64)) }),
  horn: new Fields({
    validators: named('n', optional(choice([2 ** 16, 2 ** 20], 2 ** 16))),
    eve: number({ min: 0, max: 0.4 }, 0, 0.01),
  }),
  proofs: new Fields({ asked: proofOf(['greedy', 'halving-owners'] as const, leanStrategyNamed) }),
  live: new Fields({}),
} as const;

export type ChapterName = keyof typeof chapterFields;

/** State of a chapter's stage. */
export type Shown<Name extends ChapterName> = (typeof chapterFields)[Name]['first'];

/**
 * Returns the fields of the chapter `switch-off` for a row of the matrix: a mechanism that is switched off, or a
 * baseline.
 */
export function cellShown(row: string | undefined): Pick<Shown<'switch-off'>, 'without' | 'row'> {
  const isMechanism = switches.some(({ id }) => id === row);
  return { without: isMechanism ? row : undefined, row: isMechanism || row === 'handel' ? undefined : row };
}

/** Returns the codec of a chapter whose name is known only at run time. */
export function fieldsIn(chapter: ChapterName): Fields<object> {
  return chapterFields[chapter] as unknown as Fields<object>;
}

/** Link into the guided tour: a chapter, the state of the chapter's stage, and the moment. */
export interface StoryLink {
  readonly chapter: ChapterName;
  readonly shows: object;
  /** Time of the clock, ms; undefined if the stage plays from the beginning. */
  readonly atMs: number | undefined;
}

const moment: Field<number | undefined> = {
  ...optional(number({ min: 0, max: 2 ** 31 }, 0)),
  name: 't',
  nearest: () => undefined,
  write: (atMs) => (atMs === undefined ? undefined : String(Math.round(atMs * 1000) / 1000)),
};
const clock = new Fields({ atMs: moment });

/**
 * Parses a fragment including its `#`, such as `#doubling&n=64&t=150`. Without a chapter's name in the fragment, the
 * link is undefined. Each part that cannot be shown gives a notice.
 */
export function readStoryLink(hash: string): {
  readonly link: StoryLink | undefined;
  readonly notices: readonly string[];
} {
  const [chapter = '', ...rest] = hash.replace(/^#/, '').split('&');
  if (!Object.hasOwn(chapterFields, chapter)) {
    const names = Object.keys(chapterFields).join(', ');
    const isMeant = chapter !== '' && !chapter.includes('=');
    return {
      link: undefined,
      notices: isMeant ? [`chapter: expected one of ${names}, got “${chapter.slice(0, 40)}”`] : [],
    };
  }
  let given = parametersOf(rest.join('&'));
  const { values, notices: ofClock } = clock.read(given, [...given.keys()]);
  // A whole run is encoded as in the address of a run page, with its fields encoded only once.
  if (rest[0] === 'run') {
    for (const name of ['run', 't']) given.delete(name);
    given = new URLSearchParams([['run', linkOf(given)]]);
  }
  const { values: shows, notices } = fieldsIn(chapter as ChapterName).read(given, clock.names);
  return { link: { chapter: chapter as ChapterName, shows, ...values }, notices: [...ofClock, ...notices] };
}

/**
 * Returns the link into the guided tour through the chapter's own page, which has the chapter's title and text for
 * preview cards.
 */
export function sharedAddress(address: string): string {
  const [chapter = '', ...rest] = address.replace(/^#/, '').split('&');
  return `./chapter-${chapter}.html${rest.length === 0 ? '' : `#${rest.join('&')}`}`;
}

/** Returns the fragment of a link, without `#`. */
export function writeStoryLink({ chapter, shows, atMs }: StoryLink): string {
  const { run } = shows as Partial<Shown<'break-it'>>;
  const shown = run === undefined ? fieldsIn(chapter).write(shows) : `run&${run}`;
  return [chapter, shown, clock.write({ atMs })].filter((one) => one !== '').join('&');
}
