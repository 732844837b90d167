/**
 * Checks that the committed kernel matches its sources: first by its manifest, which requires no toolchain, then by a
 * new build. If the installed tools are those of the manifest, the rebuilt bytes must be equal to the committed ones.
 * With other tools, the rebuilt kernel must pass the compliance suite.
 *
 *     npm run kernel:check -w @tutti/wasm-bls [-- --if-tools]
 *
 * With --if-tools, missing tools are reported in one line and are not a failure. A stale kernel is always a failure.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildKernel, manifestOf } from './build-kernel.mjs';
import { inlineKernels } from './kernel-glue.mjs';
import { ARTEFACTS, packageFolder, readManifest, repositoryFolder, staleness } from './kernel-source.mjs';
import { findTools } from './kernel-tools.mjs';

function check() {
  const stale = staleness();
  if (stale !== undefined)
    throw new Error(`kernel is stale: ${stale}; run npm run kernel:build -w @tutti/wasm-bls and commit kernel/`);
  const { missing } = findTools();
  if (missing.length > 0 && process.argv.includes('--if-tools'))
    return `kernel is fresh by its manifest; not rebuilt, for ${missing[0]}`;
  const folder = mkdtempSync(join(tmpdir(), 'tutti-rebuilt-'));
  try {
    const rebuilt = join(folder, 'packages', 'wasm-bls', 'kernel');
    buildKernel(rebuilt);
    inlineKernels(rebuilt);
    return compare(readManifest(), manifestOf(rebuilt), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(committed, rebuilt, folder) {
  const differing = ARTEFACTS.filter((name) => committed.artefactSha256[name] !== rebuilt.artefactSha256[name]);
  if (differing.length === 0) return 'kernel is fresh: built anew, it is the same to the byte';
  const others = Object.keys(committed.tools).filter((tool) => committed.tools[tool] !== rebuilt.tools[tool]);
  if (others.length === 0)
    throw new Error(`kernel is not what its sources give with the same tools: ${differing.join(', ')}`);
  const versions = others.map((tool) => `${tool} ${rebuilt.tools[tool]}, not ${committed.tools[tool]}`);
  console.log(`kernel rebuilt with other tools (${versions.join('; ')}): bytes differ, so the suite judges`);
  runSuite(folder);
  return 'kernel is fresh by its manifest; rebuilt with other tools, it passes the suite';
}

/** Runs this package's tests on a copy of the package that contains the rebuilt kernel. */
function runSuite(folder) {
  for (const part of ['src', 'test', 'scripts', 'crate', 'tools', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(packageFolder, part), join(folder, 'packages', 'wasm-bls', part), { recursive: true });
  cpSync(join(repositoryFolder, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  symlinkSync(join(repositoryFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const vitest = join(repositoryFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--root',
    join(folder, 'packages', 'wasm-bls'),
    '--exclude',
    '**/kernelArtefact.test.ts',
  ];
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0)
    throw new Error('kernel rebuilt with other tools: it fails the suite');
}

try {
  console.log(check());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
