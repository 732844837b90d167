import { isUnfinished } from './burdens.ts';
import { maxTimeUs } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type LayerLoad, loadsByClass, noLoad, scaled, sumOf } from './loads.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { SlotMessages } from './slotMessages.ts';
import { dueTimesUs, type Layer, layersOf, type SlotRun, type SlotWatch } from './slotRun.ts';
import { SlotValidators } from './slotValidators.ts';
import { TopicNetwork } from './topicNetwork.ts';

/**
 * Simulates every message of consecutive slots, with all topics at once. Duties are the same in all slots. The function
 * is suitable for a few hundred nodes and a few thousand votes.
 */
export function runEveryMessage(world: NetworkWorld, slots = 1, watch?: SlotWatch): SlotRun[] {
  const run = new EveryMessageRun(world, watch);
  return Array.from({ length: slots }, (_, slot) => run.next(slot));
}

/** Time between two pauses of a slot that is simulated in pieces, µs. */
const pieceUs = 2000;

/**
 * Simulates every message of one slot, in pieces, until no event is left. The function is for worlds with the post's
 * assumptions. Each piece yields the progress of the slot, 0 to 1.
 */
export function* runningEveryMessage(world: NetworkWorld, watch: SlotWatch): Generator<number, SlotRun> {
  const slots = new EveryMessageRun(world, watch);
  const { run } = slots.network;
  const { global: endUs } = dueTimesUs(world.system);
  const messages = slots.begin(0);
  for (let us = pieceUs; us < endUs; us += pieceUs) {
    run.run(us);
    yield us / endUs;
  }
  run.run(maxTimeUs);
  return slots.end(messages, []);
}

/** Totals of the run. The result of a slot contains only their growth during the slot. */
interface Totals {
  readonly loads: readonly LayerLoad[];
  readonly dropped: number;
  readonly copies: number;
  readonly events: number;
}

/** Simulation of every message of consecutive slots. */
class EveryMessageRun {
  readonly network: TopicNetwork;
  readonly #watch: SlotWatch | undefined;
  /** Totals at the end of the previous slot. */
  #before: Totals;

  constructor(world: NetworkWorld, watch: SlotWatch | undefined) {
    this.network = new TopicNetwork(world);
    this.#watch = watch;
    this.#before = { loads: world.scenario.links.map(() => noLoad), dropped: 0, copies: 0, events: 0 };
  }

  /** Simulates the next slot, with the load that the previous slot has left on links and cores. */
  next(number: number): SlotRun {
    const { run, allNodes, world } = this.network;
    const messages = this.begin(number);
    const dueUs = dueTimesUs(world.system);
    const unfinished: Layer[] = [];
    for (const layer of layersOf(world.system)) {
      run.run(messages.startUs + dueUs[layer]);
      if (isUnfinished(Array.from(allNodes, (node) => run.links.busyUs(node)))) unfinished.push(layer);
    }
    return this.end(messages, unfinished);
  }

  /** Starts a slot. The caller runs the events, and then ends the slot. */
  begin(number: number): SlotMessages {
    const { system, scenario } = this.network.world;
    const messages = new SlotMessages(this.network, Math.round(1000 * system.slotMs * number), this.#watch);
    if (system.gathering === 'handel') {
      for (const one of gatherByHandel(this.network.world).published) messages.publishGlobal(one);
    } else new SlotValidators(this.network, messages).start(scenario.seed + number);
    return messages;
  }

  /** Returns the result of a slot whose events have been run. */
  end(messages: SlotMessages, unfinished: readonly Layer[]): SlotRun {
    if (this.#watch !== undefined) messages.report(this.#watch);
    const before = this.#before;
    const now = this.#totals();
    this.#before = now;
    return {
      sets: messages.sets,
      observers: this.network.allNodes,
      // During later slots, nodes may still verify sets of this slot.
      verifiedUs: messages.verifiedUs.map((us) => us.slice()),
      delays: messages.delays(),
      arrivals: this.#watch === undefined ? messages.arrivals() : [],
      loads: now.loads.map((load, index) => sumOf([load, scaled(before.loads[index]!, -1)])),
      layerLoads: {},
      unfinished,
      dropped: now.dropped - before.dropped,
      copies: now.copies - before.copies,
      backlog: undefined,
      events: now.events - before.events,
    };
  }

  #totals(): Totals {
    const { run, world, allNodes } = this.network;
    return {
      loads: loadsByClass(world, run.through(), allNodes),
      dropped: run.costs.dropped,
      copies: run.plainCopies,
      events: run.events,
    };
  }
}
