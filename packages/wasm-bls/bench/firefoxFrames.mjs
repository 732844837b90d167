/** Frames of a page in Firefox, each with modules of its own; the Firefox of this machine, as the journeys drive it. */
import { spawnSync } from 'node:child_process';
import { runnerImport } from 'vite';
import { repository } from './pages.mjs';

/**
 * What `use` makes of frames, each as `open` gives it: `evaluate`, which runs a function there on what can be written as
 * JSON. It is told the version. Wide arithmetic is set, where Firefox has it behind its preference.
 *
 * @param address - of every frame.
 */
export async function withFirefox(address, use) {
  const { module: firefoxes } = await runnerImport(`${repository}tests/browser/firefox.ts`);
  if (firefoxes.firefoxCommand === undefined)
    throw new Error('no Firefox: none is on the PATH, and FIREFOX_PATH names none');
  const version = spawnSync(firefoxes.firefoxCommand, ['--version'], { encoding: 'utf8' }).stdout;
  const wide = { 'javascript.options.wasm_wide_arithmetic': true };
  const firefox = await firefoxes.Firefox.start(firefoxes.firefoxCommand, { width: 1440, height: 900 }, wide);
  try {
    await firefox.goto(address);
    let frames = 0;
    const open = async () => {
      const at = frames++;
      await firefox.evaluate(`new Promise((loaded) => {
        const frame = document.createElement('iframe');
        frame.onload = loaded;
        frame.src = '/';
        document.body.append(frame);
      })`);
      const evaluate = async (run, given) => {
        const there = `(async () => JSON.stringify((await (${run})(${JSON.stringify(given)})) ?? null))()`;
        return JSON.parse(await firefox.evaluate(`frames[${at}].eval(${JSON.stringify(there)})`));
      };
      return { evaluate };
    };
    return await use(open, /[\d.]+(?:esr)?/.exec(version)[0]);
  } finally {
    firefox.close();
  }
}
