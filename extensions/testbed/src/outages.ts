import { type Fault, faultsByNode, type Outage } from '@tutti/simulation';

/** What an outage is done to. */
export interface Victim {
  /** Ends its processes at once. */
  kill(): void;
  /** Starts them anew. */
  restart(): void;
  pause(): void;
  resume(): void;
  /** Makes what arrives for it be lost, or stops that. */
  setDown(isDown: boolean): void;
}

/** What to do to a host, and when. */
export interface OutageStep {
  /** Since the run's common origin. */
  readonly atMs: number;
  readonly host: number;
  readonly outage: Outage['kind'];
  readonly isOver: boolean;
}

/** What a plan does to hosts, in the order of time. */
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

/** The hosts that a plan ends for good. */
export function neverBack(faults: readonly Fault[], hosts: number, seed: number): ReadonlySet<number> {
  const ended = steps(faults, hosts, seed).filter(({ outage }) => outage === 'crash');
  return new Set(ended.map(({ host }) => host));
}

/** Does to a host what a step says. */
export function take({ outage, isOver }: OutageStep, victim: Victim): void {
  if (outage !== 'pause') victim.setDown(!isOver);
  if (outage === 'pause' || outage === 'kept') {
    if (isOver) victim.resume();
    else victim.pause();
  } else if (isOver) victim.restart();
  else victim.kill();
}
