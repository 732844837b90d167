import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { closing } from '../../test/compliance.ts';
import { HornNodes } from '../../test/hornNodes.ts';
import { MemorySignals, openOn } from '../../test/memorySignals.ts';
import { openTransport } from '../node.ts';
import type { Transport } from '../transport/transport.ts';

const [bls, signals] = [await loadBls(), new MemorySignals()];
const host = '127.0.0.1';

it.each<[name: string, open: () => Transport | Promise<Transport>]>([
  ['udp', () => openTransport({ kind: 'udp', host })],
  ['tcp', () => openTransport({ kind: 'tcp', host })],
  ['webrtc', () => openOn(signals)],
])('every block of a slot of Horn over %s has every vote', { timeout: 60_000 }, async (_, open) => {
  const transports = await Promise.all([0, 1, 2].map(open));
  const nodes = closing(new HornNodes({ bls, validators: 32, nodes: 3, committees: 1, subcommittees: 2, transports }));
  const reports = await nodes.run(() => nodes.isComplete);
  expect(reports.map(({ votesInReach }) => votesInReach)).toEqual([32, 32, 32]);
  expect(reports.map(({ refused }) => refused)).toEqual([{}, {}, {}]);
});
