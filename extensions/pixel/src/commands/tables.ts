import { counted } from '@tutti/node-cli/command';
import { createSimulation, defaultScenario } from '@tutti/simulation';
import { pixelSignatureBytes } from '../index.ts';

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
  return [bandwidthTable(), verificationTable(), blockTable(), sizesTable()];
}

function bandwidthTable(): PixelTable {
  const published = [
    { connections: 4, pixel: 2.5, ed25519: 4.4 },
    { connections: 10, pixel: 6.2, ed25519: 11 },
    { connections: 100, pixel: 61.8, ed25519: 109.9 },
  ];
  const bandwidth = (bytes: number, connections: number): number => (4500 * bytes * connections) / bytesPerMib;
  return {
    name: 'table-2',
    title: 'Bandwidth for 4500 signatures',
    rows: published.flatMap(({ connections, pixel, ed25519 }) => [
      row(`Pixel, ${connections} connections`, 'MiB', pixel, bandwidth(pixelBytes, connections)),
      row(`BM-Ed25519, ${connections} connections`, 'MiB', ed25519, bandwidth(bmEd25519Bytes, connections)),
    ]),
  };
}

function verificationTable(): PixelTable {
  const published = [
    { signatures: 1, ed25519: 0.18, pixel: 4.9, gain: 27 },
    { signatures: 1500, ed25519: 270, pixel: 6.7, gain: 40 },
    { signatures: 3000, ed25519: 540, pixel: 8.3, gain: 65 },
    { signatures: 10_000, ed25519: 1800, pixel: 15.6, gain: 115 },
  ];
  const onLine = (signatures: number): number => 4.9 + ((signatures - 1) * (15.6 - 4.9)) / 9999;
  return {
    name: 'table-3',
    title: 'Verifying sets of signatures',
    rows: published.flatMap(({ signatures, ed25519, pixel, gain }) => [
      row(`BM-Ed25519, ${signatures}`, 'ms', ed25519, signatures * 0.18, 0.005),
      row(`Pixel, ${signatures}, on the line from 1 to 10000`, 'ms', pixel, onLine(signatures)),
      row(`gain, ${signatures}`, 'times', gain, signatures === 1 ? pixel / ed25519 : ed25519 / pixel, 0.5),
    ]),
  };
}

function blockTable(): PixelTable {
  // The proofs take 330 ms in each case.
  const block = (votesMs: number, transactionsMs: number): number => votesMs + 330 + transactionsMs;
  return {
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
  };
}

function sizesTable(): PixelTable {
  const votesBytes = 1500 * bmEd25519Bytes;
  const savedBytes = votesBytes - pixelBytes;
  return {
    name: 'sizes',
    title: 'A set of 1500 signatures, and a block with 1500 transactions',
    rows: [
      row('1500 BM-Ed25519 signatures by one of Pixel', 'times', 2667, votesBytes / pixelBytes, 0.5),
      row('saved of the votes', 'bytes', null, savedBytes),
      row(
        "a transaction's size that 35 % saved would follow from: the excerpt gives none",
        'bytes',
        null,
        (savedBytes / 0.35 - votesBytes) / 1500,
      ),
    ],
  };
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
