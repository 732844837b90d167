import { switches } from '../branches/branchWords.ts';

/** What a field of a chapter's link takes, in words, and whether a value is that. */
interface Taken {
  readonly words: string;
  takes(value: string): boolean;
}

const oneOf = (...values: readonly string[]): Taken => ({
  words: values.join(' or '),
  takes: (value) => values.includes(value),
});

const whole = (from: number, to: number): Taken => ({
  words: `${from} to ${to}`,
  takes: (value) => /^\d+$/.test(value) && Number(value) >= from && Number(value) <= to,
});

const fieldsOf: Readonly<Record<string, Readonly<Record<string, Taken>>>> = {
  race: { dead: oneOf('0', '0.2') },
  doubling: { n: oneOf('8', '64'), network: oneOf('constant', 'aws') },
  desk: { node: whole(0, 63) },
  'switch-off': {
    without: oneOf(...switches.map(({ id }) => id)),
    row: oneOf('san-fermin', 'complete-graph', 'complete-graph-bulk', 'gossip'),
    attack: oneOf('none', 'silent', 'invalid', 'worthless', 'censor', 'mixed', 'flood', 'equivocate'),
  },
  matrix: {},
  // A run's own fields are judged where runs are read.
  'break-it': { run: { words: 'a run', takes: () => true }, lies: { words: '1', takes: () => true } },
  growth: {
    n: {
      words: 'a power of two from 8 to 4,096',
      takes: (value) =>
        /^\d+$/.test(value) && Number.isInteger(Math.log2(Number(value))) && whole(8, 4096).takes(value),
    },
  },
  horn: {
    n: oneOf('65536', '1048576'),
    eve: { words: '0 to 0.4', takes: (value) => value.trim() !== '' && Number(value) >= 0 && Number(value) <= 0.4 },
  },
  proofs: {
    job: {
      words: 'a rival and one of its proofs, such as greedy:23',
      takes: (value) => /^[a-z-]+:\d{1,6}$/.test(value),
    },
  },
  live: {},
};

/** What of a link into the story cannot be shown, a sentence each; empty where all of it can. */
export function storyNotices(hash: string): readonly string[] {
  const [chapter = '', ...rest] = hash.replace(/^#/, '').split('&');
  if (chapter === '' || chapter.includes('=')) return [];
  const taken = fieldsOf[chapter];
  if (taken === undefined)
    return [`There is no chapter “${chapter.slice(0, 40)}”: there are ${Object.keys(fieldsOf).join(', ')}.`];
  const notices: string[] = [];
  for (const [name, value] of new URLSearchParams(rest.join('&'))) {
    if (name === 't') {
      if (value.trim() === '' || !(Number(value) >= 0))
        notices.push(
          `t: a moment is a number of milliseconds from 0 on, not “${value.slice(0, 20)}”; the chapter starts at its beginning.`,
        );
    } else if (taken[name] === undefined) {
      // What follows a run is the run's.
      if (rest[0] !== 'run') notices.push(`${name.slice(0, 30)}: this chapter has no such field.`);
    } else if (!taken[name].takes(value))
      notices.push(`${name}: this chapter shows ${taken[name].words}, not “${value.slice(0, 20)}”.`);
  }
  return notices;
}
