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

/** A change of a host's state at a point in time. */
export interface OutageStep {
  /** Time of the change since the run's common origin, ms. */
  readonly atMs: number;
  readonly host: number;
  readonly outage: Outage['kind'];
  readonly isOver: boolean;
}

/** Returns the starts and ends of a plan's outages, in chronological order. */
export function steps(faults: readonly Fault[], hosts: number, seed: number): readonly OutageStep[] {
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
export function neverBack(faults: readonly Fault[], hosts: number, seed: number): ReadonlySet<number> {
  const ended = steps(faults, hosts, seed).filter(({ outage }) => outage === 'crash');
  return new Set(ended.map(({ host }) => host));
}

/** Applies a step to a host. */
export function take({ outage, isOver }: OutageStep, victim: Victim): void {
  if (outage !== 'pause') victim.setDown(!isOver);
  if (outage === 'pause' || outage === 'kept') {
    if (isOver) victim.resume();
    else victim.pause();
  } else if (isOver) victim.restart();
  else victim.kill();
}
