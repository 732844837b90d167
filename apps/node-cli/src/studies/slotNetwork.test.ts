import { describe, expect, it, vi } from 'vitest';
import { runMain, words } from '../../test/runMain.ts';

// The timeout allows for a busy machine. No test in this file waits for time to pass.
vi.setConfig({ testTimeout: 120_000 });

const small = ['--validators', '8192', '--beacon-nodes', '48', '--jobs', '1', '--seeds', '1'];

describe('tutti slots network', () => {
  it('--json names machine, network, nodes and source in the row of each system', async () => {
    const { code, out, err } = await runMain(['slots', 'network', '--preset', 'electra', ...small, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { rows } = JSON.parse(out);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      preset: 'electra',
      validators: 8192,
      beaconNodes: 48,
      machine: 'i7-8550U',
      cores: 4,
      network: 'aws',
      distribution: 'uniform',
      idontwantBytes: 1000,
      forwardWaitMs: 1000,
    });
    expect(rows[0].source).toContain('EIP-7549');
    expect(rows[0].result.inReach.mean).toBeCloseTo(1, 6);
    expect(rows[0].chain).toMatchObject({ slots: { mean: 32 }, justified: { min: 1 }, finalSeconds: { max: 768 } });
    const { result, bandwidth } = rows[0];
    expect(bandwidth.ofBlobs.mean).toBeCloseTo(result.globalBytes.mean / 786_432, 9);
    expect(result.globalBytes.mean / result.globalMessages.mean).toBeGreaterThan(400);
  });

  it('simulates a mix of clients, by shares of the nodes', async () => {
    const mix = ['--client', 'teku:0.5+prysm:0.3+nimbus:0.2'];
    const args = ['slots', 'network', '--preset', 'electra', ...small, '--max-consecutive-slots', '1', '--json'];
    const [teku, mixed] = await Promise.all(
      [['--client', 'teku'], mix].map(async (of) => JSON.parse((await runMain([...args, ...of])).out).rows[0]),
    );
    expect(mixed).toMatchObject({ batch: 250, clients: [{ name: 'prysm' }, { name: 'nimbus', share: 0.2 }] });
    expect(mixed.result.loads[0].coreSeconds.mean).toBeLessThan(teku.result.loads[0].coreSeconds.mean);
  });

  it.each([
    ['teku:0.5+prysm', /--client: expected .* or several clients with their shares/],
    ['teku:0.5+prysm:0.6', /--client: expected shares with a sum of 1/],
    ['teka', /--client: .*teku/],
  ])('--client %s is refused', async (client, line) => {
    expect((await runMain(['slots', 'network', '--client', client])).err).toMatch(line);
  });

  it('prints the load of a node, by its link, with the assumptions', async () => {
    const { code, out } = await runMain(['slots', 'network', '--preset', 'electra', ...small]);
    expect(code).toBe(0);
    expect(out).toMatch(/^electra: home +\d/m);
    expect(out).toMatch(/^compared with the post .* in, of 390 kB\/s, %/m);
    expect(out).toMatch(/^profile electra; nodes 48 with 8,192 validators \(uniform\); cores 4 of i7-8550U/m);
    expect(out).not.toMatch(/ $/m);
  });

  it('--every-message simulates every message; --ignore-covered does not forward covered messages', async () => {
    const shared = words(
      `slots network --preset strawman --validators 256 --beacon-nodes 32 --subcommittees 1 --max-consecutive-slots 1 --jobs 1 --seeds 1 --every-message --json`,
    );
    const rows = await Promise.all(
      [shared, [...shared, '--ignore-covered']].map(async (of) => JSON.parse((await runMain(of)).out).rows[0]),
    );
    expect(rows.map(({ mode, ignoresCovered }) => [mode, ignoresCovered])).toEqual([
      ['singly', false],
      ['singly', true],
    ]);
    const [all, fewer] = rows.map(({ result }) => result.loads[0].coreSeconds.mean);
    expect(fewer).toBeLessThan(all);
  });

  it('a shorter slot keeps its parts in proportion', async () => {
    const args = ['slots', 'network', '--preset', 'electra', ...small, '--slot-ms', '6000', '--json'];
    const { out } = await runMain(args);
    expect(JSON.parse(out).rows[0]).toMatchObject({ slotMs: 6000, chain: { finalSeconds: { mean: 384 } } });
  });

  it('reads links and parts of a slot', async () => {
    const shared = ['--validators', '2048', '--beacon-nodes', '48', '--jobs', '1', '--seeds', '1', '--json'];
    const args = ['--links', '100/40', '--parts', '1:2:3'];
    const { out } = await runMain(['slots', 'network', '--preset', 'electra', ...shared, ...args]);
    const [{ links, slotMs, inRow, result }] = JSON.parse(out).rows;
    expect(links).toEqual([{ name: '100/40', share: 1, downMbps: 100, upMbps: 40 }]);
    expect(slotMs).toBe(12_000);
    expect(inRow[0]).toEqual(result.inReach);
  });

  it('reports an interruption', async () => {
    const { code, out } = await runMain(['slots', 'network', ...small], { signal: AbortSignal.abort() });
    expect({ out, isError: code !== 0 }).toEqual({ out: '', isError: true });
  });
});
