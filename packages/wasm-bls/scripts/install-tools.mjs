/**
 * Installs the missing tools for building the kernel. The script prints each command before running it. Tools compiled
 * from source are stored in the checkout's node_modules/.cache. The script installs missing system packages with
 * apt-get, but only as root.
 *
 *     npm run kernel:tools -w @tutti/wasm-bls
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { bindgenFolder } from './kernel-source.mjs';
import {
  findTools,
  output,
  TARGET,
  toolsEnvironment,
  toolsFolder,
  WASM_PACK_VERSION,
  ZIG_VERSION,
  zigFolder,
} from './kernel-tools.mjs';

const APT_PACKAGES = ['clang-19', 'llvm-19'];

function run(command, ...args) {
  console.log(`> ${[command, ...args].join(' ')}`);
  const env = { ...toolsEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
  if (spawnSync(command, args, { stdio: 'inherit', env }).status !== 0) throw new Error(`${command} failed`);
}

/** Installers by tool, with the names of findTools. A tool without an installer must be installed by hand. */
function installers() {
  const apt = () => {
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...APT_PACKAGES);
  };
  const canApt = process.getuid?.() === 0 && output('apt-get', ['--version']) !== undefined;
  const targetFolder = join(dirname(toolsFolder), 'tools-target');
  return [
    [`rust target ${TARGET}`, output('rustup', ['--version']) && (() => run('rustup', 'target', 'add', TARGET))],
    ['clang', canApt && apt],
    ['llvm-ar', canApt && apt],
    [
      'wasm-pack',
      () => run('cargo', 'install', 'wasm-pack', '--version', WASM_PACK_VERSION, '--locked', '--root', toolsFolder),
    ],
    [
      'wasm-bindgen',
      () => {
        const into = ['--root', toolsFolder, '--target-dir', targetFolder];
        run('cargo', 'install', '--path', bindgenFolder, '--locked', '--force', ...into);
      },
    ],
    [
      `zig ${ZIG_VERSION}`,
      () => run('python3', '-m', 'pip', 'install', '--no-deps', '--target', zigFolder, `ziglang==${ZIG_VERSION}`),
    ],
  ];
}

try {
  const isMissing = (name) => findTools().missing.some((line) => line.startsWith(`${name} `));
  if (!isMissing('cargo')) for (const [name, install] of installers()) if (install && isMissing(name)) install();
  const { versions, missing } = findTools();
  for (const line of missing) console.error(line);
  if (missing.length > 0) process.exitCode = 1;
  else
    console.log(
      `kernel tools: ${Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}`,
    );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
