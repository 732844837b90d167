/**
 * `npm run bench -- horn`: verifies a slot's collections by `tutti horn verify`, on one thread and on a thread a core,
 * prints the page and writes it to docs/records/bench-horn.md. `--dry` writes no page; what comes after `--` goes to both runs.
 */
import { availableParallelism, loadavg } from 'node:os';
import { grouped } from '../markdown.mjs';
import { columns, machine, median, options, table, tutti, writeRecord } from './frame.mjs';

const { dry, rest } = options({ dry: false });
const cores = availableParallelism();

/**
 * The post's, single-threaded, for 512 collections of 2^15 bits; the fourth is what it reckons four cores would take.
 */
const published = [
  ['i9-11980HK', 2.8],
  ['i7-8550U', 6.1],
  ['Raspberry Pi 4, without assembly', 36],
];
const publishedAdditions = 512 * 2 ** 15;

/** The participation of a slot in which little is amiss. */
const usual = 0.95;

/** One run's document, and the machine's load over it: runnable processes a core, ours included. */
function verify(threads) {
  const document = tutti(['horn', 'verify', '--threads', threads, ...rest], { quiet: false });
  return { ...document, load: loadavg()[0] / cores };
}

const percent = (share) => `${Number((100 * share).toFixed(1))} %`;

const participations = ({ sums }) => [...new Set(sums.map(({ participation }) => participation))];
const find = (rows, participation, method) =>
  rows.find((one) => one.participation === participation && one.method === method);

const methods = ['naive', 'batched', 'subtraction'];

/** Seconds of CPU and nanoseconds an addition, by participation and method. */
function sumsTable({ sums }) {
  const cell = (method) => (participation) => {
    const naive = find(sums, participation, 'naive');
    const { cpuSeconds, nsPerAddition } = find(sums, participation, method);
    const seconds = `${cpuSeconds.toFixed(2)} s`;
    if (nsPerAddition === null) return seconds;
    return `${seconds}, ${nsPerAddition.toFixed(0)} ns (${(naive.cpuSeconds / cpuSeconds).toFixed(1)} x)`;
  };
  return columns(participations({ sums }), [
    ['participation', percent],
    ...methods.map((method) => [method, cell(method)]),
  ]);
}

/** All that a full node does with the collections, by participation: sums by subtraction and pairings together. */
const whole = (document, participation, key) =>
  find(document.sums, participation, 'subtraction')[key] + find(document.pairings, participation, 'together')[key];

function wholeTable(one, all) {
  const shown = (document, key) => (participation) => whole(document, participation, key).toFixed(2);
  return columns(participations(one), [
    ['participation', percent],
    ['CPU s on one thread', shown(one, 'cpuSeconds')],
    ['s on one thread', shown(one, 'wallSeconds')],
    [`s on ${all.threads} threads`, shown(all, 'wallSeconds')],
    [`CPU s on ${all.threads}`, shown(all, 'cpuSeconds')],
  ]);
}

function clockTable(one, all) {
  const rows = [one, all].flatMap((document) => methods.map((method) => ({ document, method })));
  const threads = (count) => `${count} ${count === 1 ? 'thread' : 'threads'}`;
  return columns(rows, [
    ['s until the last thread is done', ({ document, method }) => `${method}, ${threads(document.threads)}`],
    ...participations(one).map((participation) => [
      percent(participation),
      ({ document, method }) => find(document.sums, participation, method).wallSeconds.toFixed(1),
    ]),
  ]);
}

const perSignature = ({ pairings }, method) =>
  median(pairings.filter((one) => one.method === method).map((one) => (1000 * one.cpuSeconds) / one.signatures));

/**
 * The post's full bitfields, the same here, and a usual slot's: its keys alone, and all that a full node does with it.
 */
function besideThePost(one) {
  const theirs = published.map(([machine, seconds]) => [
    `the post, ${machine}: keys, 100 %`,
    grouped(publishedAdditions),
    seconds.toFixed(1),
    ((seconds * 1e9) / publishedAdditions).toFixed(0),
  ]);
  const keys = (participation, method) => {
    const { additions, cpuSeconds, nsPerAddition } = find(one.sums, participation, method);
    const name = `here: keys, ${percent(participation)}, ${method}`;
    return [name, grouped(additions), cpuSeconds.toFixed(1), nsPerAddition.toFixed(0)];
  };
  const full = participations(one).at(-1);
  const ours = [keys(full, 'naive'), keys(full, 'batched')];
  if (participations(one).includes(usual)) {
    const { additions } = find(one.sums, usual, 'subtraction');
    const seconds = whole(one, usual, 'cpuSeconds').toFixed(1);
    ours.push(keys(usual, 'subtraction'));
    ours.push([`here: keys and signatures, ${percent(usual)}, subtraction`, grouped(additions), seconds, '-']);
  }
  return table(['one thread', 'additions', 's', 'ns an addition'], [...theirs, ...ours]);
}

function pageText(one, all) {
  const { collections, committee, committees, keys, keyBytes, opening, peakRssBytes } = one;
  return `# Verifying a slot's collections, measured

Measured by \`scripts/bench/horn.mjs\` (\`npm run bench -- horn\` writes this page); it bears on Horn, "Verification time for collections". What is measured, and what differs from the post: [horn-verification.md](../horn-verification.md).

${collections} collections of ${grouped(committee)} bits, ${committees} committees, ${grouped(keys)} distinct keys: ${(keyBytes / 1e6).toFixed(1)} MB in kernel memory, created and read in ${opening.cpuSeconds.toFixed(1)} s of CPU; the whole process had ${(peakRssBytes / 1e6).toFixed(0)} MB at most. Every signature of every row was verified by pairings, singly and together, and all were valid; ${one.corruptedRefused + all.corruptedRefused} collections with one vote too many or too few were refused; the sums of the three methods were compared and are equal.

${machine()}. Load at the end of each run, in processes a core, this benchmark's included: ${one.load.toFixed(1)} and ${all.load.toFixed(1)}. Where it is over 1, other programs ran too: CPU seconds are the process's own and still hold, but seconds on the clock do not.

## Sums of keys, one thread

CPU seconds for all collections, nanoseconds for one addition, and how many times faster than the naive sum in the same row.

${sumsTable(one)}

## Beside the post

${besideThePost(one)}

The post sums only keys, and all of them. Its 2.8 s are native, on the fastest laptop it names.

## On the clock

${clockTable(one, all)}

## Sums and signatures: all that a full node does

Sums by subtraction; signatures decoded, subgroup checked, and verified a committee's at a time.

${wholeTable(one, all)}

A signature takes ${perSignature(one, 'singly').toFixed(2)} ms of CPU by itself, ${perSignature(one, 'together').toFixed(2)} ms together with the others of its committee, in addition to the sum of its keys.
`;
}

writeRecord('bench-horn', pageText(verify('1'), verify('all')), !dry);
