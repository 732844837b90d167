import { type Fault, faultsByNode, type Outage } from '@tutti/simulation';

/** A host that an outage affects. */
interface Victim {
  /** Kills the host's processes immediately. */
  kill(): void;
  /** Starts the host's processes again. */
  restart(): void;
  pause(): void;
  resume(): void;
  /** Sets whether packets to the host are lost. */
  setDown(isDown: boolean): void;
}

/** Start or end of a host's outage. */
export interface OutageStep {
  /** Time of the change since the run's common origin, ms. */
  readonly atMs: number;
  readonly host: number;
  readonly outage: Outage['kind'];
  /** Whether the outage ends at this time; otherwise, it starts. */
  readonly isOver: boolean;
}

/** Returns the starts and ends of a plan's outages, in chronological order. */
export function outageSteps(faults: readonly Fault[], hosts: number, seed: number): readonly OutageStep[] {
  return [...faultsByNode(faults, hosts, seed)]
    .flatMap(([host, { outages }]) =>
      outages.flatMap(({ kind, fromUs, untilUs }) => [
        { atMs: fromUs / 1000, host, outage: kind, isOver: false },
        ...(Number.isFinite(untilUs) ? [{ atMs: untilUs / 1000, host, outage: kind, isOver: true }] : []),
      ]),
    )
    .toSorted((a, b) => a.atMs - b.atMs || a.host - b.host);
}

/** Returns the hosts that a plan kills permanently. */
export function permanentlyKilled(faults: readonly Fault[], hosts: number, seed: number): ReadonlySet<number> {
  const crashes = outageSteps(faults, hosts, seed).filter(({ outage }) => outage === 'crash');
  return new Set(crashes.map(({ host }) => host));
}

/** Applies a step to a host. */
export function applyStep({ outage, isOver }: OutageStep, victim: Victim): void {
  if (outage !== 'pause') victim.setDown(!isOver);
  if (outage === 'pause' || outage === 'kept') {
    if (isOver) victim.resume();
    else victim.pause();
  } else if (isOver) victim.restart();
  else victim.kill();
}
