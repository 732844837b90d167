import { type AggregationScheme, requireNodeArguments } from '../contribution/scheme.ts';
import { screenForm } from '../contribution/screening.ts';
import { placeOf } from '../overlay/mesh.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode, TraceKind } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { periods, requireIn } from '../setting.ts';
import { type GossipOptions, neighboursOf } from './gossipOfIndividuals.ts';
import { Union, wholeRegistry } from './union.ts';
import { Verification } from './verification.ts';

/** Level that all messages name. The mesh has only this level. */
const level0 = 0;

/** States of the individual contribution received from a neighbour. */
const individualState = { missing: 0, pending: 1, verified: 2 } as const;

/** Parameters of a {@link GossipOfAggregatesNode}. */
export interface GossipOfAggregatesOptions extends GossipOptions {
  /** Interval between two messages of a node to its neighbours, ms. */
  readonly periodMs: number;
}

/**
 * A node that gossips aggregates over a random mesh. In each period, the node sends its best aggregate and its
 * individual contribution to the next neighbour, without end. Scores of received contributions are as in a level of
 * Handel (v1.03 section 3.3), with the whole registry as the level.
 *
 * Aggregates in a mesh overlap, and overlapping contributions cannot be aggregated. A node can therefore keep only the
 * heavier of two overlapping aggregates, to which it adds its own and its neighbours' individual contributions.
 */
export class GossipOfAggregatesNode implements ProtocolNode {
  readonly #scheme: AggregationScheme;
  readonly #neighbours: Int32Array;
  readonly #own: Contribution;
  readonly #port: Port;
  readonly #periodUs: number;
  readonly #union: Union;
  readonly #verification: Verification;
  /** Heaviest pending aggregate of each neighbour, or noContribution. */
  readonly #aggregates: Int32Array;
  /** Individual contribution of each neighbour, or noContribution. */
  readonly #individuals: Int32Array;
  /** {@link individualState} of each neighbour. */
  readonly #states: Uint8Array;
  /** Flag per neighbour: 1 if the neighbour has sent an invalid contribution, otherwise 0. */
  readonly #blacklisted: Uint8Array;
  #started = false;
  /** Index of the neighbour that receives the next message. */
  #turn = 0;

  /**
   * @throws RangeError for an id, a threshold or a period out of range; TypeError for a mesh that does not contain the
   * node.
   */
  constructor(options: GossipOfAggregatesOptions) {
    requireNodeArguments(options);
    const { id, scheme, threshold, mesh, periodMs, own, port } = options;
    requireIn('periodMs', periodMs, periods);
    this.#neighbours = neighboursOf(mesh, id);
    scheme.retain(own);
    this.#scheme = scheme;
    this.#own = own;
    this.#port = port;
    this.#periodUs = Math.round(periodMs * 1000);
    this.#union = new Union(scheme, port, threshold, own);
    this.#verification = new Verification(port);
    this.#aggregates = new Int32Array(this.#neighbours.length).fill(noContribution);
    this.#individuals = new Int32Array(this.#neighbours.length).fill(noContribution);
    this.#states = new Uint8Array(this.#neighbours.length);
    this.#blacklisted = new Uint8Array(this.#neighbours.length);
  }

  start(): void {
    if (this.#started) throw new RangeError('start: expected one call, got a second call');
    this.#started = true;
    this.#union.offer();
    this.#sendNext();
    this.#verifyNext();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const place = placeOf(this.#neighbours, from);
    const refusal = this.#screen(from, place, level, aggregate, individual, flags);
    if (refusal !== undefined) {
      this.#port.refuse(level, from, refusal);
      return;
    }
    if (this.#states[place] === individualState.missing && individual !== noContribution) {
      this.#scheme.retain(individual);
      this.#individuals[place] = individual;
      this.#states[place] = individualState.pending;
    }
    if (this.#scheme.weight(aggregate) > this.#scheme.weight(this.#aggregates[place]!)) {
      this.#scheme.retain(aggregate);
      this.#setAggregate(place, aggregate);
    }
    this.#verifyNext();
  }

  onTimer(_timer: number): void {
    this.#sendNext();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#verification.end(ticket);
    const { contribution, sender } = this.#verification;
    const place = placeOf(this.#neighbours, sender);
    if (!valid) this.#blacklist(place);
    else if (contribution === this.#individuals[place]) this.#states[place] = individualState.verified;
    if (valid) this.#improve(contribution);
    this.#scheme.release(contribution);
    this.#verifyNext();
  }

  #sendNext(): void {
    if (this.#neighbours.length === 0) return;
    this.#port.send(this.#neighbours[this.#turn]!, level0, this.#union.contribution, this.#own, 0);
    this.#turn = (this.#turn + 1) % this.#neighbours.length;
    this.#port.setTimer(this.#periodUs, 0);
  }

  /**
   * Starts verifying the contribution that would make the best aggregate heaviest, if any contribution would make it
   * heavier. The node drops pending aggregates that would not make the best aggregate heavier.
   */
  #verifyNext(): void {
    if (!this.#started || this.#verification.underWay) return;
    const weight = this.#union.weight;
    let bestPlace = -1;
    let best: Contribution = noContribution;
    let bestScore = weight;
    for (let place = 0; place < this.#neighbours.length; place++) {
      const aggregate = this.#aggregates[place]!;
      const score = aggregate === noContribution ? 0 : this.#score(aggregate);
      if (score <= weight) this.#setAggregate(place, noContribution);
      if (score > bestScore) {
        bestScore = score;
        bestPlace = place;
        best = aggregate;
      }
      const individual = this.#individuals[place]!;
      if (this.#states[place] !== individualState.pending || bestScore > weight) continue;
      if (this.#scheme.contains(this.#union.contribution, this.#neighbours[place]!)) continue;
      bestScore = weight + 1;
      bestPlace = place;
      best = individual;
    }
    if (bestPlace === -1) return;
    this.#scheme.retain(best);
    if (best === this.#aggregates[bestPlace]) this.#setAggregate(bestPlace, noContribution);
    this.#verification.begin(level0, this.#neighbours[bestPlace]!, best);
  }

  /** Returns the weight that the best aggregate would have with this aggregate (v1.03 section 3.3). */
  #score(aggregate: Contribution): number {
    const weight = this.#scheme.weight(aggregate);
    const { contribution: over, weight: before } = this.#union;
    if (this.#scheme.aggregatable(aggregate, over)) {
      return before + (this.#scheme.newWeight?.(aggregate, over) ?? weight);
    }
    let score = weight;
    this.#eachMissing(aggregate, () => {
      score++;
    });
    return score;
  }

  #improve(contribution: Contribution): void {
    const scheme = this.#scheme;
    if (scheme.aggregatable(contribution, this.#union.contribution)) {
      this.#union.add(contribution);
    } else {
      if (scheme.block(contribution) !== wholeRegistry || this.#score(contribution) <= this.#union.weight) return;
      let united = contribution;
      scheme.retain(united);
      this.#eachMissing(contribution, (individual) => {
        const wider = scheme.aggregate(wholeRegistry, united, individual);
        scheme.release(united);
        united = wider;
      });
      this.#union.replace(united);
    }
    this.#union.offer();
  }

  /**
   * Calls `visit` with each verified individual contribution that an aggregate lacks, including the node's own
   * contribution.
   */
  #eachMissing(aggregate: Contribution, visit: (individual: Contribution) => void): void {
    const { tree } = this.#scheme;
    if (!this.#scheme.contains(aggregate, tree.start(this.#scheme.block(this.#own)))) visit(this.#own);
    for (let place = 0; place < this.#neighbours.length; place++) {
      if (this.#states[place] !== individualState.verified) continue;
      if (!this.#scheme.contains(aggregate, this.#neighbours[place]!)) visit(this.#individuals[place]!);
    }
  }

  #blacklist(place: number): void {
    this.#port.trace(TraceKind.blacklisted, level0, this.#neighbours[place]!, noContribution);
    this.#blacklisted[place] = 1;
    this.#setAggregate(place, noContribution);
    if (this.#states[place] !== individualState.pending) return;
    this.#scheme.release(this.#individuals[place]!);
    this.#individuals[place] = noContribution;
    this.#states[place] = individualState.missing;
  }

  #setAggregate(place: number, aggregate: Contribution): void {
    this.#scheme.release(this.#aggregates[place]!);
    this.#aggregates[place] = aggregate;
  }

  #screen(
    from: number,
    place: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): ScreeningRefusal | undefined {
    const refusal = screenForm(this.#scheme, from, aggregate, flags, 0);
    if (refusal !== undefined) return refusal;
    if (place === -1) return 'sender-not-in-peer-set';
    if (level !== level0) return 'level-out-of-range';
    if (this.#scheme.block(aggregate) !== wholeRegistry) return 'wrong-span';
    const leaf = this.#scheme.tree.leaf(from);
    if (individual !== noContribution && this.#scheme.block(individual) !== leaf) return 'not-individual';
    return this.#blacklisted[place] === 1 ? 'blacklisted' : undefined;
  }
}
