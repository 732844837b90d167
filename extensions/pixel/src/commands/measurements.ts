import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { insecureSecretKey, insecureSeed, loadBls, loadCommittees } from '@tutti/wasm-bls';
import { loadPixel, type Pixel } from '../index.ts';

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

/** Numbers of signatures in the rows of table 3. */
const setSizes = [1, 1500, 3000, 10_000];

/** Measures the times. @param onTurn called after each of the {@link turns}. */
export async function measured(onTurn: () => void): Promise<MeasuredDocument> {
  const [bls, wasm, noble, sums] = [
    await loadBls(),
    await loadPixel(),
    await loadPixel({ engine: 'noble' }),
    await loadCommittees(),
  ];
  const message = new TextEncoder().encode('a block');
  const { publicKey, secretKey } = wasm.keyGen(insecureSeed('signing', 1, 1));
  const signature = wasm.sign(secretKey, message);
  const blsKey = insecureSecretKey(bls, 1, 1);
  const [blsPublic, blsSignature] = [bls.publicKey(blsKey), bls.sign(blsKey, message)];
  const kept = wasm.committee([publicKey]);
  const committees = setSizes.map((count) => sums.committee(sums.insecureConsecutiveKeys(blsKey, count)));
  const verifyPixel = () => wasm.verify(publicKey, 1, message, signature);
  const verifySets = committees.map((committee, i) => {
    const bits = allBits(setSizes[i]!);
    return () => [committee.sum(bits, 'batched'), verifyPixel()];
  });

  const [blsWasm, pixelWasm, pixelWasmKept, ed25519, ...sets] = minTimes(
    [
      () => bls.verify(blsPublic, message, blsSignature),
      verifyPixel,
      () => kept.verify(1, message, signature),
      ed25519Verification(message),
      ...verifySets,
    ],
    onTurn,
  );
  for (const committee of committees) committee.free();
  kept.free();
  const updateMs = meanUpdateMs(wasm, secretKey);
  const pixelNoble = minTime(5, () => noble.verify(publicKey, 1, message, signature));
  return {
    rows: sets.map((ms, i) => measuredRow(setSizes[i]!, ms, sets[0]!, ed25519)),
    verifyMs: { blsWasm, pixelWasm, pixelWasmKept, pixelNoble },
    pixelByBls: pixelWasm / blsWasm,
    updateMs,
    updateByVerify: updateMs / pixelWasm,
  };
}

/** Returns a row of table 3. @param ed25519Ms time per Ed25519 verification, ms. */
function measuredRow(signatures: number, pixelWasm: number, oneMs: number, ed25519Ms: number): MeasuredRow {
  const ed25519 = signatures * ed25519Ms;
  return { signatures, pixelWasm, byOne: pixelWasm / oneMs, ed25519, ed25519ByPixel: ed25519 / pixelWasm };
}

/** Returns a bitfield with this number of set bits, padded with zeros to whole bytes. */
function allBits(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  if (count % 8 !== 0) bits[bits.length - 1] = 0xff >> (8 - (count % 8));
  return bits;
}

/** Returns a verification of one Ed25519 signature of a message. */
function ed25519Verification(message: Uint8Array): () => boolean {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, message, privateKey);
  return () => verify(null, message, publicKey, signature);
}

/** Calls all functions once per turn, and returns the minimum CPU time of each after the warm-up, ms. */
function minTimes<Works extends readonly (() => unknown)[]>(
  works: readonly [...Works],
  onTurn: () => void,
): { [Place in keyof Works]: number } {
  const times = works.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++) {
    for (const [place, work] of works.entries()) {
      const ms = timed(work);
      if (turn >= warmUpTurns) times[place] = Math.min(times[place]!, ms);
    }
    onTurn();
  }
  return times as { [Place in keyof Works]: number };
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
