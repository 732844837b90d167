/**
 * Claims handed to a pool of verifying workers in shared memory instead of messages, in Node and in Chromium.
 *
 *     npm run bench -- pool [--rounds 40] [--dry]
 *
 * Prints the table, and writes docs/records/bench-pool.md unless --dry. CHROMIUM_PATH is the browser, /usr/bin/chromium
 * if it is not set. Node and an isolated page import this file for the pool, and the pool's workers for theirs.
 */
import { loadBls } from '../dist/load.js';
import { inThreadVerifier } from '../dist/verifier.js';
import { median, shownMs } from './sampling.mjs';

const threads = globalThis.process && (await import('node:worker_threads'));
const isWorker = threads === undefined ? globalThis.document === undefined : !threads.isMainThread;

/**
 * Memory that a pool shares with a worker, as words: whose turn it is, how many claims there are, and for each its first
 * signer and the lengths of its bits and its signature. Then come the bytes; verdicts take their place.
 */
const poolsTurn = 0;
const workersTurn = 1;
const memoryBytes = 1 << 16;
const mostClaims = 64;
const headBytes = 4 * (2 + 3 * mostClaims);

const sharedViews = (memory) => ({ words: new Int32Array(memory), bytes: new Uint8Array(memory, headBytes) });

function writeClaims({ words, bytes }, claims) {
  let at = 0;
  words[1] = claims.length;
  for (const [i, { first, bits, signature }] of claims.entries()) {
    words.set([first, bits.length, signature.length], 2 + 3 * i);
    bytes.set(bits, at);
    bytes.set(signature, at + bits.length);
    at += bits.length + signature.length;
  }
}

/** The claims where they lie: the kernel copies them into its own memory. */
function readClaims({ words, bytes }) {
  let at = 0;
  const next = (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return Array.from({ length: words[1] }, (_, i) => ({
    first: words[2 + 3 * i],
    bits: next(words[3 + 3 * i]),
    signature: next(words[4 + 3 * i]),
  }));
}

/** Hands the turn over. */
function turnTo({ words }, turn) {
  Atomics.store(words, 0, turn);
  Atomics.notify(words, 0);
}

const registrySize = 128;
/** Claims in a batch. */
const sizes = [1, 8, 64];
const workers = 2;
/** Batches that the pool is given at once, and waits for. */
const batches = 8;
/** The second is as the first: what it differs by is the machine's. */
const ways = ['messages', 'again', 'shared'];

const worker = () =>
  threads === undefined
    ? new Worker(import.meta.url, { type: 'module' })
    : new threads.Worker(new URL(import.meta.url));

/** A worker's next message. */
const answerOf = (one) =>
  new Promise((resolve) => {
    if (one.once === undefined) one.onmessage = ({ data }) => resolve(data);
    else one.once('message', resolve);
  });

/** A worker that has opened the round, and how it is asked for the verdicts on claims. */
async function opened(way, round, isBare) {
  const one = worker();
  const memory = way === 'shared' ? new SharedArrayBuffer(memoryBytes) : undefined;
  const ready = answerOf(one);
  one.postMessage({ round: { ...round, isBare, memory } });
  await ready;
  const end = () => one.terminate();
  if (memory === undefined)
    return {
      end,
      ask: (claims) => {
        const answer = answerOf(one);
        one.postMessage({ claims });
        return answer;
      },
    };
  const views = sharedViews(memory);
  const ask = async (claims) => {
    writeClaims(views, claims);
    turnTo(views, workersTurn);
    await Atomics.waitAsync(views.words, 0, workersTurn).value;
    return Array.from(views.bytes.subarray(0, claims.length), (verdict) => verdict === 1);
  };
  return { end, ask };
}

/** Milliseconds a batch: each worker takes the next as it is done with one. */
async function sample(pool, claims) {
  let left = batches;
  const started = performance.now();
  await Promise.all(
    pool.map(async ({ ask }) => {
      while (left-- > 0) if (!(await ask(claims)).every(Boolean)) throw new Error('a right claim was refused');
    }),
  );
  return (performance.now() - started) / batches;
}

/**
 * Rows: what is done, the claims in a batch, medians of the milliseconds of each way, and of the rounds' own ratios:
 * of shared memory to messages, and of messages to messages.
 */
export async function handedOver(rounds) {
  const bls = await loadBls();
  const message = new Uint8Array(32).fill(7);
  const secrets = Array.from({ length: registrySize }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i + 1)));
  const round = { publicKeys: secrets.map((secret) => bls.publicKey(secret)), message };
  const signature = bls.aggregateSignatures(secrets.map((secret) => bls.sign(secret, message)));
  const claim = { first: 0, bits: new Uint8Array(registrySize / 8).fill(0xff), signature };
  const rows = [];
  for (const isBare of [false, true]) {
    const pools = {};
    for (const way of ways)
      pools[way] = await Promise.all(Array.from({ length: workers }, () => opened(way, round, isBare)));
    for (const size of sizes) {
      const claims = Array.from({ length: size }, () => claim);
      const ms = Object.fromEntries(ways.map((way) => [way, []]));
      for (const way of ways) await sample(pools[way], claims);
      for (let i = 0; i < rounds; i++)
        for (const way of ways.map((_, at) => ways[(at + i) % ways.length]))
          ms[way].push(await sample(pools[way], claims));
      const ratioOf = (way) => median(ms[way].map((own, i) => own / ms.messages[i]));
      rows.push({
        ...{ isBare, size, messages: median(ms.messages), shared: median(ms.shared) },
        ...{ ratio: ratioOf('shared'), control: ratioOf('again') },
      });
    }
    for (const { end } of Object.values(pools).flat()) await end();
  }
  return rows;
}

/** A worker's own part: it opens a round, and is handed claims about it. */
function work() {
  const port = threads?.parentPort ?? globalThis;
  let verdictsOn;

  async function serve(views) {
    for (;;) {
      Atomics.wait(views.words, 0, poolsTurn);
      const verdicts = await verdictsOn(readClaims(views));
      views.bytes.set(verdicts.map(Number));
      turnTo(views, poolsTurn);
    }
  }

  async function open({ publicKeys, message, isBare, memory }) {
    const verifier = inThreadVerifier((await loadBls()).round(publicKeys, message));
    verdictsOn = isBare
      ? async (claims) => claims.map(({ signature }) => signature.length > 0)
      : (claims) => verifier.verifyBatch(claims);
    port.postMessage([]);
    if (memory !== undefined) await serve(sharedViews(memory));
  }

  const hear = async ({ round, claims }) => {
    if (round === undefined) port.postMessage(await verdictsOn(claims));
    else await open(round);
  };
  if (port === globalThis) globalThis.onmessage = ({ data }) => hear(data);
  else port.on('message', hear);
}

async function compare() {
  const { machine, options, table, writeRecord } = await import('../../../scripts/bench/frame.mjs');
  const { packageRoot, withPages } = await import('./pages.mjs');
  const { rounds, dry } = options({ rounds: 40, dry: false });
  const node = await handedOver(rounds);
  const { rows: chromium, version } = await withPages({}, async (open, version) => {
    const page = await open();
    const rows = await page.evaluate(
      async ([module, rounds]) => (await import(module)).handedOver(rounds),
      [`${packageRoot}/bench/pool.mjs`, rounds],
    );
    return { rows, version };
  });
  const text = table(
    ['ms a batch, in messages → in shared memory (ratio)', `Node ${process.versions.node}`, `Chromium ${version}`],
    node.map((_, i) => [
      `${node[i].isBare ? 'handed over, not verified' : 'verified'}: ${node[i].size === 1 ? 'a claim' : `${node[i].size} claims`}`,
      ...[node[i], chromium[i]].map(
        ({ messages, shared, ratio, control }) =>
          `${shownMs(messages)} → ${shownMs(shared)} (x ${ratio.toFixed(2)}, control x ${control.toFixed(2)})`,
      ),
    ]),
  );
  writeRecord(
    'bench-pool',
    `# A verifying pool with shared memory

Measured by \`npm run bench -- pool\`, which writes this page. Source: [\`pool.mjs\`](../../packages/wasm-bls/bench/pool.mjs).

A worker that verifies is handed claims (a signature, and whose it claims to be) in a message, which is copied. Where a page is isolated, they may lie in memory that both share instead: the worker waits for a word to change, and writes its verdicts beside it. Tried with two workers, eight batches, and a round of 128 signers; ${rounds} rounds, each of both ways in turn. A cell is the median of the rounds, a ratio the median of the rounds' own, so that what else the machine does bears on both; the control is a second pool that takes messages, and what it differs by from the first is the machine's.

${machine()}.

${text}

**Not done.** To hand a batch over takes hundredths of a millisecond in either way, where one claim alone takes two milliseconds: shared memory can save no more of it than a hundredth or two, of 8 claims a few thousandths, and of 64 nothing, since writing them word by word takes as long as the engine's copy. What verified batches differ by beyond that is of the control's size: one claim in Chromium, tried again twice in 150 rounds, came to 0.96 and 0.95 of the time in messages, and the control to 0.96 and 0.98. The bytes are copied in any case: a kernel has memory of its own, which is not shared. So the page's workers and the command's threads are handed messages, which need no isolated page. [Why there is no pool of threads](../batch-verification.md#why-there-is-no-pool-of-threads).
`,
    !dry,
  );
}

if (isWorker) work();
else if (threads !== undefined && process.argv[1] === import.meta.filename) await compare();
