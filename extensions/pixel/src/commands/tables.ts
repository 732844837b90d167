import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { counted } from '@tutti/node-cli/command';
import { createSimulation, defaultScenario } from '@tutti/simulation';
import { insecureSecretKey, insecureSeed, loadBls, loadCommittees } from '@tutti/wasm-bls';
import { loadPixel, type Pixel, pixelSignatureBytes } from '../index.ts';

/** A published number, and the number that this program computes from the published inputs. */
interface PixelRow {
  readonly item: string;
  readonly unit: string;
  /** Number in the paper; null if the paper has none. */
  readonly paper: number | null;
  readonly computed: number;
  /** Whether the two numbers agree within the paper's rounding; null if the paper has no number. */
  readonly follows: boolean | null;
}

/** A table of the paper, or one computed for comparison. */
export interface PixelTable {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly PixelRow[];
}

/** Length of the paper's Pixel signatures, bytes. This project's signatures also contain the suite and the time. */
const pixelBytes = 144;
const bmEd25519Bytes = 256;
const bytesPerMib = 2 ** 20;

/** Creates a row. @param tolerance maximum difference that counts as a rounding difference from the paper. */
function row(item: string, unit: string, paper: number | null, computed: number, tolerance = 0.05): PixelRow {
  return { item, unit, paper, computed, follows: paper === null ? null : Math.abs(computed - paper) <= tolerance };
}

/** Returns tables 2 and 3, figure 4 and the conclusion's numbers, from their inputs (Pixel, sections 7.3 and 8). */
export function publishedTables(): PixelTable[] {
  const bandwidth = (bytes: number, connections: number): number => (4500 * bytes * connections) / bytesPerMib;
  const paperPixel: Readonly<Record<number, number>> = { 4: 2.5, 10: 6.2, 100: 61.8 };
  const paperEd: Readonly<Record<number, number>> = { 4: 4.4, 10: 11, 100: 109.9 };
  const verification = [
    [1, 0.18, 4.9],
    [1500, 270, 6.7],
    [3000, 540, 8.3],
    [10_000, 1800, 15.6],
  ] as const;
  const gains = [27, 40, 65, 115];
  const block = (votes: number, transactions: number): number => votes + 330 + transactions;
  return [
    {
      name: 'table-2',
      title: 'Bandwidth for 4500 signatures',
      rows: [4, 10, 100].flatMap((connections) => [
        row(`Pixel, ${connections} connections`, 'MiB', paperPixel[connections]!, bandwidth(pixelBytes, connections)),
        row(
          `BM-Ed25519, ${connections} connections`,
          'MiB',
          paperEd[connections]!,
          bandwidth(bmEd25519Bytes, connections),
        ),
      ]),
    },
    {
      name: 'table-3',
      title: 'Verifying sets of signatures',
      rows: verification.flatMap(([n, ed, pixel], i) => [
        row(`BM-Ed25519, ${n}`, 'ms', ed, n * 0.18, 0.005),
        row(`Pixel, ${n}, on the line from 1 to 10000`, 'ms', pixel, 4.9 + ((n - 1) * (15.6 - 4.9)) / 9999),
        row(`gain, ${n}`, 'times', gains[i]!, i === 0 ? pixel / ed : ed / pixel, 0.5),
      ]),
    },
    {
      name: 'figure-4',
      title: 'Verifying a block with 1500 votes: votes, their VRF proofs, transactions',
      rows: [
        row('BM-Ed25519, 1500 transactions', 'ms', 690, block(270, 90)),
        row('Pixel, 1500 transactions', 'ms', 426.7, block(6.7, 90)),
        row('saved, 1500 transactions', '%', 38, 100 * (1 - block(6.7, 90) / block(270, 90)), 0.5),
        row('BM-Ed25519, 5000 transactions', 'ms', 900, block(270, 300)),
        row('Pixel, 5000 transactions', 'ms', 636.7, block(6.7, 300)),
        row('saved, 5000 transactions', '%', 29, 100 * (1 - block(6.7, 300) / block(270, 300)), 0.5),
      ],
    },
    {
      name: 'sizes',
      title: 'A set of 1500 signatures, and a block with 1500 transactions',
      rows: [
        row('1500 BM-Ed25519 signatures by one of Pixel', 'times', 2667, (1500 * bmEd25519Bytes) / pixelBytes, 0.5),
        row('saved of the votes', 'bytes', null, 1500 * bmEd25519Bytes - pixelBytes),
        row(
          "a transaction's size that 35 % saved would follow from: the excerpt gives none",
          'bytes',
          null,
          ((1500 * bmEd25519Bytes - pixelBytes) / 0.35 - 1500 * bmEd25519Bytes) / 1500,
        ),
      ],
    },
  ];
}

/**
 * Returns a table of the bytes that a node sends: in Handel with Pixel, and when the node forwards 4,500 votes on 4
 * connections.
 */
export function handelTable(): PixelTable {
  const nodes = 4500;
  const simulation = createSimulation({ ...defaultScenario, nodes, seed: 1 }, {});
  while (simulation.advance(1 << 20));
  const { bytesSent, messagesSent, reached, live } = simulation.result();
  // The simulation counts signatures of 96 bytes, and a message contains at most two.
  const atMost = bytesSent.mean + 2 * messagesSent.mean * (pixelSignatureBytes - 96);
  const forwarded = nodes * pixelBytes * 4;
  return {
    name: 'handel',
    title: `${counted(nodes, 'vote')}: aggregated by Handel (${reached} of ${live} at the threshold), or forwarded`,
    rows: [
      row('sent by a node of Handel with Pixel, at most', 'bytes', null, Math.round(atMost)),
      row('forwarded by a node on 4 connections', 'bytes', null, forwarded),
      row('forwarding by Handel', 'times', null, forwarded / atMost),
    ],
  };
}

/**
 * A row of table 3, measured on this machine: the minimum CPU time of several interleaved turns, so that ratios are
 * reliable on a busy machine.
 */
interface MeasuredRow {
  readonly signatures: number;
  /** Time to add decoded keys, plus one verification with three pairings, ms. */
  readonly pixelWasm: number;
  /** Ratio of `pixelWasm` to the value of `pixelWasm` for one signature. */
  readonly byOne: number;
  /** Time to verify one Ed25519 signature per vote with Node's library (OpenSSL), ms. */
  readonly ed25519: number;
  /** Ratio of `ed25519` to `pixelWasm`. */
  readonly ed25519ByPixel: number;
}

const warmUpTurns = 2;
/** Number of turns of {@link measured}. The first two are a warm-up, and the other 15 are measured. */
export const turns = warmUpTurns + 15;

/** Times measured on this machine. */
export interface MeasuredDocument {
  readonly rows: readonly MeasuredRow[];
  /** Time per verification, ms. */
  readonly verifyMs: {
    readonly blsWasm: number;
    readonly pixelWasm: number;
    /** Verification time with a stored e(pk, h), ms. */
    readonly pixelWasmKept: number;
    readonly pixelNoble: number;
  };
  /** Ratio of Pixel's time per verification to BLS's time, both on the kernel. */
  readonly pixelByBls: number;
  /** Mean time per update over the 63 updates from period 1 to 64, ms. */
  readonly updateMs: number;
  /** Ratio of `updateMs` to the time per verification on the kernel. */
  readonly updateByVerify: number;
}

/** Measures the times. @param onTurn called after each of the {@link turns}. */
export async function measured(onTurn: () => void): Promise<MeasuredDocument> {
  const [bls, wasm, noble, sums] = [
    await loadBls(),
    await loadPixel(),
    await loadPixel({ engine: 'noble' }),
    await loadCommittees(),
  ];
  const message = new TextEncoder().encode('a block');
  const pair = wasm.keyGen(insecureSeed('signing', 1, 1));
  const signature = wasm.sign(pair.secretKey, message);
  const blsKey = insecureSecretKey(bls, 1, 1);
  const [blsPublic, blsSignature] = [bls.publicKey(blsKey), bls.sign(blsKey, message)];
  const kept = wasm.committee([pair.publicKey]);
  const { privateKey } = generateKeyPairSync('ed25519');
  const edPublic = createPublicKey(privateKey);
  const edSignature = sign(null, message, privateKey);
  const sizes = [1, 1500, 3000, 10_000];
  const committees = sizes.map((count) => {
    const committee = sums.committee(sums.insecureConsecutiveKeys(blsKey, count));
    const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
    if (count % 8 !== 0) bits[bits.length - 1] = 0xff >> (8 - (count % 8));
    return { committee, bits };
  });
  const works: Record<string, () => unknown> = {
    bls: () => bls.verify(blsPublic, message, blsSignature),
    pixel: () => wasm.verify(pair.publicKey, 1, message, signature),
    kept: () => kept.verify(1, message, signature),
    ed25519: () => verify(null, message, edPublic, edSignature),
    ...Object.fromEntries(
      committees.map(({ committee, bits }, i) => [
        `set ${sizes[i]}`,
        () => [committee.sum(bits, 'batched'), wasm.verify(pair.publicKey, 1, message, signature)],
      ]),
    ),
  };
  const times: Record<string, number[]> = {};
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, work] of Object.entries(works)) {
      const ms = timed(work);
      if (turn >= warmUpTurns) times[name] = [...(times[name] ?? []), ms];
    }
    onTurn();
  }
  const updateMs = meanUpdateMs(wasm, pair.secretKey);
  const of = (name: string): number => Math.min(...times[name]!);
  const one = of('set 1');
  for (const { committee } of committees) committee.free();
  kept.free();
  return {
    rows: sizes.map((signatures) => {
      const pixelWasm = of(`set ${signatures}`);
      const ed25519 = signatures * of('ed25519');
      return { signatures, pixelWasm, byOne: pixelWasm / one, ed25519, ed25519ByPixel: ed25519 / pixelWasm };
    }),
    verifyMs: {
      blsWasm: of('bls'),
      pixelWasm: of('pixel'),
      pixelWasmKept: of('kept'),
      pixelNoble: minTime(5, () => noble.verify(pair.publicKey, 1, message, signature)),
    },
    pixelByBls: of('pixel') / of('bls'),
    updateMs,
    updateByVerify: updateMs / of('pixel'),
  };
}

/** Returns the mean of the minimum times for the 63 updates from period 1 to period 64, ms. */
function meanUpdateMs(pixel: Pixel, first: Uint8Array): number {
  const entropy = new Uint8Array(32);
  const keys = [first];
  for (let time = 2; time <= 64; time++) keys.push(pixel.update(Uint8Array.from(keys.at(-1)!), time, entropy));
  const timesMs = keys.slice(0, -1).map((key, i) => {
    // Each update needs its own copy of the key, because an update overwrites its input.
    const copies = Array.from({ length: 3 }, () => Uint8Array.from(key));
    return minTime(copies.length, () => pixel.update(copies.pop()!, i + 2, entropy));
  });
  return timesMs.reduce((sum, ms) => sum + ms, 0) / timesMs.length;
}

/** Returns the minimum CPU time of several calls, ms. */
function minTime(calls: number, work: () => unknown): number {
  return Math.min(...Array.from({ length: calls }, () => timed(work)));
}

/** Returns CPU time, ms. CPU time depends less on other processes than elapsed time does. */
function timed(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
