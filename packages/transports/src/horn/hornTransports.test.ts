import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { HornNodes } from '../../test/hornNodes.ts';
import { MemorySignals } from '../../test/memorySignals.ts';
import { loadNodeRtc, openTransport } from '../node.ts';
import type { Transport } from '../transport/transport.ts';
import { openWebRtc } from '../webrtc/webrtc.ts';

const [bls, rtc, signals] = [await loadBls(), await loadNodeRtc(), new MemorySignals()];
const host = '127.0.0.1';

it.each<[name: string, open: (node: number) => Transport | Promise<Transport>]>([
  ['udp', () => openTransport({ kind: 'udp', host })],
  ['tcp', () => openTransport({ kind: 'tcp', host })],
  ['webrtc', (node) => openWebRtc({ rtc, name: `node-${node}`, signals: signals.join(`node-${node}`) })],
])('every block of a slot of Horn over %s has every vote', { timeout: 60_000 }, async (_, open) => {
  const transports = await Promise.all([0, 1, 2].map(open));
  const nodes = new HornNodes({ bls, validators: 32, nodes: 3, committees: 1, subcommittees: 2, transports });
  const reports = await nodes.run(() => nodes.isComplete);
  expect(reports.map(({ votesInReach }) => votesInReach)).toEqual([32, 32, 32]);
  expect(reports.map(({ refused }) => refused)).toEqual([{}, {}, {}]);
  await nodes.close();
});
