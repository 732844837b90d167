import { writeFileSync } from 'node:fs';
import { loadBls } from '@tutti/wasm-bls';
import { afterAll, expect, it, vi } from 'vitest';
import type { Siege } from './siege/besieged.ts';
import { besiegeGroup } from './siege/group.ts';
import { besiegeRoom } from './siege/liveRoom.ts';
import { besiegeProcesses } from './siege/processes.ts';
import { siegePage } from './siege/report.ts';
import { temporaryFolder } from './tutti.ts';

/** Of each siege; `npm run siege` takes more. */
const seconds = Number(process.env.TUTTI_SIEGE_SECONDS ?? 1);
vi.setConfig({ testTimeout: 1000 * seconds + 240_000, hookTimeout: 60_000 });

/** A collection or two of what a busy process has in flight. */
const FLAT_MB = 24;

const folder = temporaryFolder();
const bls = await loadBls();
const sieges: Siege[] = [];
afterAll(() => {
  const out = process.env.TUTTI_SIEGE_OUT;
  if (out !== undefined) writeFileSync(out, siegePage(sieges, seconds));
});

function stands(siege: Siege, codes: readonly string[]): void {
  sieges.push(siege);
  expect(siege.lost, 'rounds lost').toBe(0);
  expect(siege.descriptorsLeft, 'descriptors left').toBe(0);
  expect(siege.grownMb ?? 0, 'MB grown').toBeLessThan(FLAT_MB);
  for (const code of codes) expect(siege.refused[code] ?? 0, code).toBeGreaterThan(0);
}

it('a group over UDP', async () => {
  stands(await besiegeGroup('udp', seconds), ['forged', 'replayed', 'misaddressed', 'wrong-session', 'wrong-version']);
});

it('a group over TCP', async () => {
  stands(await besiegeGroup('tcp', seconds), ['forged', 'replayed', 'misaddressed', 'wrong-session', 'wrong-version']);
});

it('a live room and its signalling server', async () => {
  stands(await besiegeRoom(bls, seconds), [
    ...['malformed', 'too-many-rooms-of-address', 'not-your-name', 'foreign-origin', 'unknown-host'],
    ...['too-many-connections', 'signal forged', 'signal replayed'],
  ]);
});

it('processes', async () => {
  stands(await besiegeProcesses(bls, folder, seconds), ['command passed over']);
});
