import { NodeRole, type ProtocolName, type RecordedWorld, type Scenario } from '@tutti/core/simulation';
import { Lab } from './branches/lab.ts';
import { Beside } from './compare/beside.ts';
import { DeskView } from './desk/deskView.ts';
import { GrowthView } from './growth/growthView.ts';
import { chapters } from './guide/chapters.ts';
import { rivalWords } from './guide/rivalChapters.ts';
import { part, say, tellNotices } from './page.ts';
import { runMarks } from './player/marks.ts';
import { meanTrack } from './player/meanTrack.ts';
import { Player } from './player/player.ts';
import { clipOnPress } from './state/clip.ts';
import { Controls } from './state/controls.ts';
import { command, decodeState, encodeState, isStateLink, sameRun } from './state/pageState.ts';
import { listenForRecordings } from './state/recordingChoice.ts';
import { keepOnPress, type PictureWords, picturesOnPress, saveOnPress } from './state/saving.ts';
import { themeSwitch } from './state/theme.ts';
import { hasLevels, heldAt } from './timeline/heldSteps.ts';
import { type NodeStory, nodeStory } from './timeline/nodeStory.ts';
import { likelySpanUs, type RunIndex } from './timeline/runIndex.ts';
import { BetweenFigure } from './views/betweenFigure.ts';
import { showCommand } from './views/command.ts';
import { copyOnPress } from './views/copy.ts';
import { drawProgressLegend } from './views/legends.ts';
import { drawNumbers } from './views/numbersTable.ts';
import { readPalette } from './views/palette.ts';
import { ProgressView } from './views/progressView.ts';
import type { RingOrder } from './views/ringLayout.ts';
import { SignaturePanel } from './views/signaturePanel.ts';
import { drawSteps } from './views/stepList.ts';
import { Tip } from './views/tip.ts';
import { TreeView } from './views/treeView.ts';
import { count, figure, ms, protocolTitles, spelled } from './words.ts';
import type { FinishedRun } from './worker/messages.ts';
import { openRecording } from './worker/openRecording.ts';
import { type Run, startRun } from './worker/startRun.ts';

const slowdownAtFirst = 20;

/** The page: it holds what is chosen and hands each moment to the drawings. */
export class App {
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #player = new Player(
    {
      draw: (timeUs) => this.#draw(timeUs),
      moving: () => this.#between.moving,
      address: (timeUs) => this.#addressOf(timeUs),
    },
    { slowdown: slowdownAtFirst, timeInWords: ms },
  );
  readonly #controls = new Controls({ run: (scenario) => this.#startAnother(scenario), stop: () => this.#stop() });
  readonly #tree = new TreeView(part('#tree'), (node) => this.#look(node));
  readonly #between = new BetweenFigure(readPalette(), {
    select: (node) => this.#look(node),
    circle: (nodes) => this.#lab.circle(nodes),
    redraw: () => this.#player.wantFrame(),
  });
  readonly #lab = new Lab({
    now: () => this.#player.timeUs,
    open: (scenario, at) => this.#openBranch(scenario, at),
  });
  readonly #beside = new Beside(() => {
    if (!this.#index || !this.#story) return;
    this.#player.extend(this.#endUs, !this.#index.done);
    this.#tell(this.#story);
    this.#player.writeAddress();
    this.#player.wantFrame();
  });
  readonly #progress = new ProgressView(part('#progress'), readPalette(), {
    select: (node) => this.#look(node),
    seek: (timeUs) => this.#player.seek(timeUs),
  });
  readonly #desk = new DeskView();
  readonly #growth = new GrowthView();
  readonly #signature = new SignaturePanel();

  #run: Run | undefined;
  #index: RunIndex | undefined;
  /** Whether the run on the page was read from a file, so that no link makes it again. */
  #opened = false;
  /** Whether anything of the current run is on the page. */
  #shown = false;
  #story: NodeStory | undefined;
  #node = 0;
  #order: RingOrder = 'tree';
  /** What stands beside the run that a link asked for, or stood beside the one before. */
  #besides: readonly ProtocolName[] = [];
  /** Where to go once the run that a link asked for is there. */
  #goTo: { node: number; timeUs: number | undefined; plays?: boolean } | undefined;

  open(): void {
    this.#listen();
    this.#openLink();
  }

  #listen(): void {
    themeSwitch(part<HTMLButtonElement>('#theme'), () => this.#repaint());
    copyOnPress(part<HTMLButtonElement>('#copy-link'), () => {
      if (!this.#index || this.#opened) return location.href;
      return new URL(`#${this.#link(Math.round(this.#player.timeUs))}`, location.href).href;
    });
    copyOnPress(part<HTMLButtonElement>('#copy-command'), () => part('#command').textContent ?? '');
    saveOnPress(part<HTMLButtonElement>('#save-run'), () => this.#index?.recording);
    keepOnPress(part('#keep-as'), () => (this.#index?.done === true ? this.#index : undefined));
    clipOnPress(part<HTMLButtonElement>('#clip'), part('#keep-clip [role="status"]'), {
      host: () => {
        if (this.#index?.done !== true) return undefined;
        const beside = part('#beside-runs');
        return beside.hidden ? part('#flight') : beside;
      },
      play: () => {
        this.#player.goTo(0);
        this.#player.play();
      },
      playing: () => this.#player.playing,
      words: () => this.#pictureWords()?.title ?? '',
      name: () => `tutti-${this.#index?.recording.scenario.nodes}-${this.#index?.recording.scenario.seed}`,
    });
    picturesOnPress(part('#keep-picture'), () => this.#pictureWords());
    part('#ring-order').addEventListener('change', (event) => {
      this.#order = (event.target as HTMLInputElement).value as RingOrder;
      this.#between.arrange(this.#order, this.#still.matches);
      this.#player.writeAddress();
      this.#player.wantFrame();
    });
    part('#node').addEventListener('change', () => this.#look(Number(part<HTMLInputElement>('#node').value)));
    globalThis.addEventListener('hashchange', () => {
      if (isStateLink(location.hash)) this.#openLink();
    });
    listenForRecordings((file) => this.#open(file));
    let width = part('#figures').clientWidth;
    new ResizeObserver(([figures]) => {
      // A run that makes the page longer changes no drawing.
      if (figures!.contentRect.width === width) return;
      width = figures!.contentRect.width;
      this.#resize();
    }).observe(part('#figures'));

    const tip = new Tip();
    const name = (node: number | undefined) => (node === undefined ? undefined : this.#describe(node));
    tip.follow(part('#tree'), (x, y) => {
      const node = this.#tree.nodeUnder(x, y);
      const bar = node === undefined ? undefined : this.#tree.barOf(node);
      if (!bar) return name(node);
      if (bar.inside === undefined)
        return `${range(bar)}: which of them are in was not kept, only how many of the level`;
      return `${range(bar)}: ${figure(bar.inside)} of ${figure(bar.to - bar.from)} in`;
    });
    tip.follow(part('#flight'), (x, y) => name(this.#between.nodeUnder(x, y)));
    tip.follow(part('#progress'), (x, y) => {
      const row = this.#progress.rowUnder(x, y);
      if (!row) return undefined;
      if (row.to - row.from === 1) return this.#describe(row.from, this.#progress.timeUnder(x));
      return `${range(row)}: hold ${count(row.held)} on average at ${ms(this.#progress.timeUnder(x))}`;
    });
  }

  #pictureWords(): PictureWords | undefined {
    if (!this.#index) return undefined;
    const { scenario } = this.#index.recording;
    const { nodes, seed, protocol } = scenario;
    const { timeUs } = this.#player;
    return {
      title: `${protocolTitles[protocol]}, ${count(nodes)} nodes, seed ${seed}, node ${this.#node} at ${ms(timeUs)}`,
      description: command(scenario),
      name: `tutti-${nodes}-${seed}-${Math.round(timeUs / 1000)}ms`,
    };
  }

  #describe(node: number, atUs = this.#player.timeUs): string | undefined {
    if (!this.#index) return undefined;
    const { world } = this.#index.recording;
    const where = regionOf(world, node);
    const place = where ? `node ${figure(node)}, ${where}` : `node ${figure(node)}`;
    const role = world.alive[node];
    if (role !== NodeRole.honest) return `${place}: ${role === NodeRole.byzantine ? 'Byzantine' : 'dead'}`;
    return `${place}: holds ${figure(heldAt(this.#index.steps, node, atUs))} at ${ms(atUs)}`;
  }

  #openLink(): void {
    const state = decodeState(location.hash);
    tellNotices(state.notices);
    this.#order = state.order;
    part<HTMLInputElement>(`#ring-order input[value="${state.order}"]`).checked = true;
    this.#goTo = { node: state.node, timeUs: state.timeUs };
    this.#besides = state.beside;
    if (this.#index && sameRun(this.#index.recording.scenario, state.scenario) && !this.#run) {
      this.#between.arrange(this.#order, true);
      this.#arrive();
      return;
    }
    this.#controls.scenario = state.scenario;
    this.#start(state.scenario);
  }

  /** A branch of the run that is shown, from the moment on at which it left it. */
  #openBranch(
    scenario: Scenario,
    at: { readonly timeUs: number; readonly node: number | undefined; readonly plays: boolean },
  ): void {
    this.#goTo = { timeUs: at.timeUs, node: at.node ?? this.#node, plays: at.plays };
    this.#controls.scenario = scenario;
    this.#startAnother(scenario);
  }

  /** A run that the reader chose, from which Back leads to the one before. */
  #startAnother(scenario: Scenario): void {
    tellNotices([]);
    this.#player.turnPage();
    this.#start(scenario);
  }

  #start(scenario: Scenario): void {
    this.#run?.stop();
    this.#player.pause();
    this.#controls.running = true;
    const bar = part<HTMLProgressElement>('#run-progress');
    bar.classList.add('busy');
    bar.removeAttribute('value');
    say('running', 'Getting ready …');
    this.#shown = false;
    this.#opened = false;
    if (this.#beside.protocols.length > 0) this.#besides = this.#beside.protocols;
    this.#beside.clear();
    this.#signature.clear();
    const likely = 1 / likelySpanUs(scenario);
    this.#run = startRun(scenario, {
      signing: (signed) => say('running', `${signed} of ${scenario.nodes} nodes have signed`),
      progress: ({ reached, live, nowUs, events }) => {
        bar.value = Math.max(reached / live, likely * nowUs);
        say(
          'running',
          `${figure(reached)} of ${figure(live)} nodes done at ${ms(nowUs)} of virtual time, ${count(events)} events`,
        );
      },
      partial: (index) => {
        // A link that names a moment, and a reader who wants no motion, get the whole run at once.
        if (this.#goTo?.timeUs === undefined && !this.#still.matches) this.#adopt(index);
      },
      done: (run) => {
        this.#ended();
        this.#finish(run);
      },
      failed: (message) => {
        this.#ended();
        say('error', message);
      },
    });
  }

  /** Shows a run from a file; what is on the page stays until the file has been read, and when it cannot be. */
  #open(file: File): void {
    this.#stop();
    this.#controls.running = true;
    part('#run-progress').classList.add('busy');
    part('#run-progress').removeAttribute('value');
    say('running', `Reading ${file.name} …`);
    this.#run = openRecording(file, {
      done: (run) => {
        this.#ended();
        this.#player.pause();
        this.#shown = false;
        this.#opened = true;
        this.#goTo = undefined;
        this.#finish(run);
        this.#player.writeAddress();
      },
      failed: (message) => {
        this.#ended();
        say('error', message);
      },
    });
  }

  #stop(): void {
    if (!this.#run) return;
    this.#run.stop();
    this.#ended();
    if (this.#index && !this.#index.done) {
      this.#player.extend(this.#index.endUs, false);
      say('ready', `Stopped after ${ms(this.#index.endUs)} of virtual time; until then it can be played.`);
    } else say('ready', this.#index ? 'Stopped. Below is still the run before.' : 'Stopped.');
  }

  #ended(): void {
    this.#run = undefined;
    this.#controls.running = false;
    part('#run-progress').classList.remove('busy');
  }

  #finish(run: FinishedRun): void {
    const { index, curve } = run;
    const { result, world } = index.recording;
    this.#adopt(index);
    this.#beside.show(index, this.#besides);
    this.#besides = [];
    drawNumbers(part('#numbers'), result);
    this.#growth.show(index.recording.scenario, result);
    part('#digest').textContent = result.digest;
    part('#curve').textContent = curve ? `Signatures by ${curve}; the check at the end by noble-curves.` : '';
    this.#signature.show(run);
    const { min, max } = result.timeToThresholdMs;
    say(
      'ready',
      world.threshold === 1
        ? `The threshold is 1 of ${count(result.live)} live nodes: each node's own signature is enough, and nothing had to be aggregated.`
        : result.reached === result.live
          ? `All ${count(result.live)} done, after ${min.toFixed(0)} to ${max.toFixed(0)} ms.`
          : `${figure(result.reached)} of ${figure(result.live)} live nodes reached ${figure(world.threshold)}.`,
    );
  }

  /** Takes on a run, or more of the one that is shown. */
  #adopt(index: RunIndex): void {
    this.#index = index;
    const { world } = index.recording;
    this.#progress.show(index);
    part<HTMLButtonElement>('#save-run').disabled = !index.done;
    if (this.#shown) {
      this.#between.index = index;
      this.#lab.more(index);
      this.#player.extend(index.endUs, !index.done);
      this.#tell(nodeStory(index, this.#node));
      this.#tree.story = this.#story!;
      return;
    }
    this.#shown = true;
    const { scenario } = index.recording;
    showCommand(part('#command'), command(scenario));
    this.#controls.shown = scenario;
    const levels = hasLevels(scenario.protocol);
    part('#tree').hidden = !levels;
    part('#no-tree').hidden = levels;
    part('#no-tree').textContent = levels ? '' : rivalWords(scenario.protocol).noTree;
    if (!index.done) {
      part('#numbers').replaceChildren();
      this.#growth.show(scenario, undefined);
      part('#digest').textContent = 'once the run is done';
    }
    part('#title').textContent = `${spelled(index.recording.result.live)} signatures become one.`;
    part<HTMLInputElement>('#node').max = String(world.nodes - 1);
    part('#node').style.setProperty('--digits', String(String(world.nodes - 1).length));
    part('#progress-sub').textContent = everyoneWords(index);
    this.#between.show(index, this.#order);
    this.#lab.show(index);
    this.#desk.show(scenario, index.done ? index.recording.result.digest : undefined);
    this.#player.reset(index.endUs, !index.done);
    drawProgressLegend(part('#progress-legend'), readPalette(), world.threshold, world.alive);
    this.#arrive();
  }

  /** Goes where the link said; without a word from it, to the beginning, and plays. */
  #arrive(): void {
    const alive = this.#index!.recording.world.alive;
    const goTo = this.#goTo;
    this.#goTo = undefined;
    const node = goTo?.node ?? this.#node;
    if (goTo?.timeUs !== undefined) this.#player.goTo(goTo.timeUs);
    // Before the address is written, for a link to a run that plays names no moment.
    else if (!this.#still.matches) this.#player.play();
    if (goTo?.plays === true && !this.#still.matches) this.#player.play();
    this.#look(node < alive.length && (goTo?.timeUs !== undefined || alive[node] === 1) ? node : alive.indexOf(1));
  }

  #look(node: number): void {
    if (!this.#index) return;
    const { world } = this.#index.recording;
    const id = Math.min(world.nodes - 1, Math.max(0, Math.round(node) || 0));
    this.#node = id;
    this.#tell(nodeStory(this.#index, id));
    part<HTMLInputElement>('#node').value = String(id);
    const where = regionOf(world, id);
    const factor = world.cpuFactor[id]!;
    const pace = factor > 1 ? `${factor.toFixed(1)} times slower` : `${(1 / factor).toFixed(1)} times faster`;
    part('#node-world').textContent =
      world.alive[id] === 1
        ? `${where ?? ''}${where ? ', a' : 'A'} machine ${pace} than the standard one`
        : world.alive[id] === NodeRole.byzantine
          ? 'Byzantine: it does what the attack says'
          : 'dead from the beginning';
    this.#tree.show(this.#story!);
    this.#between.node = id;
    this.#progress.node = id;
    this.#lab.node = id;
    this.#desk.node = id;
    this.#player.writeAddress();
    this.#player.wantFrame();
  }

  #tell(story: NodeStory): void {
    this.#story = story;
    const index = this.#index!;
    this.#player.tell({
      track: this.#track(index),
      chapters: chapters(index, story),
      marks: runMarks(index, story),
      stepsUs: story.stepTimeUs,
    });
  }

  /** Where the clock ends: with the run, or with what stands beside it. */
  get #endUs(): number {
    return Math.max(this.#index!.endUs, this.#beside.endUs);
  }

  #track(index: RunIndex): ReturnType<typeof meanTrack> {
    const own = meanTrack(index);
    if (this.#endUs <= own.spanUs) return own;
    const share = own.spanUs / this.#endUs;
    const curve = own.curve.map(([time, done]) => [time * share, done] as const);
    return { spanUs: this.#endUs, curve: [...curve, [1, curve.at(-1)?.[1] ?? 0]] };
  }

  #addressOf(timeUs: number | undefined): string | undefined {
    if (!this.#index) return undefined;
    if (this.#opened) return location.pathname + location.search;
    return `#${this.#link(timeUs)}`;
  }

  #link(timeUs: number | undefined): string {
    const { scenario } = this.#index!.recording;
    return encodeState({ scenario, node: this.#node, timeUs, order: this.#order, beside: this.#beside.protocols });
  }

  #repaint(): void {
    const palette = readPalette();
    this.#between.palette = palette;
    this.#progress.palette = palette;
    this.#beside.recolour();
    if (this.#index) {
      const { world } = this.#index.recording;
      drawProgressLegend(part('#progress-legend'), palette, world.threshold, world.alive);
    }
    this.#player.wantFrame();
  }

  #resize(): void {
    if (!this.#index || !this.#story) return;
    this.#tree.show(this.#story);
    this.#between.resize();
    this.#progress.resize();
    this.#growth.resize();
    this.#beside.resize();
    this.#player.wantFrame();
  }

  #draw(timeUs: number): void {
    if (!this.#index || !this.#story) return;
    this.#tree.draw(timeUs);
    drawSteps(part('#steps'), this.#story, timeUs);
    this.#between.draw(timeUs);
    this.#progress.draw(timeUs);
    this.#lab.draw(timeUs);
    this.#beside.draw(timeUs);
    this.#desk.draw(timeUs);
  }
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return `nodes ${figure(from)} to ${figure(to - 1)}`;
}

/** How the picture of everyone is to be read. */
function everyoneWords({ grid: { perRow } }: RunIndex): string {
  const below = 'below it the fastest, the mean and the slowest; time runs to the right.';
  return perRow === 1
    ? `One row a node, in tree order, and ${below} Click a row to see through that node’s eyes.`
    : `One row is a subtree of ${figure(perRow)} nodes and what they hold on average, in tree order; ${below} Click a row to see through the eyes of one of its nodes.`;
}

/** Where a node is, in a world that has more than one place. */
function regionOf({ region, regionNames }: RecordedWorld, node: number): string | undefined {
  return regionNames.length > 1 ? regionNames[region[node]!] : undefined;
}
