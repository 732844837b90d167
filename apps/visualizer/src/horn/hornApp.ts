import { thresholdText } from '@tutti/core';
import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/simulation/slots';
import { messageOf } from '../messageOf.ts';
import { part, say } from '../page.ts';
import type { Mark } from '../player/marks.ts';
import { Player } from '../player/player.ts';
import { type Keepable, picturesOnPress } from '../state/savePictures.ts';
import { originOfCommand } from '../state/tableFile.ts';
import { themeSwitch } from '../state/theme.ts';
import { showCommand } from '../views/command.ts';
import { copyOnPress } from '../views/copy.ts';
import { Tip } from '../views/tip.ts';
import { count, figure } from '../words.ts';
import type { Task } from '../worker/task.ts';
import { ClockView } from './clockView.ts';
import type { FieldPlace } from './fieldLayout.ts';
import { FieldView } from './fieldView.ts';
import { votesOfPlaces } from './moment.ts';
import { MomentTable } from './momentTable.ts';
import { slotChapters } from './slotChapters.ts';
import { SlotChart } from './slotChart.ts';
import { SlotControls } from './slotControls.ts';
import { SlotFields } from './slotFields.ts';
import { readSlotFile, type SlotLane } from './slotFile.ts';
import { countUntil, type SlotIndex } from './slotIndex.ts';
import { chartNumbers, fieldNumbers, lanesNumbers } from './slotNumbers.ts';
import { decodeSlotState, encodeSlotState, isSlotLink, sameSlot, slotCommand } from './slotState.ts';
import { startSlot } from './startSlot.ts';
import { drawSystems, type SystemState } from './systemsTable.ts';
import { threeChapters } from './threeWords.ts';
import { megabytes, percent, seconds, systemNames } from './words.ts';

const slowdownAtFirst = 0.5;
/** Points of the track's curve. */
const trackPoints = 240;
/** Where the three fields wait for the reader: the next block is made today, and Horn has ten seconds left. */
const holdUs = 12_000_000;
const roundWords = ['votes', 'aggregates', 'collections', 'next block'] as const;

/** The page of a slot: it holds what is chosen and hands each moment to the drawings. */
export class HornApp {
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #player = new Player(
    { draw: (timeUs) => this.#draw(timeUs), address: (timeUs) => this.#addressOf(timeUs) },
    { slowdown: slowdownAtFirst, timeInWords: seconds },
  );
  readonly #controls = new SlotControls({ run: (scenario) => this.#start(scenario), stop: () => this.#stop() });
  readonly #clock = new ClockView(part('#slot-clock'));
  readonly #field = new FieldView(part('#field'), (place) => this.#look(place));
  readonly #moment = new MomentTable();
  readonly #three = new SlotFields(part('#three-fields'));
  readonly #chart = new SlotChart(part('#slot-chart'), (timeUs) => this.#player.seek(timeUs));

  #run: { readonly scenario: SlotScenario; readonly task: Task<SlotIndex>; progress: number } | undefined;
  /** Systems that are to be played after the one that is. */
  #waiting: HornSystem[] = [];
  /** Of one slot, each system that has been played. */
  #played = new Map<HornSystem, SlotIndex>();
  #index: SlotIndex | undefined;
  /** The slot of a first visit with each system, recorded. */
  #recorded: readonly SlotLane[] = [];
  /** What stands side by side; none while it is not known of each. */
  #lanes: readonly SlotLane[] = [];
  /** The moment that was drawn last. */
  #drawnUs = 0;
  #place: FieldPlace = { committee: 0, subcommittee: 0 };
  /** The moment to go to once the slot that a link asked for is loaded. */
  #goTo: { place: FieldPlace; timeUs: number | undefined } | undefined;

  open(): void {
    this.#listen();
    if (isSlotLink(location.hash)) this.#openLink();
    else this.#awaitThree();
    void this.#loadRecorded();
  }

  /** A first visit sees the three systems at once, and plays nothing itself. */
  #awaitThree(): void {
    document.documentElement.dataset.view = 'three';
    const { scenario, timeUs, committee, subcommittee } = decodeSlotState(location.hash);
    this.#controls.scenario = scenario;
    if (timeUs !== undefined) this.#goTo = { place: { committee, subcommittee }, timeUs };
  }

  async #loadRecorded(): Promise<void> {
    try {
      const answer = await fetch(new URL('./slots.json', import.meta.url));
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      this.#recorded = readSlotFile(await answer.json()).lanes;
      this.#compare();
      this.#drawSystems();
    } catch (error) {
      part('#three').hidden = false;
      part('#three-sub').textContent = `The recorded slots could not be loaded: ${messageOf(error)}`;
      if (this.#index || this.#run) return;
      delete document.documentElement.dataset.view;
      this.#openLink();
    }
  }

  /** Shows the three systems side by side where each has been played or recorded. */
  #compare(): void {
    const about = this.#index?.result.scenario ?? this.#run?.scenario ?? this.#recorded[0]?.result.scenario;
    const lanes = about ? hornSystems.flatMap((system) => this.#laneOf({ ...about, system }) ?? []) : [];
    const whole = lanes.length === hornSystems.length;
    part('#three').hidden = !whole;
    this.#lanes = whole ? lanes : [];
    if (!whole) return;
    if (!this.#index) document.documentElement.dataset.view = 'three';
    this.#three.show(lanes);
    const { scenario } = lanes[0]!.result;
    const recorded = lanes.some((lane) => this.#recorded.includes(lane));
    part('#three-sub').textContent =
      `${count(scenario.parameters.validators)} validators, the same network and seed, one clock${recorded ? ', recorded when the page was made' : ''}. A cell is a subcommittee, filled a quarter at a time; a block is a committee. Verified on the machine of Horn’s post, one signature at a time.`;
    part('#play-here').hidden = this.#index !== undefined;
    if (!this.#index) this.#tellThree(lanes);
    this.#player.wantFrame();
  }

  #laneOf(scenario: SlotScenario): SlotLane | undefined {
    const played = this.#played.get(scenario.system);
    if (played && sameSlot(played.result.scenario, scenario)) return played;
    return this.#recorded.find(
      ({ result }) => result.scenario.system === scenario.system && sameSlot(result.scenario, scenario),
    );
  }

  /** The clock of the three alone, as long as no slot has been played vote by vote. */
  #tellThree(lanes: readonly SlotLane[]): void {
    const horn = lanes.at(-1)!;
    const endUs = horn.result.slotEndMs * 1000;
    const [, , reach] = horn.steps.counts;
    const chapters = threeChapters(lanes);
    this.#player.tell({
      track: {
        spanUs: endUs,
        curve: reach!.map((votes, step) => [step / (reach!.length - 1), votes / Math.max(1, horn.result.votes.cast)]),
      },
      chapters,
      marks: chapters.slice(1).map(({ timeUs, title }): Mark => ({ timeUs, label: title, kind: 'level' })),
      stepsUs: reach!.map((_, step) => step * horn.steps.stepUs),
    });
    this.#player.reset(endUs, false);
    this.#player.goTo(this.#goTo?.timeUs ?? holdUs);
    showCommand(part('#command'), slotCommand(horn.result.scenario));
    part('#digest').textContent = horn.result.digest;
    if (!this.#run)
      say(
        'ready',
        `Held at ${holdUs / 1e6} s, when Ethereum’s present protocol makes the next block. Press play to go on to Horn’s block, at ${endUs / 1e6} s.`,
      );
  }

  #listen(): void {
    themeSwitch(part<HTMLButtonElement>('#theme'), () => this.#repaint());
    copyOnPress(part<HTMLButtonElement>('#copy-link'), () => {
      if (!this.#index) return location.href;
      return new URL(`#${this.#link(Math.round(this.#player.timeUs))}`, location.href).href;
    });
    copyOnPress(part<HTMLButtonElement>('#copy-command'), () => part('#command').textContent ?? '');
    picturesOnPress(part('#keep-picture'), () => this.#keepable());
    for (const name of ['committee', 'subcommittee'] as const) {
      part(`#${name}`).addEventListener('change', () => {
        this.#look({ ...this.#place, [name]: Number(part<HTMLInputElement>(`#${name}`).value) });
      });
    }
    part('#play-others').addEventListener('click', () => this.#playOthers());
    part('#play-here').addEventListener('click', () => {
      this.#start(this.#recorded.at(-1)!.result.scenario);
      // What it is at stands at the head of the page, and so will the field.
      scrollTo({ top: 0 });
    });
    globalThis.addEventListener('hashchange', () => {
      if (isSlotLink(location.hash)) this.#openLink();
    });
    let width = part('#figures').clientWidth;
    new ResizeObserver(([figures]) => {
      if (figures!.contentRect.width === width) return;
      width = figures!.contentRect.width;
      this.#three.resize();
      this.#field.resize();
      this.#chart.resize();
      this.#writeFieldScale();
      this.#player.wantFrame();
    }).observe(part('#figures'));
    new Tip().follow(this.#field.canvas, (x, y) => this.#describe(this.#field.placeUnder(x, y)));
  }

  /** What can be kept as it stands: the slot that is shown, and the systems side by side. */
  #keepable(): Keepable | undefined {
    const index = this.#index;
    const result = index?.result ?? this.#lanes.at(-1)?.result;
    if (result === undefined) return undefined;
    const { timeUs } = this.#player;
    const { parameters, system, seed } = result.scenario;
    const name = index === undefined ? 'slots' : system;
    return {
      words: {
        title: `${count(parameters.validators)} validators, ${index === undefined ? 'three systems' : systemNames[system]}, seed ${seed}, at ${seconds(timeUs)}`,
        origin: originOfCommand(slotCommand(result.scenario), { version: result.version, seed }),
        name: `tutti-${name}-${parameters.validators}-${seed}-${Math.round(timeUs / 1000)}ms`,
      },
      numbers: (view) => {
        if (view === 'three-fields') return this.#lanes.length > 0 ? lanesNumbers(this.#lanes) : undefined;
        if (index === undefined) return undefined;
        return view === 'field' ? fieldNumbers(index, timeUs) : view === 'slot-chart' ? chartNumbers(index) : undefined;
      },
    };
  }

  #describe(place: FieldPlace | undefined): string | undefined {
    if (!place || !this.#index) return undefined;
    const { committee, subcommittee } = this.#index;
    const name = `committee ${place.committee}, subcommittee ${place.subcommittee}`;
    const from = place.committee * committee + place.subcommittee * subcommittee;
    const votes = votesOfPlaces(this.#index, from, from + subcommittee, this.#player.timeUs);
    if (!votes) return `committee ${place.committee} does not vote in this slot`;
    return `${name}: ${votes.reach} of ${votes.voters} in reach`;
  }

  #openLink(): void {
    const state = decodeSlotState(location.hash);
    const { scenario, committee, subcommittee, timeUs } = state;
    if (!this.#index) {
      this.#field.expect(scenario.parameters);
      this.#writeFieldScale();
    }
    this.#goTo = { place: { committee, subcommittee }, timeUs };
    this.#controls.scenario = scenario;
    this.#start(scenario);
  }

  /** Plays a slot, or shows it where it has been played. */
  #start(scenario: SlotScenario): void {
    this.#end();
    this.#waiting = [];
    const [anyPlayed] = this.#played.values();
    if (anyPlayed && !sameSlot(anyPlayed.result.scenario, scenario)) this.#played.clear();
    const played = this.#played.get(scenario.system);
    if (played) this.#show(played);
    else this.#play(scenario, (index) => this.#show(index));
    this.#drawSystems();
  }

  #play(scenario: SlotScenario, onDone: (index: SlotIndex) => void): void {
    const words = `Playing ${count(scenario.parameters.validators)} validators, ${systemNames[scenario.system]}`;
    const bar = part<HTMLProgressElement>('#run-progress');
    bar.classList.add('busy');
    bar.value = 0;
    this.#controls.running = true;
    say('running', `${words}, in a worker …`);
    const task = startSlot(scenario, (share) => {
      this.#run!.progress = share;
      bar.value = share;
      this.#drawSystemsSoon();
    });
    task.result.then(
      (index) => {
        this.#end();
        this.#played.set(scenario.system, index);
        onDone(index);
        this.#compare();
        const next = this.#waiting.shift();
        if (next) this.#play({ ...scenario, system: next }, () => this.#sayOutcome());
        this.#drawSystems();
      },
      (error: Error) => {
        this.#end();
        say('error', error.message);
        this.#drawSystems();
      },
    );
    this.#run = { scenario, task, progress: 0 };
  }

  /** Plays what is missing to compare the three, and leaves what is shown where it is. */
  #playOthers(): void {
    if (!this.#index || this.#run) return;
    const { scenario } = this.#index.result;
    const [first, ...others] = hornSystems.filter((system) => !this.#played.has(system));
    if (first === undefined) return;
    this.#waiting = others;
    this.#play({ ...scenario, system: first }, () => this.#sayOutcome());
    this.#drawSystems();
  }

  #stop(): void {
    if (!this.#run) return;
    this.#end();
    this.#waiting = [];
    say('ready', this.#index ? 'Stopped. The slot below is still the previous one.' : 'Stopped.');
    this.#drawSystems();
  }

  #end(): void {
    this.#run?.task.stop();
    this.#run = undefined;
    this.#controls.running = false;
    part('#run-progress').classList.remove('busy');
  }

  #show(index: SlotIndex): void {
    const again = this.#index && sameSlot(this.#index.result.scenario, index.result.scenario);
    const [recorded] = this.#recorded;
    const fromThree =
      !this.#index && recorded !== undefined && sameSlot(recorded.result.scenario, index.result.scenario);
    const beforeUs = this.#player.timeUs;
    this.#index = index;
    // Drawings measure their room, so there has to be some first.
    delete document.documentElement.dataset.view;
    const { result, clock, topic } = index;
    this.#controls.scenario = result.scenario;
    part('#title').textContent = `${count(result.votes.cast)} votes for one block.`;
    document.title = `Tutti: ${count(result.nodes)} validators, ${systemNames[result.scenario.system]}`;
    this.#field.show(index);
    this.#clock.show(index);
    this.#chart.show(index);
    this.#writeFieldScale();
    part('#clock-sub').textContent = clockWords(index);
    for (const [name, limit] of [
      ['committee', result.scenario.parameters.committees],
      ['subcommittee', result.scenario.parameters.subcommittees],
    ] as const)
      part<HTMLInputElement>(`#${name}`).max = String(limit - 1);
    document.documentElement.toggleAttribute('data-eve', result.scenario.attacks.length > 0);
    document.documentElement.toggleAttribute('data-absent', result.scenario.dead > 0);
    const { spanUs, sorted } = index;
    const curve = Array.from({ length: trackPoints + 1 }, (_, step) => {
      const share = step / trackPoints;
      return [share, countUntil(sorted.reachUs, share * spanUs) / Math.max(1, sorted.castUs.length)] as const;
    });
    const rounds = [clock.attestUs, clock.aggregateUs, clock.collectUs, clock.endUs];
    const moments = new Set([...rounds, ...topic.verifiedUs].filter((us) => us <= spanUs));
    this.#player.tell({
      track: { spanUs, curve },
      chapters: slotChapters(index),
      marks: rounds
        .map((timeUs, place): Mark => ({ timeUs, label: roundWords[place]!, kind: 'level' }))
        .filter(({ timeUs }) => timeUs <= spanUs),
      stepsUs: Float64Array.from(moments).sort(),
    });
    showCommand(part('#command'), slotCommand(result.scenario));
    part('#digest').textContent = result.digest;
    this.#player.reset(spanUs, false);
    this.#arrive(again || fromThree ? beforeUs : undefined);
    this.#sayOutcome();
  }

  /**
   * Goes to the link's moment, or stays at the moment of the same slot with another system; otherwise goes to the
   * beginning, and plays.
   */
  #arrive(stayUs: number | undefined): void {
    const timeUs = this.#goTo?.timeUs ?? stayUs;
    const place = this.#goTo?.place ?? this.#place;
    this.#goTo = undefined;
    if (timeUs !== undefined) this.#player.goTo(timeUs);
    else if (!this.#still.matches) this.#player.play();
    this.#look(place);
  }

  #sayOutcome(): void {
    const { result, blockReachUs } = this.#index!;
    const { inReach, cast } = result.votes;
    const share = thresholdText(result.scenario.threshold);
    const words =
      blockReachUs === undefined
        ? `Fewer than ${share} of the votes came into reach.`
        : `${share} in reach after ${seconds(blockReachUs)}.`;
    say('ready', `${words} When the slot ended, ${percent(inReach, cast)}.`);
  }

  #writeFieldScale(): void {
    const pixels = this.#field.pixelsPerVote;
    const scale =
      pixels >= 1
        ? 'A dot is one vote.'
        : `A vote is smaller than a pixel here: each pixel is the mean of ${(1 / pixels ** 2).toFixed(1)} votes.`;
    const block = `A block is a committee; each rectangle of ${figure(this.#field.votesOfSubcommittee)} votes in it is a subcommittee.`;
    const { dead, attacks } = this.#index?.result.scenario ?? {};
    const order =
      dead || attacks?.length ? ' Lost, offline and Eve’s votes lie at its foot, in the order of the key.' : '';
    part('#field-sub').textContent = `${scale} ${block}${order}`;
  }

  #look({ committee, subcommittee }: FieldPlace): void {
    if (!this.#index) return;
    const { committees, subcommittees } = this.#index.result.scenario.parameters;
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, Math.round(value) || 0));
    this.#place = { committee: within(committee, committees), subcommittee: within(subcommittee, subcommittees) };
    part<HTMLInputElement>('#committee').value = String(this.#place.committee);
    part<HTMLInputElement>('#subcommittee').value = String(this.#place.subcommittee);
    this.#field.choice = this.#place;
    this.#player.writeAddress();
    this.#player.wantFrame();
  }

  #addressOf(timeUs: number | undefined): string | undefined {
    return this.#index && `#${this.#link(timeUs)}`;
  }

  #link(timeUs: number | undefined): string {
    return encodeSlotState({ scenario: this.#index!.result.scenario, ...this.#place, timeUs });
  }

  #repaint(): void {
    this.#three.recolour();
    this.#field.recolour();
    this.#player.wantFrame();
  }

  #systemsFrame = 0;

  #drawSystemsSoon(): void {
    this.#systemsFrame ||= requestAnimationFrame(() => this.#drawSystems());
  }

  #drawSystems(): void {
    this.#systemsFrame = 0;
    const run = this.#run;
    const [anyPlayed] = this.#played.values();
    const isOfTable = run && (!anyPlayed || sameSlot(anyPlayed.result.scenario, run.scenario));
    const about = (anyPlayed ?? this.#index)?.result.scenario ?? run?.scenario ?? this.#recorded[0]?.result.scenario;
    const state = (system: HornSystem): SystemState => {
      const index = this.#played.get(system);
      if (index) return { result: index.result };
      const lane = about && this.#laneOf({ ...about, system });
      if (lane) return { result: lane.result };
      return isOfTable && run.scenario.system === system ? { progress: run.progress } : undefined;
    };
    const shown =
      this.#index && this.#played.has(this.#index.result.scenario.system)
        ? this.#index.result.scenario.system
        : undefined;
    drawSystems(part('#systems'), state, shown, (system) => {
      const scenario = (anyPlayed ?? this.#index)?.result.scenario ?? run?.scenario ?? this.#controls.scenario;
      this.#start({ ...scenario, system });
    });
    part<HTMLButtonElement>('#play-others').disabled =
      run !== undefined || this.#played.size === hornSystems.length || this.#played.size === 0;
  }

  #draw(nowUs: number): void {
    let timeUs = nowUs;
    const index = this.#index;
    if (!index && this.#player.playing && this.#drawnUs < holdUs && timeUs >= holdUs) {
      this.#player.goTo(holdUs);
      timeUs = holdUs;
    }
    this.#drawnUs = timeUs;
    this.#three.draw(timeUs);
    if (!index) return;
    this.#clock.draw(timeUs);
    this.#field.draw(timeUs);
    this.#moment.draw(index, this.#place, timeUs);
    this.#chart.draw(timeUs);
    const { topic } = index;
    const [sent, verified] = [countUntil(topic.sentUs, timeUs), countUntil(topic.verifiedUs, timeUs)];
    part('#topic-now').textContent =
      `At ${seconds(timeUs)} the global topic has carried ${figure(sent)} messages, ${megabytes(sent * topic.messageBytes)} MB; the proposer has verified ${figure(verified)} of them.`;
  }
}

/** How to read the clock. */
function clockWords({ result, clock, blockReachUs }: SlotIndex): string {
  const share = thresholdText(result.scenario.threshold).replace(' ', '\u00a0');
  const round = 'Once round is one slot.';
  if (blockReachUs === undefined) return `${round} The votes in reach never come to ${share}.`;
  if (blockReachUs > clock.endUs) return `${round} ${share} of the votes come into reach only after it.`;
  return `${round} Gold is the moment at which ${share} of the votes are in reach.`;
}
