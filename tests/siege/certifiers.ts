import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { finishedOf } from '../tutti.ts';
import type { Siege } from './besieged.ts';

/** Minimum duration of a soak, s. A shorter soak would include only a few restarts. */
const minSeconds = 180;
/** Parameters in the suite, where no duration is given. */
const short = { seconds: 8, members: 5 };

/** Output of `soak.mjs`, which describes each field. */
interface Soaked {
  readonly members: number;
  readonly killed: number;
  readonly stopped: number;
  readonly stepped: number;
  readonly forked: number;
  readonly due: number;
  readonly lost: readonly string[];
  readonly refused: Readonly<Record<string, number>>;
  readonly grownMb: number;
  readonly descriptorsLeft: number;
}

/**
 * Besieges members that certify heights under load. The processes of the members are killed and stopped, and their
 * clocks are changed.
 */
export async function besiegeCertifiers(seconds: number): Promise<Siege> {
  const given = seconds > 0 ? { seconds: Math.max(minSeconds, seconds), members: 16 } : short;
  const script = fileURLToPath(new URL('./soak.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['pipe', 'pipe', 'pipe'] });
  const { code, out, err } = await finishedOf(child);
  if (code !== 0) throw new Error(`the soak ended with exit code ${code}: ${err.slice(-1000)}`);
  const { members, killed, stopped, stepped, forked, due, lost, refused, grownMb, descriptorsLeft }: Soaked =
    JSON.parse(out);
  return {
    target: `${members} processes that certify heights`,
    attacks: ['kill and restart', 'stop', 'clock steps', 'forks'],
    sent: killed + stopped + stepped + forked,
    rounds: due,
    lost,
    refused,
    expected: ['already-signed'],
    grownMb,
    descriptorsLeft,
  };
}
