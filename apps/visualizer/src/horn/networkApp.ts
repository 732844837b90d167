import {
  defaultNetworkScenario,
  linkPresetNames,
  linkPresets,
  machineNames,
  type NetworkScenario,
  type NodeDistribution,
  type ProposalName,
  votingSystemNames,
} from '@tutti/simulation/slots';
import { messageOf } from '../messageOf.ts';
import { part, say } from '../page.ts';
import { download } from '../state/download.ts';
import { themeSwitch } from '../state/theme.ts';
import { showCommand } from '../views/command.ts';
import { copyOnPress } from '../views/copy.ts';
import { figure } from '../words.ts';
import { type Task, task } from '../worker/task.ts';
import { drawFrontier } from './frontierTable.ts';
import { type Frontier, type NetworkLane, proposalsOf, readNetworkFile, scenarioOfPoint } from './networkFile.ts';
import { networkCommand, votingNames } from './networkWords.ts';
import { NodeMapView } from './nodeMapView.ts';
import { QueueView } from './queueView.ts';

/** Slot seconds that pass in one of the reader's. */
const pace = 2;

const controls = ['system', 'links', 'machine', 'distribution', 'eve'] as const;
type Control = (typeof controls)[number];

/** The page of a slot on Ethereum's network. */
export class NetworkApp {
  readonly #map = new NodeMapView(part('#node-map'));
  readonly #queue = new QueueView(part('#queue'));
  readonly #moment = part<HTMLInputElement>('#moment');
  #recorded: readonly NetworkLane[] = [];
  #lane: NetworkLane | undefined;
  #task: Task<NetworkLane> | undefined;
  #playing = 0;

  open(): void {
    for (const name of votingSystemNames) this.#select('system').add(new Option(votingNames[name], name));
    for (const name of linkPresetNames) this.#select('links').add(new Option(name, name));
    for (const name of machineNames) this.#select('machine').add(new Option(name, name));
    this.#select('system').value = 'horn';
    this.#select('machine').value = defaultNetworkScenario.client.machine;
    themeSwitch(part<HTMLButtonElement>('#theme'), () => this.#repaint());
    copyOnPress(part<HTMLButtonElement>('#copy-link'), () => location.href);
    copyOnPress(part<HTMLButtonElement>('#copy-command'), () => part('#command').textContent ?? '');
    part('#controls').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#start(this.#scenario);
    });
    for (const name of controls) {
      this.#select(name).addEventListener('change', () => this.#choose());
    }
    part('#stop').addEventListener('click', () => {
      this.#end();
      say('ready', 'Stopped. The slot below is still the previous one.');
    });
    // What may be wider than its place can be scrolled by keys.
    for (const id of ['#loads', '#frontier']) part(id).tabIndex = 0;
    this.#moment.addEventListener('input', () => this.#draw());
    part('#play').addEventListener('click', () => this.#toggle());
    let width = part('#figures').clientWidth;
    new ResizeObserver(([figures]) => {
      if (figures!.contentRect.width === width) return;
      width = figures!.contentRect.width;
      this.#repaint();
    }).observe(part('#figures'));
    void this.#load();
  }

  #drawFrontier(frontier: Frontier): void {
    drawFrontier(part('#frontier'), frontier, (cell, seconds) => {
      this.#start(scenarioOfPoint(cell, seconds), proposalsOf(cell));
      part('#status').scrollIntoView({ block: 'center' });
    });
  }

  #keepsMap(frontier: Frontier, version: string): void {
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

  #select(name: Control): HTMLSelectElement {
    return part<HTMLSelectElement>(`#${name}`);
  }

  get #scenario(): NetworkScenario {
    const chosen = (name: Control) => this.#select(name).value;
    const share = Number(chosen('eve'));
    return {
      ...defaultNetworkScenario,
      attacks: share === 0 ? [] : [{ name: 'griefing', share }],
      system: chosen('system') as NetworkScenario['system'],
      links: linkPresets[chosen('links') as keyof typeof linkPresets],
      client: { ...defaultNetworkScenario.client, machine: chosen('machine') as NetworkScenario['client']['machine'] },
      distribution: chosen('distribution') as NodeDistribution,
    };
  }

  async #load(): Promise<void> {
    try {
      const answer = await fetch(new URL('./network.json', import.meta.url));
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const { version, lanes, frontier } = readNetworkFile(await answer.json());
      this.#recorded = lanes;
      // Whoever did not wait for them plays one already.
      if (this.#task === undefined) this.#choose();
      // As what is drawn of a slot: in a task of its own.
      await new Promise((resolve) => setTimeout(resolve));
      this.#drawFrontier(frontier);
      this.#keepsMap(frontier, version);
    } catch (error) {
      say('error', `The recorded slots could not be loaded: ${messageOf(error)}. Run plays one.`);
    }
  }

  /** Shows what is chosen where it was recorded; else it waits for Run. What is played is not what is chosen any more. */
  #choose(): void {
    this.#end();
    const scenario = this.#scenario;
    const same = JSON.stringify(scenario);
    const lane = this.#recorded.find((one) => JSON.stringify(one.scenario) === same);
    if (lane === undefined) {
      say('ready', `Run plays a slot of ${votingNames[scenario.system]} here.`);
      return;
    }
    this.#show(lane);
    say('ready', `${votingNames[scenario.system]}, recorded when the page was made.`);
  }

  #start(scenario: NetworkScenario, proposals: readonly ProposalName[] = []): void {
    this.#end();
    const { slotMs } = scenario.changes;
    const long = slotMs === undefined ? '' : ` of ${figure(slotMs / 1000)} s`;
    say(
      'running',
      `Playing a slot${long} of ${votingNames[scenario.system]}, ${figure(scenario.nodes)} nodes, in a worker …`,
    );
    part<HTMLButtonElement>('#stop').disabled = false;
    const worker = new Worker(new URL('./networkWorker.ts', import.meta.url), {
      type: 'module',
      name: 'tutti-network-slot',
    });
    this.#task = task<NetworkScenario, NetworkLane>(worker, 'The slot', scenario);
    this.#task.result.then(
      (lane) => {
        this.#end();
        this.#show(lane, proposals);
        const played = slotMs === undefined ? 'played here' : `a slot${long}, played here`;
        say('ready', `${votingNames[scenario.system]}, ${played}.`);
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
    part<HTMLButtonElement>('#stop').disabled = true;
  }

  #show(lane: NetworkLane, proposals: readonly ProposalName[] = []): void {
    this.#lane = lane;
    const { scenario, result, steps } = lane;
    this.#halt();
    this.#moment.max = String(steps.sent.length - 1);
    // A little after the first message is sent, so that there is a queue.
    const first = steps.sent.findIndex((count) => count > 0);
    this.#moment.value = String(Math.max(0, first) + 1);
    const share = (100 * result.inReach.mean).toFixed(1);
    const votes = result.eve === undefined ? 'votes' : 'honest votes';
    part('#verdict').textContent =
      `${votingNames[scenario.system]}: ${share} % of ${figure(result.cast)} ${votes} are in the next proposer’s reach, of ${figure(result.globalMessages)} messages that everybody has to verify.`;
    part('#map-sub').textContent =
      `${figure(scenario.validators)} validators; ${steps.observers.length} nodes were watched on the global topic.`;
    showCommand(part('#command'), networkCommand(scenario, proposals));
    void this.#inTurns([
      () => this.#map.show(lane),
      () => this.#queue.show(lane),
      () => this.#drawLoads(lane),
      () => this.#draw(),
    ]);
  }

  /** Each in a task of its own, so that the page answers between them; until another slot is shown. */
  async #inTurns(parts: readonly (() => void)[]): Promise<void> {
    const lane = this.#lane;
    for (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#lane !== lane) return;
      part();
    }
  }

  #drawLoads({ result, scenario }: NetworkLane): void {
    const table = document.createElement('table');
    const head = table.createTHead().insertRow();
    for (const words of ['a node', 'Mbps down/up', 'MB in', 'MB out', 'duplicates', 'core seconds']) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = words;
      head.append(cell);
    }
    const body = table.createTBody();
    scenario.links.forEach(({ name, downMbps, upMbps }, of) => {
      const { receivedBytes, sentBytes, copies, duplicates, coreSeconds } = result.loads[of]!;
      const row = body.insertRow();
      const first = document.createElement('th');
      first.scope = 'row';
      first.textContent = name;
      row.append(first);
      for (const words of [
        `${figure(downMbps)}/${figure(upMbps)}`,
        (receivedBytes / 1e6).toFixed(1),
        (sentBytes / 1e6).toFixed(1),
        `${((100 * duplicates) / Math.max(1, copies)).toFixed(0)} %`,
        coreSeconds.toFixed(2),
      ]) {
        row.insertCell().textContent = words;
      }
    });
    part('#loads').replaceChildren(table);
  }

  #draw(): void {
    if (this.#lane === undefined) return;
    const step = Number(this.#moment.value);
    this.#map.draw(step);
    this.#queue.draw(step);
    const words = `${((step * this.#lane.steps.stepMs) / 1000).toFixed(1)} s`;
    part('#moment-now').textContent = words;
    this.#moment.setAttribute('aria-valuetext', words);
  }

  #repaint(): void {
    this.#map.recolour();
    this.#map.resize();
    this.#queue.resize();
    this.#draw();
  }

  #toggle(): void {
    const lane = this.#lane;
    if (this.#playing !== 0 || lane === undefined) {
      this.#halt();
      return;
    }
    const last = lane.steps.sent.length - 1;
    if (Number(this.#moment.value) >= last) this.#moment.value = '0';
    part('#play').textContent = 'Pause';
    const from = Number(this.#moment.value);
    let beganMs: number | undefined;
    const frame = (nowMs: number): void => {
      beganMs ??= nowMs;
      const step = Math.min(last, from + Math.floor(((nowMs - beganMs) * pace) / lane.steps.stepMs));
      this.#moment.value = String(step);
      this.#draw();
      if (step === last) this.#halt();
      else this.#playing = requestAnimationFrame(frame);
    };
    this.#playing = requestAnimationFrame(frame);
  }

  #halt(): void {
    cancelAnimationFrame(this.#playing);
    this.#playing = 0;
    part('#play').textContent = 'Play';
  }
}
