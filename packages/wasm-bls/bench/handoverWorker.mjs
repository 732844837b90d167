/**
 * A verifying worker of a pool, in a page or in Node: it opens a round, and is handed claims about it, in messages or in
 * memory that it shares with its pool.
 */
import { loadBls } from '../dist/load.js';
import { inThreadVerifier } from '../dist/verifier.js';
import { poolsTurn, readClaims, sharedViews, turnTo } from './handover.mjs';

const port = globalThis.process === undefined ? globalThis : (await import('node:worker_threads')).parentPort;
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
