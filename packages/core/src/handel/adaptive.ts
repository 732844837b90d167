import { ForwardingPort } from '../forwardingPort.ts';
import type { Tree } from '../overlay/tree.ts';
import type { Contribution, Port } from '../protocol.ts';
import type { HandelConfig } from './config.ts';
import type { HandelState } from './state.ts';

/** A learnt level start lies between these multiples of the configured one, whatever peers do. */
export const bounds = { shortest: 1 / 4, longest: 4 } as const;

/** With fewer peers measured nothing is learnt. */
export const leastPeers = 3;

/**
 * Only peers whose ids differ from the node's own in no other than these low bits are measured: levels 1 to 4 of the
 * binary tree.
 */
const peerBits = 4;
const mostPeers = 2 ** peerBits;

/** No contact yet, and nothing heard. */
const untouched = -1;
/** Heard from, before it was contacted or since: it can give no sample any more. */
const spent = -2;

/**
 * What a node measured by its own clock: for each of up to 15 peers, the time from first contacting it to the first
 * message that came from it afterwards, microseconds. A peer counts once; one that spoke first does not count. Nothing
 * is allocated after the constructor.
 */
export class Delays {
  readonly #id: number;
  /** When each was contacted, or one of the two marks. */
  readonly #contactedUs = new Float64Array(mostPeers).fill(untouched);
  /** In ascending order. */
  readonly #samplesUs = new Float64Array(mostPeers);
  #count = 0;

  constructor(id: number) {
    this.#id = id;
  }

  /** How many peers were measured. */
  get count(): number {
    return this.#count;
  }

  onContact(peer: number, nowUs: number): void {
    if (!this.#isMeasured(peer)) return;
    const place = peer % mostPeers;
    if (this.#contactedUs[place] === untouched) this.#contactedUs[place] = nowUs;
  }

  onHeard(peer: number, nowUs: number): void {
    if (!this.#isMeasured(peer)) return;
    const place = peer % mostPeers;
    const contactedUs = this.#contactedUs[place]!;
    this.#contactedUs[place] = spent;
    if (contactedUs >= 0) this.#add(nowUs - contactedUs);
  }

  /** The median, or the lower of the two middle ones; undefined if too few were measured. */
  medianUs(): number | undefined {
    return this.#count < leastPeers ? undefined : this.#samplesUs[(this.#count - 1) >> 1];
  }

  #isMeasured(peer: number): boolean {
    return peer !== this.#id && peer >>> peerBits === this.#id >>> peerBits;
  }

  #add(sampleUs: number): void {
    let place = this.#count++;
    while (place > 0 && this.#samplesUs[place - 1]! > sampleUs) {
      this.#samplesUs[place] = this.#samplesUs[place - 1]!;
      place--;
    }
    this.#samplesUs[place] = sampleUs;
  }
}

type Configured = Pick<HandelConfig, 'levelStartMs' | 'disseminationPeriodMs'>;

/**
 * Time from one level's start to the next one's, integer microseconds: the learnt delay, within the bounds; as
 * configured if none was learnt.
 *
 * Intentional divergence: v1.03 section 3.6 fixes it.
 */
export function levelSpacingUs({ levelStartMs }: Configured, delayUs: number | undefined): number {
  const configuredUs = levelStartMs * 1000;
  const learntUs = delayUs ?? configuredUs;
  return Math.round(Math.min(bounds.longest * configuredUs, Math.max(bounds.shortest * configuredUs, learntUs)));
}

/**
 * The dissemination period, integer microseconds: longer by the factor by which level starts are, never shorter than
 * configured.
 */
export function periodUs(config: Configured, delayUs: number | undefined): number {
  const configuredUs = config.disseminationPeriodMs * 1000;
  if (config.levelStartMs === 0) return Math.round(configuredUs);
  const stretch = levelSpacingUs(config, delayUs) / (config.levelStartMs * 1000);
  return Math.round(configuredUs * Math.max(1, stretch));
}

/**
 * The level starts and periods of one node. The time from one start to the next is fixed when the earlier one comes, by
 * what has been learnt until then.
 */
export class AdaptiveTimes {
  readonly delays: Delays;
  readonly #config: Configured;
  readonly #tree: Tree;
  /** The level whose start is next, and when that is after the node's own start. */
  #level = 1;
  #dueUs = 0;

  constructor(id: number, config: Configured, tree: Tree) {
    this.delays = new Delays(id);
    this.#config = config;
    this.#tree = tree;
  }

  /** When the next level starts, microseconds after the node's own start. */
  get dueUs(): number {
    return this.#dueUs;
  }

  /** The level that was next has started, or needs no start any more. */
  pass(): void {
    const level = this.#level++;
    const steps = level < this.#tree.levels ? this.#tree.levelOrder(level + 1) - this.#tree.levelOrder(level) : 0;
    if (steps > 0) this.#dueUs += steps * levelSpacingUs(this.#config, this.delays.medianUs());
  }

  /** A level is active when Out_l is complete or when its start has come. */
  isActive({ levels }: Pick<HandelState, 'levels'>, level: number, sinceStartUs: number): boolean {
    return levels.outComplete(level) || level < this.#level || (level === this.#level && sinceStartUs >= this.#dueUs);
  }

  periodUs(): number {
    return periodUs(this.#config, this.delays.medianUs());
  }
}

/** A port that notes whom its node contacts, and otherwise passes everything on. */
export class MeasuringPort extends ForwardingPort {
  readonly #delays: Delays;

  constructor(port: Port, delays: Delays) {
    super(port);
    this.#delays = delays;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#delays.onContact(to, this.port.nowUs());
    super.send(to, level, aggregate, individual, flags);
  }
}
