import { readFileSync } from 'node:fs';

/** The browser's processes that draw pages, with their seconds of CPU. @param session of the browser. */
export async function renderersOf(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer');
}

/** The most memory that a process has had, GB of 10^9 bytes; undefined where the system does not say. */
export function peakOf(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return (Number(kilobytes) * 1024) / 1e9;
  } catch {
    return undefined;
  }
}
