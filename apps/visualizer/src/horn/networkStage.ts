import { version as pageVersion } from '@tutti/core';
import {
  linkPresetNames,
  machineNames,
  type NetworkScenario,
  systemOf,
  type VotingSystemName,
} from '@tutti/simulation/slots';
import { messageOf } from '../messageOf.ts';
import { part, say } from '../page.ts';
import type { Told } from '../player/player.ts';
import { download } from '../state/download.ts';
import type { Keepable } from '../state/savePictures.ts';
import { originOfCommand } from '../state/tableFile.ts';
import { showCommand } from '../views/command.ts';
import { count, figure } from '../words.ts';
import { type Task, task } from '../worker/task.ts';
import { drawFrontier } from './frontierTable.ts';
import './network.css';
import { drawLoads } from './loadsTable.ts';
import { writeMoment } from './momentTable.ts';
import { inReachWords, networkChapters } from './networkChapters.ts';
import { choiceOfPoint, type Frontier, type NetworkLane, readNetworkFile } from './networkFile.ts';
import { nodeNumbers, queueNumbers, reachOfClass, reachOfNodes } from './networkNumbers.ts';
import { networkRounds } from './networkRounds.ts';
import {
  decodeNetworkChoice,
  encodeNetworkChoice,
  firstNetworkChoice,
  type NetworkChoice,
  networkScenario,
} from './networkState.ts';
import { networkCommand, votingNames } from './networkWords.ts';
import { NodeMapView } from './nodeMapView.ts';
import { phasesUntil } from './phases.ts';
import { QueueView } from './queueView.ts';
import type { SlotPage, SlotStage } from './slotStage.ts';
import { seconds } from './words.ts';

/** Fields of the form that only this model has. */
type Own = 'links' | 'machine' | 'distribution';

/** A slot that is shown, and what was chosen for it. */
interface Shown {
  readonly choice: NetworkChoice;
  readonly lane: NetworkLane;
  /** Of the code that played it. */
  readonly version: string;
}

/** A slot on a network whose links and machines have limits: its nodes, and the queue that all of them work through. */
export class NetworkStage implements SlotStage {
  readonly views = {
    'node-map': 'nodes by class of link',
    'slot-clock': 'the slot’s clock',
    queue: 'the global topic, a queue',
  };
  readonly #page: SlotPage;
  readonly #map = new NodeMapView(part('#node-map'));
  readonly #queue = new QueueView(part('#queue'));
  #recorded: readonly Shown[] = [];
  #failed: string | undefined;
  #shown: Shown | undefined;
  /** Whether the drawings are of it: making them takes some tasks. */
  #isDrawn = false;
  #task: Task<NetworkLane> | undefined;

  private constructor(page: SlotPage) {
    this.#page = page;
    for (const name of linkPresetNames) this.#own('links').add(new Option(name, name));
    for (const name of machineNames) this.#own('machine').add(new Option(name, name));
    this.#chosen = firstNetworkChoice;
    // What may be wider than its place can be scrolled by keys.
    for (const id of ['#loads', '#frontier']) part(id).tabIndex = 0;
  }

  /** With the slots that were recorded when the page was made. */
  static async loaded(page: SlotPage): Promise<NetworkStage> {
    const stage = new NetworkStage(page);
    try {
      const answer = await fetch(new URL('./network.json', import.meta.url));
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const { version, lanes, frontier } = readNetworkFile(await answer.json());
      stage.#recorded = lanes.map((lane) => {
        return { choice: { ...firstNetworkChoice, system: lane.scenario.system }, lane, version };
      });
      // As what is drawn of a slot: in a task of its own.
      setTimeout(() => stage.#drawFrontier(frontier, version));
    } catch (error) {
      stage.#failed = `The recorded slots could not be loaded: ${messageOf(error)}. Run plays one.`;
    }
    return stage;
  }

  #own(name: Own): HTMLSelectElement {
    return part<HTMLSelectElement>(`#${name}`);
  }

  get #chosen(): NetworkChoice {
    const { choice, system } = this.#page.controls;
    const own = (name: Own) => this.#own(name).value;
    return {
      ...firstNetworkChoice,
      ...choice,
      system: system as VotingSystemName,
      links: own('links') as NetworkChoice['links'],
      machine: own('machine') as NetworkChoice['machine'],
      distribution: own('distribution') as NetworkChoice['distribution'],
    };
  }

  set #chosen(choice: NetworkChoice) {
    this.#page.controls.choice = choice;
    this.#page.controls.system = choice.system;
    for (const name of ['links', 'machine', 'distribution'] as const) this.#own(name).value = choice[name];
  }

  open(hash: string): void {
    const { choice, timeUs } = decodeNetworkChoice(hash);
    this.#begin();
    this.#chosen = choice;
    this.#arrive(choice, timeUs);
  }

  enter(timeUs: number | undefined): void {
    this.#begin();
    this.#arrive(this.#chosen, timeUs);
  }

  leave(): void {
    this.#end();
    this.#shown = undefined;
  }

  #begin(): void {
    document.documentElement.dataset.view = 'network';
    const { controls } = this.#page;
    controls.offer(votingNames);
  }

  /** Shows a slot that was recorded, and plays any other. */
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

  /** Shows what is chosen where it was recorded; else it waits for Run. What is played is not what is chosen any more. */
  choose(): void {
    this.#end();
    const choice = this.#chosen;
    const recorded = this.#recordedAs(networkScenario(choice));
    if (recorded) this.#show(recorded, this.#page.player.timeUs);
    else say('ready', `Run plays a slot of ${votingNames[choice.system]} here.`);
  }

  run(): void {
    this.#start(this.#chosen, undefined);
  }

  stop(): void {
    this.#end();
    say('ready', this.#shown ? 'Stopped. The slot below is still the previous one.' : 'Stopped.');
  }

  #start(choice: NetworkChoice, timeUs: number | undefined): void {
    this.#end();
    const scenario = networkScenario(choice);
    say('running', `Playing ${slotWords(choice)} on ${figure(scenario.nodes)} nodes, in a worker …`);
    this.#page.controls.running = true;
    const worker = new Worker(new URL('./networkWorker.ts', import.meta.url), {
      type: 'module',
      name: 'tutti-network-slot',
    });
    this.#task = task<NetworkScenario, NetworkLane>(worker, 'The slot', scenario);
    this.#task.result.then(
      (lane) => {
        this.#end();
        this.#show({ choice, lane, version: pageVersion }, timeUs);
      },
      (error: Error) => {
        this.#end();
        say('error', error.message);
      },
    );
  }

  #end(): void {
    this.#task?.stop();
    this.#task = undefined;
    this.#page.controls.running = false;
  }

  /** @param atUs undefined: a little after the first message is sent, so that there is a queue. */
  #show(shown: Shown, atUs: number | undefined): void {
    this.#shown = shown;
    this.#isDrawn = false;
    const { lane, choice } = shown;
    const { scenario, result, steps } = lane;
    const { player, dial } = this.#page;
    const { slotMs } = systemOf(scenario);
    const reachMs = result.reach.share > 0 ? result.reach.meanMs : undefined;
    part('#title').textContent = `${count(result.cast)} votes on ${count(scenario.nodes)} nodes.`;
    document.title = `Tutti: ${count(scenario.validators)} validators on ${count(scenario.nodes)} nodes, ${votingNames[scenario.system]}`;
    part('#map-sub').textContent =
      `${figure(scenario.validators)} validators; ${steps.observers.length} nodes were watched on the global topic.`;
    scenario.links.forEach(({ name }, of) => {
      part(`#class-${of}`).textContent = name;
    });
    if (scenario.links.length === 1) part('#class-1').textContent = '';
    part('#clock-sub').textContent =
      reachMs === undefined
        ? 'Once round is one slot. No proposer has 99\u00a0% of the votes in reach.'
        : 'Once round is one slot. Gold is the moment at which a proposer has 99\u00a0% of the votes in reach, in the mean.';
    showCommand(part('#command'), networkCommand(scenario, choice.proposals));
    const rounds = networkRounds(scenario);
    dial.show({
      phases: phasesUntil(1000 * slotMs, [{ fromUs: 0, name: 'the block' }, ...rounds]),
      endUs: 1000 * slotMs,
      reachUs: reachMs === undefined ? undefined : 1000 * reachMs,
    });
    player.tell(toldOf(lane));
    player.reset(1000 * slotMs, false);
    const first =
      Math.max(
        0,
        steps.sent.findIndex((sent) => sent > 0),
      ) + 1;
    player.goTo(atUs ?? 1000 * first * steps.stepMs);
    player.writeAddress();
    const isRecorded = this.#recorded.includes(shown);
    say('ready', outcomeWords(shown, isRecorded));
    void this.#inTurns(shown, [
      () => this.#map.show(lane),
      () => this.#queue.show(lane),
      () => drawLoads(part('#loads'), lane),
    ]);
  }

  /** Each in a task of its own, so that the page answers between them; until another slot is shown. */
  async #inTurns(shown: Shown, parts: readonly (() => void)[]): Promise<void> {
    for (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#shown !== shown) return;
      part();
    }
    this.#isDrawn = true;
    this.#page.player.wantFrame();
  }

  draw(timeUs: number): void {
    if (this.#shown === undefined || !this.#isDrawn) return;
    const { lane } = this.#shown;
    const step = stepAt(lane, timeUs);
    this.#map.draw(step);
    this.#queue.draw(step);
    const { steps, result } = lane;
    const inVotes = (share: number | undefined) =>
      share === undefined ? undefined : Math.round((share / 100) * result.cast);
    const sent = steps.sent[step]!;
    const verified = steps.verified.map((counts) => counts[step]!);
    writeMoment('voters', [result.cast]);
    writeMoment('reach', [
      inVotes(reachOfNodes(lane, step)),
      ...lane.scenario.links.map((_, of) => inVotes(reachOfClass(lane, of, step))),
    ]);
    writeMoment('sent', [Math.round(sent)]);
    writeMoment('verified', [undefined, ...verified.map(Math.round)]);
    writeMoment('waits', [undefined, ...verified.map((count) => Math.max(0, Math.round(sent - count)))]);
  }

  resize(): void {
    this.#map.resize();
    this.#queue.resize();
  }

  recolour(): void {
    this.#map.recolour();
  }

  link(timeUs: number | undefined): string {
    return encodeNetworkChoice(this.#shown?.choice ?? this.#chosen, timeUs);
  }

  keepable(timeUs: number): Keepable | undefined {
    if (this.#shown === undefined) return undefined;
    const { lane, choice, version } = this.#shown;
    const { validators, system, seed } = lane.scenario;
    return {
      words: {
        title: `${slotWords(choice)}, ${count(validators)} validators, seed ${seed}, at ${seconds(timeUs)}`,
        origin: originOfCommand(networkCommand(lane.scenario, choice.proposals), { version, seed }),
        name: `tutti-network-${system}-${validators}-${seed}-${Math.round(timeUs / 1000)}ms`,
      },
      numbers: (view) => {
        if (view === 'node-map') return nodeNumbers(lane, stepAt(lane, timeUs));
        return view === 'queue' ? queueNumbers(lane) : undefined;
      },
    };
  }

  #drawFrontier(frontier: Frontier, version: string): void {
    drawFrontier(part('#frontier'), frontier, (cell, slotSeconds) => {
      const choice = choiceOfPoint(cell, slotSeconds);
      this.#chosen = choice;
      this.#start(choice, undefined);
      part('#status').scrollIntoView({ block: 'center' });
    });
    const note = part('#keep-map [role="status"]');
    for (const form of ['csv', 'parquet'] as const)
      part(`#keep-map [data-table="${form}"]`).addEventListener('click', async () => {
        try {
          // Few readers ask for it.
          const { mapFile } = await import('./mapTable.ts');
          download(await mapFile(frontier, version, form), `tutti-slots.${form}`);
          note.textContent = 'Saved';
        } catch (error) {
          note.textContent = `It could not be saved: ${messageOf(error)}`;
        }
      });
  }
}

function stepAt({ steps }: NetworkLane, timeUs: number): number {
  return Math.min(steps.sent.length - 1, Math.floor(timeUs / 1000 / steps.stepMs));
}

/** A slot's story along its clock. */
function toldOf(lane: NetworkLane): Told {
  const { scenario, steps } = lane;
  const spanUs = 1000 * systemOf(scenario).slotMs;
  const last = Math.max(1, steps.sent.length - 1);
  const moments = steps.sent.flatMap((sent, step) => {
    const isNew =
      step > 0 && (sent > steps.sent[step - 1]! || steps.verified.some((all) => all[step]! > all[step - 1]!));
    return isNew ? [1000 * step * steps.stepMs] : [];
  });
  const rounds = networkRounds(scenario);
  return {
    track: {
      spanUs,
      curve: steps.sent.map((_, step) => [step / last, (reachOfNodes(lane, step) ?? 0) / 100]),
    },
    chapters: networkChapters(lane),
    marks: [
      ...rounds.map(({ fromUs, name }) => ({ timeUs: fromUs, label: name, kind: 'level' as const })),
      { timeUs: spanUs, label: 'next block', kind: 'level' },
    ],
    stepsUs: [...new Set([...rounds.map(({ fromUs }) => fromUs), ...moments, spanUs])].sort((a, b) => a - b),
  };
}

function slotWords({ system, slotSeconds }: NetworkChoice): string {
  return slotSeconds === undefined ? votingNames[system] : `${votingNames[system]}, a slot of ${figure(slotSeconds)} s`;
}

function outcomeWords({ choice, lane }: Shown, isRecorded: boolean): string {
  const { meanMs } = lane.result.reach;
  const reached =
    meanMs === undefined
      ? 'Fewer than 99 % of the votes came into reach.'
      : `99 % in reach after ${seconds(1000 * meanMs)}.`;
  const how = isRecorded ? 'recorded when the page was made' : 'played here';
  return `${reached} When the slot ended, ${inReachWords(lane.result)}. ${capital(slotWords(choice))}, ${how}.`;
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
