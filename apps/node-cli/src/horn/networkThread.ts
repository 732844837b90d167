import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { answerTasks } from '../threads/threadPool.ts';
import { type NetworkTask, networkRow } from './networkRow.ts';

await loadAllNetworks();
takeThreadNetworks();
answerTasks(networkRow, ({ scenario }: NetworkTask) => scenario.system);
