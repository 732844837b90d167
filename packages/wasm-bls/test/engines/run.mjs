/**
 * Runs the compliance suite on each supported kernel in other engines: this Node, other versions of Node, and Chromium.
 *
 *     npm run compliance:engines -w @tutti/wasm-bls -- [--node PATH]... [--chromium] [--dry]
 *
 * Prints the table, and writes its record in docs/benchmarks/bls-kernel.md unless --dry. CHROMIUM_PATH is the path of
 * the browser; default: /usr/bin/chromium. The exit code is 1 if a test fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { writeRecordSection } from '../../../../scripts/pages.mjs';
import { kernelFolder, KERNELS as kernels } from '../../scripts/kernel-source.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Flag that Node 20 requires for a kernel with SIMD. Newer versions of Node have no such flag. */
const simdFlag = '--experimental-wasm-relaxed-simd';

/** The suite and all code that it needs, as the text of one module. */
export async function bundledSuite() {
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { vitest: join(here, 'harness.ts') }, conditions: ['tutti-source'] },
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: { entry: join(here, 'suite.ts'), formats: ['es'], fileName: 'suite' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  }).then((built) => (Array.isArray(built) ? built[0] : built));
  return output.find(({ type }) => type === 'chunk').code;
}

/** Returns a Node's report on a kernel in a folder, without a count if it does not support the arithmetic. */
export function inNode(node, suiteFile, kernel, folder = kernelFolder) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version) throw new Error(`--node: expected a Node, got ${node}`);
  const program = `
    import { readFileSync } from 'node:fs';
    const { run } = await import(${JSON.stringify(pathToFileURL(suiteFile).href)});
    console.log(JSON.stringify(await run(${JSON.stringify(kernel)}, readFileSync(${JSON.stringify(join(folder, kernels[kernel]))})) ?? null));`;
  const flags = kernel === 'simd' && version.startsWith('v20.') ? [simdFlag] : [];
  const { status, stdout, stderr } = spawnSync(node, [...flags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Node ${version}, ${kernel}: ${stderr}`);
  return { engine: `Node ${version.slice(1)}`, kernel, ...(JSON.parse(stdout) ?? {}) };
}

async function inChromium(suite) {
  const { packageRoot, withPages } = await import('../pages.mjs');
  return withPages(async (open, version) => {
    const rows = [];
    for (const [kernel, file] of Object.entries(kernels)) {
      // Each kernel needs a new page, because a thread has only one kernel.
      const page = await open();
      const result = await page.evaluate(
        async ([suite, kernel, file]) => {
          const address = URL.createObjectURL(new Blob([suite], { type: 'text/javascript' }));
          const [{ run }, response] = await Promise.all([import(address), fetch(file)]);
          return (await run(kernel, await response.arrayBuffer())) ?? {};
        },
        [suite, kernel, `${packageRoot}/kernel/${file}`],
      );
      rows.push({ engine: `Chromium ${version}`, kernel, ...result });
    }
    return rows;
  });
}

const shown = ({ passed, failed }) =>
  passed === undefined
    ? 'not in this engine'
    : failed.length === 0
      ? `${passed} of ${passed}`
      : `${failed.length} fail`;

async function main(args) {
  const nodes = [process.execPath, ...args.flatMap((arg, i) => (arg === '--node' ? [args[i + 1]] : []))];
  const folder = mkdtempSync(join(tmpdir(), 'tutti-engines-'));
  const rows = [];
  try {
    const suite = await bundledSuite();
    const suiteFile = join(folder, 'suite.mjs');
    writeFileSync(suiteFile, suite);
    for (const node of nodes) for (const kernel of Object.keys(kernels)) rows.push(inNode(node, suiteFile, kernel));
    if (args.includes('--chromium')) rows.push(...(await inChromium(suite)));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const names = Object.keys(kernels);
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  const cells = (engine) =>
    names.map((kernel) => shown(rows.find((row) => row.engine === engine && row.kernel === kernel)));
  const table = [
    ['tests that pass', ...names],
    ['---', ...names.map(() => '---:')],
    ...engines.map((engine) => [engine, ...cells(engine)]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  console.log(table);
  const failed = rows.flatMap(({ failed = [], engine, kernel }) =>
    failed.map((line) => `${engine}, ${kernel}: ${line}`),
  );
  for (const line of failed) console.error(line);
  if (failed.length > 0) process.exitCode = 1;
  else if (!args.includes('--dry')) writeRecordSection('engines', table);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
