/** `npm run slots`: plays the slots of Horn that the page shows at once, a million validators each, and writes them into the page. Seconds of one core. */
import { writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import {
  createSlot,
  defaultHornParameters,
  defaultSlotScenario,
  hornSystems,
  scaledHornParameters,
  slotSteps,
} from '@tutti/core/horn';
import { root } from './run.mjs';

const parameters = scaledHornParameters(2 ** 20, defaultHornParameters);
/** To the end of the longest slot, Horn's 22 s. */
const stepUs = 100_000;
const steps = 220;

const lanes = hornSystems.map((system) => {
  const slot = createSlot({ ...defaultSlotScenario, system, parameters });
  while (slot.advance(1));
  const recording = slot.recording();
  const { counts, quarters } = slotSteps(recording, stepUs, steps);
  const { result } = recording;
  console.log(system, result.digest, JSON.stringify(result.votes));
  return { result, counts, quarters: Buffer.from(quarters).toString('base64') };
});
const file = `${root}apps/visualizer/src/horn/slots.json`;
writeFileSync(file, `${JSON.stringify({ version, stepUs, lanes })}\n`);
console.log(`wrote ${file}`);
