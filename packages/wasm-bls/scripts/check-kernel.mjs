/**
 * Checks that the committed kernel matches its sources: first by its manifest, which requires no toolchain, then by a
 * new build. If the installed tools are those of the manifest, the rebuilt bytes must be equal to the committed ones.
 * With other tools, the rebuilt kernel must pass the compliance suite.
 *
 *     npm run kernel:check -w @tutti/wasm-bls [-- --if-tools]
 *
 * With --if-tools, missing tools are reported in one line and are not a failure. A stale kernel is always a failure.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildKernel, manifestOf } from './build-kernel.mjs';
import { ARTEFACTS, KERNELS, readManifest, staleness } from './kernel-source.mjs';
import { findTools } from './kernel-tools.mjs';

async function check() {
  const stale = staleness();
  if (stale !== undefined)
    throw new Error(`kernel is stale: ${stale}; run npm run kernel:build -w @tutti/wasm-bls and commit kernel/`);
  const { missing } = findTools();
  if (missing.length > 0 && process.argv.includes('--if-tools'))
    return `kernel is fresh by its manifest; not rebuilt: ${missing[0]}`;
  const folder = mkdtempSync(join(tmpdir(), 'tutti-rebuilt-'));
  try {
    buildKernel(folder);
    return await compare(readManifest(), manifestOf(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(committed, rebuilt, folder) {
  const differing = ARTEFACTS.filter((name) => committed.artefactSha256[name] !== rebuilt.artefactSha256[name]);
  if (differing.length === 0) return 'kernel is fresh: a new build has the same bytes';
  const others = Object.keys(committed.tools).filter((tool) => committed.tools[tool] !== rebuilt.tools[tool]);
  if (others.length === 0)
    throw new Error(`kernel is not what its sources give with the same tools: ${differing.join(', ')}`);
  const versions = others.map((tool) => `${tool} ${rebuilt.tools[tool]}, not ${committed.tools[tool]}`);
  console.log(`kernel rebuilt with other tools (${versions.join('; ')}): bytes differ, so the suite decides`);
  await runSuite(folder);
  return 'kernel is fresh by its manifest; rebuilt with other tools, it passes the suite';
}

/** Runs the compliance suite on each rebuilt kernel that this Node supports. */
async function runSuite(folder) {
  const { bundledSuite, inNode } = await import('../test/engines/run.mjs');
  const suiteFile = join(folder, 'suite.mjs');
  writeFileSync(suiteFile, await bundledSuite());
  const failed = Object.keys(KERNELS).flatMap((name) => inNode(process.execPath, suiteFile, name, folder).failed ?? []);
  if (failed.length > 0) throw new Error(`kernel rebuilt with other tools: it fails the suite:\n${failed.join('\n')}`);
}

try {
  console.log(await check());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
