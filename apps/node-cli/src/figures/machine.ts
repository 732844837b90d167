import { cpus } from 'node:os';
import { counted } from '../numbers.ts';

/** Where runs were made: `2 cores, AMD EPYC, Node 20.20.2`. */
export function machineText(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? '';
  return [counted(all.length, 'core'), ...(model === '' ? [] : [model]), `Node ${process.versions.node}`].join(', ');
}
