import { writeFileSync } from 'node:fs';
import { loadBls } from '@tutti/wasm-bls';
import { afterAll, expect, it, vi } from 'vitest';
import { wrapMarkdown } from '../scripts/markdown.mjs';
import { isWhole } from './sampled.ts';
import type { Siege } from './siege/besieged.ts';
import { besiegeCertifiers } from './siege/certifiers.ts';
import { besiegeCluster } from './siege/cluster.ts';
import { besiegeGroup } from './siege/group.ts';
import { besiegeRoom } from './siege/liveRoom.ts';
import { besiegeProcesses } from './siege/processes.ts';
import { siegePage } from './siege/report.ts';
import { besiegeServers } from './siege/servers.ts';
import { temporaryFolder } from './tutti.ts';

/** Duration of each siege, s. In the suite it is 0, and each siege continues until it has seen every refusal. */
const given = process.env.TUTTI_SIEGE_SECONDS;
const seconds = Number(given ?? 0);
vi.setConfig({ testTimeout: 2000 * seconds + 400_000, hookTimeout: 60_000 });

/** Maximum memory growth, MB, including what the next collections would release. */
const flatMb = 24;
const longRunResidentMb = 64;
/** Minimum age of a process, s. The heap of a younger process still grows. */
const grownUpSeconds = 30;

const folder = temporaryFolder();
const bls = await loadBls();
const sieges: Siege[] = [];
afterAll(() => {
  const out = process.env.TUTTI_SIEGE_OUT;
  if (out !== undefined) writeFileSync(out, wrapMarkdown(siegePage(sieges, seconds)));
});

function stands(siege: Siege, flatMb: number): void {
  sieges.push(siege);
  expect(siege.lost, 'rounds lost').toEqual([]);
  expect(siege.descriptorsLeft, 'descriptors left').toBe(0);
  expect(siege.grownMb, 'MB grown').toBeLessThan(flatMb);
  for (const code of siege.expected) expect(siege.refused[code] ?? 0, code).toBeGreaterThan(0);
}

const flatResidentMb = seconds < grownUpSeconds ? Number.POSITIVE_INFINITY : longRunResidentMb;

/** The soak test uses separate processes, and runs concurrently with the other sieges. */
const soaking = seconds > 0 ? besiegeCertifiers(seconds) : undefined;
// The error is reported where the result of the soak test is awaited.
soaking?.catch(() => {});

/** Targets of concurrent sieges, each with its maximum memory growth. */
const targets: [name: string, besiege: () => Promise<Siege>[], maxMb: number][] = [
  ['a group over UDP', () => [besiegeGroup('udp', seconds)], flatMb],
  ['a group over TCP', () => [besiegeGroup('tcp', seconds)], flatMb],
  ['a live room and its signalling server', () => [besiegeRoom(bls, seconds)], flatMb],
  [
    'processes of tutti cluster and of tutti node, at once',
    () => [besiegeCluster(bls, folder, seconds), besiegeProcesses(bls, folder, seconds)],
    flatResidentMb,
  ],
  ['servers of HTTP', () => [besiegeServers(bls, folder, seconds)], flatResidentMb],
  ['members that certify heights', () => [soaking ?? besiegeCertifiers(seconds)], flatMb],
];

it.each(given !== undefined || isWhole ? targets : targets.slice(2, 3))('%s', async (_, besiege, maxMb) => {
  for (const siege of await Promise.all(besiege())) stands(siege, maxMb);
});
