import { proveMs } from '../costs.ts';
import type { LeanView } from '../plans.ts';
import type { LeanSizes, SubnetMasks } from '../world.ts';
import { type LeanAggregator, viewOf } from './aggregator.ts';
import type { LeanScenario } from './scenario.ts';

/** ethlambda's WORKER_IDLE_POLL is 100 ms; others look when something came, but not more often than this. */
const pollMicroseconds = { client: 100_000, other: 20_000 };

/** When a rival's aggregators prove and publish, microseconds since the slot began. */
export class LeanTiming {
  readonly scenario: LeanScenario;
  readonly sizes: LeanSizes;
  readonly masks: SubnetMasks;

  constructor(scenario: LeanScenario, sizes: LeanSizes, masks: SubnetMasks) {
    this.scenario = scenario;
    this.sizes = sizes;
    this.masks = masks;
  }

  get pollUs(): number {
    return this.isClient ? pollMicroseconds.client : pollMicroseconds.other;
  }

  get hasLevels(): boolean {
    return ['tree', 'handel', 'handel-owners'].includes(this.scenario.rival);
  }

  get isClient(): boolean {
    return ['greedy', 'window', 'window-skip'].includes(this.scenario.rival);
  }

  get leafShare(): number {
    return this.isClient && this.scenario.start !== 'free' ? 2 / 3 : this.scenario.leafShare;
  }

  get deadlineUs(): number {
    return 1000 * Math.max(...this.scenario.deadlinesMs);
  }

  /** Until when a proof must be ready to be in time anywhere. */
  get lastUseUs(): number {
    return this.deadlineUs - 1000 * this.scenario.publishLeadMs;
  }

  /** Whether the rival begins a job at this time. */
  mayStart(aggregator: LeanAggregator, nowUs: number): boolean {
    const { rival, start, profile } = this.scenario;
    const { aggregateMs, sessionMs } = profile.times;
    if (rival === 'spec') return nowUs >= 1000 * aggregateMs && aggregator.begun === 0;
    if (!this.isClient) return nowUs < this.deadlineUs;
    if (start === 'session') {
      const early = Math.max(1000 * profile.times.earlyMs, aggregator.raw.shareUs(this.leafShare));
      return nowUs <= Math.min(early, 1000 * aggregateMs) + 1000 * sessionMs;
    }
    // Between the early time and interval 2 only this slot's raw votes are proved.
    return nowUs >= 1000 * aggregateMs || aggregator.begun === 0;
  }

  isLeafTime(aggregator: LeanAggregator, nowUs: number): boolean {
    const { aggregateMs, earlyMs } = this.scenario.profile.times;
    if (nowUs >= 1000 * aggregateMs) return true;
    if (this.scenario.rival === 'spec' || nowUs < 1000 * earlyMs) return false;
    return nowUs >= aggregator.raw.shareUs(this.leafShare);
  }

  view(aggregator: LeanAggregator, nowUs: number): LeanView {
    const { profile, bringMs, branching, subnets } = this.scenario;
    const mergeUs = (level: number) =>
      level === 0 ? this.proveUs(profile.validators / subnets, 0) : this.proveUs(0, branching);
    let fits = this.sizes.proverChildren;
    while (fits > 1 && nowUs + this.proveUs(0, fits) > this.lastUseUs) fits--;
    return viewOf(aggregator, this.sizes, this.masks, this.scenario, {
      nowUs,
      isLeafTime: this.isLeafTime(aggregator, nowUs),
      fits,
      knownUs: 1000 * profile.times.knownMs,
      turnUs: (level) => mergeUs(level) + 1000 * (bringMs + profile.verifier.proofMs),
      lastCallUs: (level) => this.lastUseUs - mergeUs(level) - pollMicroseconds.other,
    });
  }

  proveUs(votes: number, children: number): number {
    const { prover, cores } = this.scenario.profile;
    return 1000 * proveMs(prover, votes, children, cores);
  }

  /** When what is ready now is published on the global topic: see {@link LeanScenario.start}. */
  publishUs(nowUs: number): number {
    const { start, profile } = this.scenario;
    const { aggregateMs, safeTargetMs, slotMs } = profile.times;
    if (!this.isClient || start === 'free') return nowUs;
    if (nowUs < 1000 * aggregateMs) return 1000 * aggregateMs;
    if (start === 'session' || nowUs < 1000 * safeTargetMs) return nowUs;
    return 1000 * (slotMs + aggregateMs);
  }
}
