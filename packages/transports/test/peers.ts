import { defaultHandelConfig } from '@tutti/core';
import { type Bls, insecureSecretKey, insecureSeed, inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { nodeCrypto } from '../src/crypto/node.ts';
import { Group } from '../src/rounds/group.ts';
import { Peer } from '../src/rounds/peer.ts';
import { type RoundPlan, roundMessage } from '../src/rounds/plan.ts';
import type { RoundReport } from '../src/rounds/roundSession.ts';
import { roundSeed } from '../src/rounds/seed.ts';
import { batched, type OpenVerifier } from '../src/rounds/verifier.ts';
import { clockFromNow } from '../src/runtime/clock.ts';
import { MemoryNetwork } from '../src/transport/memory.ts';
import type { Transport } from '../src/transport/transport.ts';
import { rethrow, until } from './compliance.ts';
import { entryOf } from './entryOf.ts';

const bls: Bls = await loadBls();

export interface PeersOptions {
  /** Threshold, as a number of signers. Default: all members. */
  readonly threshold?: number;
  /** Maximum number of open rounds. Default: the default of the peers. */
  readonly maxOpen?: number;
  /** Transports of the peers. Default: those of a memory network. */
  readonly transports?: readonly Transport[];
  /** Whether all peers belong to one process and share the public data of rounds. Default: each peer is separate. */
  readonly together?: boolean;
}

export function peers(size: number, options: PeersOptions = {}) {
  const { threshold = size, maxOpen, together = false } = options;
  const network = new MemoryNetwork();
  const transports = options.transports ?? Array.from({ length: size }, () => network.open());
  const entries = transports.map(({ local }, index) => entryOf(bls, index, local));
  /** Opened and closed verifiers, with weak references that show which of their rounds are in memory. */
  const verifiers = { opened: 0, closed: 0, held: new Set<WeakRef<object>>() };
  const openVerifier: OpenVerifier = (publicKeys, message) => {
    verifiers.opened++;
    const verifier = inThreadVerifier(bls.round(publicKeys, message));
    const shared = batched({
      verifyBatch: (claims) => verifier.verifyBatch(claims),
      close: () => {
        verifiers.closed++;
        return verifier.close();
      },
    });
    verifiers.held.add(new WeakRef(shared));
    return shared;
  };
  const makeGroup = () => new Group({ crypto: nodeCrypto, kernel: bls, entries, openVerifier });
  const shared = makeGroup();
  const groups = entries.map(() => (together ? shared : makeGroup()));
  const planOf = (number: number, fields: Partial<RoundPlan> = {}): RoundPlan => ({
    number,
    message: roundMessage('test', number),
    seed: roundSeed(nodeCrypto, groups[0]!.digest, number),
    ...fields,
  });

  const outputs = new Events();
  const closed = new Events();
  const all = transports.map(
    (transport, index) =>
      new Peer({
        group: groups[index]!,
        index,
        networkSecret: insecureSeed('network', 1, index),
        sign: (message) => bls.sign(insecureSecretKey(bls, 1, index), message),
        transport,
        clock: clockFromNow(),
        config: { ...defaultHandelConfig, threshold, levelStartMs: 5 },
        ...(maxOpen !== undefined && { maxOpen }),
        onOutput: (report) => outputs.received.push({ index, report }),
        onClosed: (report) => closed.received.push({ index, report }),
        onFailure: rethrow,
      }),
  );
  const verifies = ({ message, output }: RoundReport) =>
    bls.fastAggregateVerify(
      entries.filter((_, b) => ((output!.bits[b >> 3]! >> (b & 7)) & 1) === 1).map(({ publicKey }) => publicKey),
      message,
      output!.signature,
    );
  /** Opens and starts a round at some peers, and resolves when all of these peers have an output. */
  const runRound = async (plan: RoundPlan, who: readonly number[] = [...all.keys()]): Promise<RoundReport[]> => {
    const reached = who.map((index) => outputs.next(index, plan.number));
    for (const index of who) all[index]!.open(plan);
    for (const index of who) all[index]!.start(plan.number);
    return Promise.all(reached);
  };
  return { peers: all, groups, transports, network, verifiers, outputs, closed, planOf, runRound, verifies };
}

class Events {
  readonly received: { readonly index: number; readonly report: RoundReport }[] = [];

  async next(index: number, round: number): Promise<RoundReport> {
    const from = this.received.length;
    const found = () => this.received.slice(from).find((one) => one.index === index && one.report.round === round);
    await until(() => found() !== undefined);
    return found()!.report;
  }
}
