import { type NetworkScenario, runNetworkSlot, topicSteps } from '@tutti/ethereum';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks, messageOf } from '../worker/task.ts';
import { type NetworkLane, pageStepMs } from './networkFile.ts';

answerTasks<NetworkScenario, NetworkLane>(async (scenario) => {
  try {
    await loadNetwork(scenario.network);
    const slot = runNetworkSlot(scenario);
    return { scenario, result: slot.result, steps: topicSteps(slot, pageStepMs) };
  } catch (error) {
    throw new Error(`The slot failed: ${messageOf(error)}`, { cause: error });
  }
});
