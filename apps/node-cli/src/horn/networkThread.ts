import { answerTasks } from '../threads/answerTasks.ts';
import { networkRow } from './networkRow.ts';

await answerTasks(networkRow, ({ scenario }) => scenario.system);
