/**
 * How a pool of verifying workers is handed claims: in messages, which the browser copies, or in shared memory. It runs
 * in Node and in an isolated page.
 */
import { loadBls } from '../dist/load.js';
import { median } from './sampling.mjs';

/**
 * Memory that a pool shares with a worker, as words: whose turn it is, how many claims there are, and for each its first
 * signer and the lengths of its bits and its signature. Then come the bytes; verdicts take their place.
 */
export const poolsTurn = 0;
const workersTurn = 1;
const memoryBytes = 1 << 16;
const mostClaims = 64;
const headBytes = 4 * (2 + 3 * mostClaims);

export const sharedViews = (memory) => ({ words: new Int32Array(memory), bytes: new Uint8Array(memory, headBytes) });

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
export function readClaims({ words, bytes }) {
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
export function turnTo({ words }, turn) {
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

const worker = async () => {
  const address = new URL('./handoverWorker.mjs', import.meta.url);
  if (globalThis.process === undefined) return new Worker(address, { type: 'module' });
  return new (await import('node:worker_threads')).Worker(address);
};

/** A worker's next message. */
const answerOf = (one) =>
  new Promise((resolve) => {
    if (one.once === undefined) one.onmessage = ({ data }) => resolve(data);
    else one.once('message', resolve);
  });

/** A worker that has opened the round, and how it is asked for the verdicts on claims. */
async function opened(way, round, isBare) {
  const one = await worker();
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
