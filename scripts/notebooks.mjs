import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

const requirements = join(root, 'examples/notebooks/requirements.txt');

/**
 * A Python that runs the examples' notebooks: what NOTEBOOK_PYTHON names, else, on the project's own machines, one with
 * what `examples/notebooks/requirements.txt` pins; without one their test is skipped.
 *
 * @param install whether packages may be asked for.
 */
export async function findNotebookPython({ install }) {
  const folder = join(root, 'node_modules/.cache/tutti/notebooks');
  const installed = join(folder, 'bin/python');
  const given = process.env.NOTEBOOK_PYTHON;
  if (install && given === undefined && !runs(installed) && spawnSync('python3', ['--version']).status === 0) {
    console.log('• Installing what the notebooks of the examples import');
    // What an installation that was cut off has left cannot import everything, and is made again.
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(installed, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  }
  const python = [given, installed].find((one) => one !== undefined && runs(one));
  if (python === undefined) console.log('• No Python with nbclient: the notebooks of the examples are not run');
  return python;
}

function runs(python) {
  return spawnSync(python, ['-c', 'import nbclient, pandas, pyarrow, matplotlib'], { stdio: 'ignore' }).status === 0;
}
