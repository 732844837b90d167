import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegistry } from '@tutti/certificates';
import { type Endpoint, registryDigest } from '@tutti/core';
import { fromHex, toHex } from '@tutti/core/input';
import { beaconOf, roundSeed } from '@tutti/transports';
import { nodeCrypto, openUdp } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { isSigned, publicKeysIn, type Signed } from './isSigned.ts';
import { isWhole } from './sampled.ts';
import { appears, type Ready, start, temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const noble = await loadBls({ engine: 'noble' });

/** Starts a cluster, and resolves when it has written its ports file. */
async function startReady(name: string, ...flags: string[]) {
  const ready = appears(folder, name);
  const started = start(...flags, '--ports-file', join(folder, name));
  const { nodes, processes }: Ready = JSON.parse(readFileSync(await ready, 'utf8'));
  return { ...started, nodes, processes };
}

const isSignedBy = (document: Signed, publicKeys: string) => isSigned(noble, document, publicKeysIn(publicKeys));

describe('tutti cluster', () => {
  it('a cluster of one node prints one document with its signature', async () => {
    const { code, out, err } = await tutti('cluster', '--nodes', '1', '--json', '--out', join(folder, 'one.json'));
    expect(code, err).toBe(0);
    expect(out).toMatch(/^\{.*\}\n$/);
    const document = JSON.parse(out);
    const publicKeys = join(folder, 'one.public-keys.json');
    expect(document).toMatchObject({ nodes: 1, reached: 1, signers: 1, refused: {}, publicKeys });
    expect(isSignedBy(document, publicKeys)).toBe(true);
  });

  it.runIf(isWhole)('--variant min-sig has the same result with 48 bytes less per signature', async () => {
    const file = join(folder, 'sig.json');
    const small = ['--nodes', '8', '--processes', '1'];
    const flags = [...small, '--variant', 'min-sig', '--signature-encoding', 'uncompressed'];
    const { code, err } = await tutti('cluster', ...flags, '--out', file);
    expect(code, err).toBe(0);
    const document = JSON.parse(readFileSync(file, 'utf8'));
    expect(document).toMatchObject({ reached: 8, refused: {}, scenario: { variant: 'min-sig' } });
    expect(document.signature).toHaveLength(96);
    const valid = await runMain(['verify', file, '--registry', join(folder, 'sig.registry.json')]);
    expect(valid.out, valid.err).toMatch(/^valid: 8 of 8 signed, say noble-curves and blst-(native|wasm)/);
  });

  it('--rounds 3: each round has its own message, positions and multi-signature on the same sockets', async () => {
    const out = join(folder, 'rounds.json');
    const { finished, nodes, processes } = await startReady(
      'rounds.ports',
      ...['cluster', '--nodes', '12', '--processes', '2', '--rounds', '3', '--message', 'block {round}', '--seed', '4'],
      ...['--threshold', '0.5', '--json', '--out', out],
    );
    expect([nodes.length, processes.length]).toEqual([12, 2]);
    const { code, out: printed, err } = await finished;
    expect(code, err).toBe(0);
    const document = JSON.parse(printed);
    const { rounds, publicKeys } = document;
    expect(rounds).toMatchObject(
      [1, 2, 3].map((round) => ({ round, message: `block ${round}`, live: 12, reached: 12 })),
    );
    // v1.0 section 4.3: each round's seed is derived from the previous round's multi-signature only.
    const digest = registryDigest(nodeCrypto, readRegistry(readFileSync(join(folder, 'rounds.registry.json'), 'utf8')));
    for (const [k, { seed }] of rounds.slice(1).entries()) {
      const { bitset, signature } = rounds[k];
      const before = { bits: fromHex(bitset, 2)!, signature: fromHex(signature, 96)! };
      expect(seed).toBe(toHex(roundSeed(nodeCrypto, digest, k + 2, beaconOf(before))));
    }
    expect(rounds[0].seed).toMatch(/^[0-9a-f]{64}$/);
    for (const round of rounds) {
      expect(round.signers).toBeGreaterThanOrEqual(6);
      expect(isSignedBy(round, publicKeys), round.message).toBe(true);
      expect(round.timeToThresholdMs.min).toBeGreaterThan(0);
      expect(round.checked.mean).toBeGreaterThan(0);
      expect(round.cpuSeconds).toBeGreaterThan(0);
    }
    expect(rounds[2].peakRssBytes).toBeGreaterThanOrEqual(rounds[0].peakRssBytes);
    // The document's fields describe the last round. Packets refused in it arrived after their round.
    const { round: _round, seed: _seed, ...last } = rounds[2];
    expect(document).toMatchObject({ ...last, seed: 4 });
    expect(Object.keys(document.refused).filter((refusal) => refusal !== 'wrong-session')).toEqual([]);
    expect(await runMain(['verify', out, '--registry', document.registryFile])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/of 12 signed/),
    });
  });

  it('several rounds print one row each, and name the round that timed out', async () => {
    const { out } = await tutti('cluster', '--nodes', '3', '--processes', '1', '--rounds', '2');
    expect(out).toContain('All 3 nodes reached 99 % (3 signatures), in each of 2 rounds.');
    expect(out).toMatch(/^1 +[23] .*\n2 +[23] /m);
    expect(out).toMatch(/^message +"tutti 2"$/m);
    expect((await tutti('cluster', '--nodes', '3', '--rounds', '2', '--timeout', '0.01')).err).toMatch(
      /^tutti: round 1 of 2: 0 of 3 nodes reached the threshold/,
    );
  });
});

describe('a cluster that fails', () => {
  // With this period, no node sends anything for ten minutes.
  const silent = ['cluster', '--nodes', '8', '--processes', '2', '--period', '600000', '--fast-path', '0'];

  /** Matches the last line. On a busy machine, progress lines precede the last line. */
  const lastLine = (line: string) => new RegExp(`(^|\\n)${line}\\n$`);

  /** Returns whether the processes that used these sockets have ended. */
  async function areFree(nodes: readonly Endpoint[]): Promise<boolean> {
    for (const endpoint of nodes) await (await openUdp(endpoint)).close();
    return true;
  }

  it('ends with its processes at Ctrl-C, with exit code 130 and no partial file', async () => {
    const out = join(folder, 'interrupted.json');
    const { child, finished, nodes } = await startReady('interrupted.ports', ...silent, '--json', '--out', out);
    child.kill('SIGINT');
    expect(await finished).toEqual({ code: 130, out: '', err: expect.stringMatching(lastLine('tutti: interrupted')) });
    expect(await areFree(nodes)).toBe(true);
    expect(existsSync(out)).toBe(false);
  });

  it('ends in one line when a process dies', async () => {
    const { finished, nodes, processes } = await startReady('killed.ports', ...silent);
    process.kill(processes[0]!, 'SIGKILL');
    const { code, out, err } = await finished;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(lastLine('tutti: process 1 of 2 ended by SIGKILL before the run was over'));
    expect(await areFree(nodes)).toBe(true);
  });

  it.runIf(isWhole)('leaves no process behind when it is killed', async () => {
    const { child, finished, nodes } = await startReady('orphaned.ports', ...silent);
    child.kill('SIGKILL');
    await finished;
    // The processes notice the end of their parent slightly later, when their channel breaks.
    const free = () => areFree(nodes).catch(() => false);
    while (!(await free()));
  });
});
