import type { LeanView } from '../plans.ts';
import { proveMs } from '../profile.ts';
import { hasWindows, isHalving, type LeanProof, type LeanSizes, type SubnetMasks } from '../world.ts';
import type { LeanAggregator } from './aggregator.ts';
import type { LeanScenario } from './scenario.ts';

/** Polling intervals, µs: ethlambda's WORKER_IDLE_POLL, and the minimum interval of other strategies. */
const pollMicroseconds = { client: 100_000, other: 20_000 };

/** Number of turns for which owners wait for a missing part. */
const patienceTurns = 3;

function isClient(strategy: LeanScenario['strategy']): boolean {
  return strategy === 'greedy' || hasWindows(strategy);
}

/**
 * Returns the share of its subnet's votes at which an aggregator begins to prove those votes before interval 2. At
 * interval 2, the aggregator begins in any case. Returns undefined if the aggregator does not begin before interval 2.
 */
export function leafShareOf({
  strategy,
  start,
  leafShare,
}: Pick<LeanScenario, 'strategy' | 'start' | 'leafShare'>): number | undefined {
  if (strategy === 'spec') return undefined;
  return isClient(strategy) && start !== 'free' ? 2 / 3 : leafShare;
}

/** Times at which a strategy's aggregators prove and publish, µs since the slot began. */
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

  /** Whether the strategy merges by levels of halves. */
  get hasLevels(): boolean {
    return this.scenario.strategy === 'tree' || isHalving(this.scenario.strategy);
  }

  /** Whether the strategy is that of a client. */
  get isClient(): boolean {
    return isClient(this.scenario.strategy);
  }

  get deadlineUs(): number {
    return 1000 * Math.max(...this.scenario.deadlinesMs);
  }

  /** Latest time at which a proof can be ready and still count at the last deadline, µs. */
  get lastUseUs(): number {
    return this.deadlineUs - 1000 * this.scenario.publishLeadMs;
  }

  /** Returns whether the strategy may begin a job for a message at this time. */
  mayStart(aggregator: LeanAggregator, nowUs: number, message: 0 | 1): boolean {
    const own = nowUs - aggregator.clockUs;
    const begun = aggregator.begun[message];
    const { strategy, start, profile } = this.scenario;
    const { aggregateMs, sessionMs } = profile.times;
    if (strategy === 'spec') return own >= 1000 * aggregateMs && begun === 0;
    if (!this.isClient) return own < this.deadlineUs;
    if (start === 'session') {
      const enoughUs = aggregator.raw.shareUs(leafShareOf(this.scenario)!) - aggregator.clockUs;
      const early = Math.max(1000 * profile.times.earlyMs, enoughUs);
      return own <= Math.min(early, 1000 * aggregateMs) + 1000 * sessionMs;
    }
    // Before interval 2, a client begins only one proof.
    return own >= 1000 * aggregateMs || begun === 0;
  }

  /** Returns whether an aggregator proves its raw votes at this time. */
  isLeafTime(aggregator: LeanAggregator, nowUs: number): boolean {
    const own = nowUs - aggregator.clockUs;
    if (own >= 1000 * this.scenario.profile.times.aggregateMs) return true;
    const share = leafShareOf(this.scenario);
    return share !== undefined && own >= this.earliestUs && nowUs >= aggregator.raw.shareUs(share);
  }

  /**
   * Time before which no raw votes of the slot are proved, µs. ethlambda's worker of September has no such time (its
   * #603 begins at two thirds of the votes, with proofs from 951 ms on); its sessions of August had one.
   */
  get earliestUs(): number {
    return this.isClient && this.scenario.start === 'always' ? 0 : 1000 * this.scenario.profile.times.earlyMs;
  }

  /** Returns the knowledge of an aggregator about a message at this time. */
  view(aggregator: LeanAggregator, nowUs: number, message: 0 | 1): LeanView {
    const { position, clockUs, raws } = aggregator;
    const own = nowUs - clockUs;
    const { profile, bringMs, branching, subnets, slot } = this.scenario;
    const mergeUs = (level: number) =>
      level === 0 ? this.proveUs(profile.validators / subnets, 0) : this.proveUs(0, branching);
    let fits = this.sizes.proverChildren;
    while (fits > 1 && own + this.proveUs(0, fits) > this.lastUseUs) fits--;
    const ofMessage = (list: readonly LeanProof[]) =>
      raws.length === 1 ? list : list.filter(({ isSecond }) => isSecond === (message === 1));
    return {
      sizes: this.sizes,
      masks: this.masks,
      position,
      slot,
      proofs: ofMessage(aggregator.proofs),
      isPending: () => own < 1000 * profile.times.knownMs,
      announced: ofMessage(aggregator.announced),
      raw: raws[message]!.votes,
      isLeafTime: this.isLeafTime(aggregator, nowUs),
      fits,
      turns: (half, parts, of) => {
        if (parts === 0) return -1;
        const turnUs = mergeUs(half.level) + 1000 * (bringMs + profile.verifier.proofMs);
        const lastCallUs = this.lastUseUs - mergeUs(half.level) - pollMicroseconds.other;
        const patienceUs = Math.max(0, Math.min((patienceTurns + half.level) * turnUs, lastCallUs - own));
        return Math.floor((own - aggregator.readyUs(half, message, parts === of, own, patienceUs)) / turnUs);
      },
    };
  }

  /** Returns the duration of a proof on a machine of the profile, µs. */
  proveUs(votes: number, children: number): number {
    const { prover, cores } = this.scenario.profile;
    return 1000 * proveMs(prover, votes, children, cores);
  }

  /** Returns the duration of a proof on the aggregator's machine, µs. */
  jobUs({ slowness }: LeanAggregator, votes: number, children: number): number {
    return slowness * this.proveUs(votes, children);
  }

  /** Returns the publication time of a proof that is ready now, µs; see {@link LeanScenario.start}. */
  publishUs({ clockUs }: LeanAggregator, nowUs: number): number {
    const own = nowUs - clockUs;
    const { start, profile } = this.scenario;
    const { aggregateMs, safeTargetMs, slotMs } = profile.times;
    if (!this.isClient || start === 'free') return nowUs;
    if (own < 1000 * aggregateMs) return 1000 * aggregateMs + clockUs;
    if (start === 'session' || own < 1000 * safeTargetMs) return nowUs;
    return 1000 * (slotMs + aggregateMs) + clockUs;
  }
}
