import { badValue, counted, type FlagReader, UsageError } from '@tutti/node-cli/command';
import { type Fault, validateFaults } from '@tutti/simulation';
import { permanentlyKilled } from './outages.ts';

/** Pattern of @MS or @MS+MS: a start, and optionally a duration. */
const timesPattern = String.raw`@(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,6}(?:\.\d{1,3})?))?`;

interface PlannedEvent {
  readonly hosts: readonly number[];
  readonly atMs: number;
  readonly forMs?: number;
}

/** Reads HOSTS@MS or HOSTS@MS+MS. @param hosts pattern of the text before the times. */
function readEvent(text: string, hosts: string): PlannedEvent | undefined {
  const groups = new RegExp(`^${hosts}${timesPattern}$`).exec(text)?.slice(1);
  if (groups === undefined) return undefined;
  const [atMs, forMs] = groups.splice(-2);
  return {
    hosts: groups.filter((group) => group !== undefined).map(Number),
    atMs: Number(atMs),
    ...(forMs !== undefined && { forMs: Number(forMs) }),
  };
}

/**
 * Reads a cut of connections. HOST@MS+MS disconnects a host from all others for a time. A-B@MS+MS cuts the link between
 * two hosts for a time, and A-B@MS cuts the link permanently.
 */
export const cutFlag: FlagReader<readonly Fault[]> = (text) => {
  const found = readEvent(text, String.raw`(\d{1,3})(?:-(\d{1,3}))?`);
  if (found === undefined) throw badValue('--cut', 'HOST@MS+MS or HOST-HOST@MS+MS, such as 3@100+500', text);
  const {
    hosts: [a, b],
    ...times
  } = found;
  if (a === b) throw badValue('--cut', 'two different hosts', text);
  if (b !== undefined)
    return [
      { kind: 'loss', share: 1, from: [a!], to: [b], ...times },
      { kind: 'loss', share: 1, from: [b], to: [a!], ...times },
    ];
  if (times.forMs !== undefined) return [{ kind: 'partition', nodes: [a!], ...times, forMs: times.forMs }];
  throw badValue('--cut', 'a duration of the cut, such as 3@100+500; use --kill to remove a host permanently', text);
};

/**
 * Reads a kill. HOST@MS kills all processes of a host permanently. HOST@MS+MS starts new processes after the given
 * duration, without the state of the killed processes.
 */
export const killFlag: FlagReader<readonly Fault[]> = (text) => {
  const found = readEvent(text, String.raw`(\d{1,3})`);
  if (found === undefined) throw badValue('--kill', 'HOST@MS or HOST@MS+MS, such as 3@100+500', text);
  const { hosts: nodes, atMs, forMs } = found;
  return [
    forMs === undefined ? { kind: 'crash', nodes, atMs } : { kind: 'restart', nodes, atMs, forMs, state: 'lost' },
  ];
};

/**
 * Reads a pause of a host. HOST@MS+MS gives the start and the duration of a pause, during which all processes of the
 * host are stopped; packets that arrive during the pause wait.
 */
export const pauseFlag: FlagReader<readonly Fault[]> = (text) => {
  const found = readEvent(text, String.raw`(\d{1,3})`);
  if (found?.forMs === undefined) throw badValue('--pause', 'HOST@MS+MS, such as 3@100+500', text);
  return [{ kind: 'pause', nodes: found.hosts, atMs: found.atMs, forMs: found.forMs }];
};

/** Faults of simulations that are impossible for real processes and links, each with the reason. */
const impossible: Partial<Record<Fault['kind'], string>> = {
  'slow-nodes': 'all hosts share the processors of this machine',
  skew: 'all hosts share the clock of this machine',
  drift: 'all hosts share the clock of this machine',
};

/**
 * Checks that a plan is possible, names only existing hosts, and leaves at least one host alive.
 *
 * @returns the plan.
 * @throws UsageError, one line, with the fault, the field, the expected value and the actual value.
 */
export function validatedPlan(faults: readonly Fault[], hosts: number, seed: number): readonly Fault[] {
  try {
    validateFaults(faults, hosts);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`the fault plan: ${error.message}; its nodes are hosts`) : error;
  }
  requirePossible(faults);
  if (permanentlyKilled(faults, hosts, seed).size < hosts) return faults;
  throw new UsageError(
    `the fault plan: expected at least 1 of ${counted(hosts, 'host')} not to be killed permanently, got none`,
  );
}

function requirePossible(faults: readonly Fault[]): void {
  for (const [index, fault] of faults.entries()) {
    const why = impossible[fault.kind];
    if (why !== undefined)
      throw new UsageError(`faults[${index}]: ${fault.kind} is not available on a testbed: ${why}; simulate it`);
    if (fault.kind === 'corruption' && fault.of === 'signature')
      throw new UsageError(
        `faults[${index}].of: expected bits, got signature; packets are sealed, so a router cannot aim at what is in them`,
      );
  }
}
