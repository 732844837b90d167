import { readFileSync } from 'node:fs';
import { MultiSignatureScheme } from '@tutti/core';
import { defaultScenario, type Scenario, simulate } from '@tutti/simulation';
import { insecureSecretKey, loadBls, roundVerdicts, testMessage } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchChecks, batchCost } from '../packages/simulation/src/engine/batchChecks.ts';
import { batchVerdicts } from '../packages/wasm-bls/src/round.ts';

describe('the cost of a simulated batch', () => {
  it('equals the number of pairing checks of the kernel for the same verdicts', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 32 }), (truth) => {
        let checks = 0;
        const verdicts = batchVerdicts(truth.length, (from, to) => {
          checks++;
          return truth.slice(from, to).every(Boolean);
        });
        expect(verdicts).toEqual(truth);
        expect(batchChecks(truth).checks).toBe(checks);
      }),
    );
  });

  it("is within a third of the kernel's cost in docs/benchmarks/bls-kernel.md", () => {
    const page = readFileSync(new URL('../docs/benchmarks/bls-kernel.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split('## Multiple claims per check');
    const rows = [...table.matchAll(/^\| (\d+)(, by verify)? \| ([\d.]+) \|/gm)].map((row) => ({
      claims: Number(row[1]),
      isSingle: row[2] !== undefined,
      ms: Number(row[3]),
    }));
    const single = rows.find(({ isSingle }) => isSingle)!.ms;
    const batches = rows.filter(({ claims }) => claims >= 2 && claims <= 32);
    expect(batches.length).toBeGreaterThanOrEqual(5);
    for (const { claims, ms } of batches) {
      const measured = (claims * ms) / single;
      const modelled = batchChecks(Array.from({ length: claims }, () => true)).cost;
      expect(Math.abs(modelled / measured - 1), `${claims} claims`).toBeLessThan(1 / 3);
    }
    expect(batchCost.checkOfOne).toBeLessThan(1);
  });
});

describe('a run with real signatures', () => {
  it('verifies batches with the kernel, and equals the run of the counting scheme event by event', async () => {
    const bls = await loadBls();
    const world: Scenario = { ...defaultScenario, nodes: 24, verifyMs: 50, batch: 32, dead: 0.1, seed: 3 };
    const message = testMessage(3);
    const secrets = Array.from({ length: world.nodes }, (_, id) => insecureSecretKey(bls, 3, id));
    const round = bls.round(
      secrets.map((secret) => bls.publicKey(secret)),
      message,
    );
    let together = 0;
    const real = simulate(
      { ...world, scheme: 'bls' },
      {
        checkers: true,
        scheme: (tree) => {
          const verifier = {
            verify: round.verify.bind(round),
            verdicts: (claims: Parameters<typeof roundVerdicts>[1]) => {
              together += claims.length;
              return roundVerdicts(round, claims);
            },
          };
          const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier });
          return { scheme, individual: (id) => scheme.individual(id, bls.sign(secrets[id]!, message)) };
        },
      },
    );
    round.free();
    expect(together).toBeGreaterThan(10);
    expect(real.reached).toBe(real.live);
    expect(real.checks.mean).toBeLessThan(real.checked.mean);
    expect(simulate(world, { checkers: true }).digest).toBe(real.digest);
  });
});
