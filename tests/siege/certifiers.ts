import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { finishedOf } from '../tutti.ts';
import type { Siege } from './besieged.ts';

/** Minimum duration of a soak, s. A shorter soak would include only a few restarts. */
const minSeconds = 180;
/** Parameters in the suite, where no duration is given. */
const short = { seconds: 8, members: 5 };

/** Results that `soak.mjs` prints. */
interface Soaked extends Pick<Siege, 'lost' | 'refused' | 'grownMb' | 'descriptorsLeft'> {
  readonly members: number;
  /** Numbers of killed, stopped and clock-shifted processes, and of heights with two proposed messages. */
  readonly killed: number;
  readonly stopped: number;
  readonly stepped: number;
  readonly forked: number;
  /** Number of messages that must get a certificate. */
  readonly due: number;
}

/** Besieges members that certify heights: their processes are killed and suspended, and clocks are changed. */
export async function besiegeCertifiers(seconds: number): Promise<Siege> {
  const given = seconds > 0 ? { seconds: Math.max(minSeconds, seconds), members: 16 } : short;
  const script = fileURLToPath(new URL('./soak.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['pipe', 'pipe', 'pipe'] });
  const { code, out, err } = await finishedOf(child);
  if (code !== 0) throw new Error(`the soak ended with exit code ${code}: ${err.slice(-1000)}`);
  const { members, killed, stopped, stepped, forked, due, ...results }: Soaked = JSON.parse(out);
  return {
    target: `${members} processes that certify heights`,
    attacks: ['kill and restart', 'stop', 'clock steps', 'forks'],
    sent: killed + stopped + stepped + forked,
    rounds: due,
    expected: ['already-signed'],
    ...results,
  };
}
