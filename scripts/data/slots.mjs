/**
 * `npm run data -- slots`: plays the slots of Horn that the page shows at once, a million validators each, and Handel on one of
 * their committees; writes them into the page. Half a minute of one core.
 */
import { writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import { defaultHornParameters, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { runCommittee } from '@tutti/lab';
import { createSlot, defaultSlotScenario, slotSteps } from '@tutti/simulation/slots';
import { root } from '../run.mjs';

const parameters = scaledHornParameters(2 ** 20, defaultHornParameters);
/** To the end of the longest slot, Horn's 22 s. */
const stepUs = 100_000;
const steps = 220;

const stored = ({ counts, quarters }) => ({ counts, quarters: Buffer.from(quarters).toString('base64') });
const lanes = hornSystems.map((system) => {
  const slot = createSlot({ ...defaultSlotScenario, system, parameters });
  while (slot.advance(1));
  const recording = slot.recording();
  const { result } = recording;
  console.log(system, result.digest, JSON.stringify(result.votes));
  return { result, ...stored(slotSteps(recording, stepUs, steps)) };
});
const { steps: committeeSteps, ...run } = runCommittee({ ...defaultSlotScenario, parameters }, { stepUs, steps });
console.log('handel, one committee', run.digest, run.reached, 'of', run.live, `at ${run.doneMs} ms`);
const committee = { ...run, ...stored(committeeSteps) };
const file = `${root}apps/visualizer/src/horn/slots.json`;
writeFileSync(file, `${JSON.stringify({ version, stepUs, lanes, committee })}\n`);
console.log(`wrote ${file}`);
