import { readFileSync } from 'node:fs';

/** Ticks a second in which Linux reports processor time, on every machine that Node runs on. */
const ticksASecond = 100;

/** Places of user and system time among the fields behind the command's name; see proc(5). */
const userField = 11;
const systemField = 12;

/** Processor time that a process of this machine has used so far, seconds; 0 for one that has ended. */
export function processorSeconds(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userField]) + Number(fields[systemField])) / ticksASecond;
}
