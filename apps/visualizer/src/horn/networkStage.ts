import './network.css';
import { version as pageVersion } from '@tutti/core';
import type { NetworkScenario } from '@tutti/ethereum';
import { fetched, originOfCommand } from '../files.ts';
import { count, seconds } from '../formatNumber.ts';
import type { FieldForm } from '../links/fields.ts';
import { query, say, sayError, showCommand, showNotices } from '../page.ts';
import type { Exportable } from '../state/exportView.ts';
import { messageOf, OneTask, task } from '../worker/task.ts';
import { drawFrontier, saveMapOnPress } from './frontierTable.ts';
import { choiceOfPoint, type Frontier, type NetworkLane, readNetworkFile, type StoredNetwork } from './networkFile.ts';
import {
  firstNetworkChoice,
  type NetworkChoice,
  networkFields,
  networkLink,
  networkScenario,
  readNetworkLink,
} from './networkState.ts';
import {
  clockWords,
  contentOf,
  dialOf,
  firstMomentUs,
  networkCommand,
  outcomeWords,
  slotWords,
  votingNames,
} from './networkText.ts';
import { NodeByNode } from './nodeByNode.ts';
import { type SlotRequest, slotWorker } from './runSlots.ts';
import type { SlotPage, SlotStage } from './slotStage.ts';

/** Shown slot with its settings. */
interface Shown {
  readonly choice: NetworkChoice;
  readonly lane: NetworkLane;
  /** Version of the code that computed the slot. */
  readonly version: string;
}

/** Stage for a slot on a network with limited links and machines. */
class NetworkStage implements SlotStage {
  readonly views = {
    'node-map': 'nodes by link class',
    'slot-clock': 'the slot’s clock',
    queue: 'queue for the global topic',
  };
  readonly #page: SlotPage;
  readonly #form: FieldForm<NetworkChoice>;
  readonly #nodes = new NodeByNode();
  readonly #task: OneTask;
  #recorded: readonly Shown[] = [];
  /** Error message if the recorded slots could not be loaded. */
  #failed: string | undefined;
  #shown: Shown | undefined;
  /** Settings of the slot that was shown or started last. */
  #choice = firstNetworkChoice;

  constructor(page: SlotPage) {
    this.#page = page;
    this.#form = page.controls.form(networkFields, {
      distribution: (one) => (one === 'uniform' ? 'equal numbers' : 'mostly on a few nodes'),
    });
    this.#task = new OneTask(query<HTMLProgressElement>('#run-progress'), (isRunning) => {
      page.controls.running = isRunning;
    });
  }

  /** Loads the recorded slots from `network.json`, which `npm run data -- network-slots` writes. */
  async load(): Promise<void> {
    try {
      const stored = await fetched<StoredNetwork>(new URL('./network.json', import.meta.url));
      const { version, lanes, frontier } = readNetworkFile(stored);
      this.#recorded = lanes.map((lane) => {
        return { choice: { ...firstNetworkChoice, system: lane.scenario.system }, lane, version };
      });
      // The map is drawn in a separate task, because drawing the slot takes long.
      setTimeout(() => this.#drawFrontier(frontier, version));
    } catch (error) {
      this.#failed = `The recorded slots could not be loaded: ${messageOf(error)}. Press Run to simulate a slot.`;
    }
  }

  open(hash: string): void {
    const { choice, timeUs, notices } = readNetworkLink(hash);
    showNotices(notices);
    this.#begin();
    this.#choice = choice;
    this.#form.show(choice);
    this.#arrive(choice, timeUs);
  }

  enter(timeUs: number | undefined): void {
    this.#begin();
    this.#arrive(this.#chosen(), timeUs);
  }

  leave(): void {
    this.#task.stop();
    this.#shown = undefined;
    this.#choice = firstNetworkChoice;
    this.#nodes.clear();
  }

  /** Returns the slot that the form describes. Rejected values in the form are replaced by accepted values. */
  #chosen(): NetworkChoice {
    return this.#completed(this.#form.accept(firstNetworkChoice));
  }

  /**
   * Adds the settings that have no controls, the length and the proposals, to a slot that the form describes. The
   * settings stay as they are while the system stays the same.
   */
  #completed(formed: NetworkChoice): NetworkChoice {
    const { system, slotSeconds, proposals } = this.#choice;
    return formed.system === system ? { ...formed, slotSeconds, proposals } : formed;
  }

  #begin(): void {
    document.documentElement.dataset.view = 'network';
    this.#page.controls.offer(votingNames);
  }

  /** Shows a slot that is recorded, and simulates any other slot. */
  #arrive(choice: NetworkChoice, timeUs: number | undefined): void {
    const recorded = this.#recordedAs(networkScenario(choice));
    if (recorded) this.#show(recorded, timeUs);
    else if (this.#failed === undefined) this.#start(choice, timeUs);
    else say('error', this.#failed);
  }

  #recordedAs(scenario: NetworkScenario): Shown | undefined {
    const same = JSON.stringify(scenario);
    return this.#recorded.find(({ lane }) => JSON.stringify(lane.scenario) === same);
  }

  /** Shows the chosen slot if it was recorded. For any other slot, the simulation starts with the Run button. */
  choose(): void {
    this.#task.stop();
    const choice = this.#chosen();
    const recorded = this.#recordedAs(networkScenario(choice));
    if (recorded) this.#show(recorded, this.#page.player.timeUs);
    else say('ready', `Press Run to simulate this slot: ${slotWords(choice)}.`);
  }

  run(): void {
    this.#start(this.#chosen(), undefined);
  }

  stop(): void {
    this.#task.stop();
    say('ready', this.#shown ? 'Stopped. The page still shows the previous slot.' : 'Stopped.');
  }

  #start(choice: NetworkChoice, timeUs: number | undefined): void {
    const scenario = networkScenario(choice);
    this.#choice = choice;
    say('running', `Running ${slotWords(choice)} on ${count(scenario.nodes)} nodes …`);
    this.#task.wait(
      task<SlotRequest, NetworkLane>(slotWorker(), 'The slot', { kind: 'network', scenario }),
      (lane) => this.#show({ choice, lane, version: pageVersion }, timeUs),
      sayError,
    );
  }

  /** Shows a slot. @param atUs moment to show; if undefined, a moment shortly after the first global message. */
  #show(shown: Shown, atUs: number | undefined): void {
    this.#task.stop();
    this.#shown = shown;
    const { lane, choice } = shown;
    this.#choice = choice;
    const { scenario, result, steps } = lane;
    const { player, dial } = this.#page;
    query('#title').textContent = `${count(result.cast)} votes on ${count(scenario.nodes)} nodes.`;
    document.title = `Tutti: ${count(scenario.validators)} validators on ${count(scenario.nodes)} nodes, ${votingNames[scenario.system]}`;
    query('#map-sub').textContent =
      `${count(scenario.validators)} validators. ${steps.observers.length} nodes were observed on the global topic.`;
    for (const place of [0, 1]) query(`#class-${place}`).textContent = scenario.links[place]?.name ?? '';
    const shownDial = dialOf(lane);
    dial.show(shownDial);
    query('#clock-sub').textContent = clockWords(shownDial);
    showCommand(query('#command'), networkCommand(scenario, choice.proposals));
    player.show(contentOf(lane));
    player.goTo(atUs ?? firstMomentUs(lane));
    player.writeAddress();
    say('ready', outcomeWords(choice, lane, this.#recorded.includes(shown)));
    void this.#nodes.show(lane).then(() => player.wantFrame());
  }

  draw(timeUs: number): void {
    this.#nodes.draw(timeUs);
  }

  resize(): void {
    this.#nodes.resize();
  }

  recolour(): void {
    this.#nodes.recolour();
  }

  link(timeUs: number | undefined): string {
    return networkLink(this.#shown?.choice ?? this.#completed(this.#form.read(firstNetworkChoice).values), timeUs);
  }

  exportable(timeUs: number): Exportable | undefined {
    if (this.#shown === undefined) return undefined;
    const { lane, choice, version } = this.#shown;
    const { validators, system, seed } = lane.scenario;
    return {
      words: {
        title: `${slotWords(choice)}, ${count(validators)} validators, seed ${seed}, at ${seconds(timeUs)}`,
        origin: originOfCommand(networkCommand(lane.scenario, choice.proposals), { version, seed }),
        name: `tutti-network-${system}-${validators}-${seed}-${Math.round(timeUs / 1000)}ms`,
      },
      numbers: (view) => this.#nodes.numbers(view, timeUs),
    };
  }

  #drawFrontier(frontier: Frontier, version: string): void {
    query('#frontier').tabIndex = 0;
    drawFrontier(query('#frontier'), frontier, (cell, slotSeconds) => {
      const choice = choiceOfPoint(cell, slotSeconds);
      this.#form.show(choice);
      this.#start(choice, undefined);
      query('#status').scrollIntoView({ block: 'center' });
    });
    saveMapOnPress(query('#save-map'), frontier, version);
  }
}

/** Returns the stage for a slot on a network, with the recorded slots if they can be loaded. */
export async function networkStage(page: SlotPage): Promise<SlotStage> {
  const stage = new NetworkStage(page);
  await stage.load();
  return stage;
}
