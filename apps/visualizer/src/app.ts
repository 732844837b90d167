import { version } from '@tutti/core';
import { NodeRole, type ProtocolName, type Scenario, type VerificationQueue } from '@tutti/simulation';
import { Lab } from './branches/lab.ts';
import { OtherProtocols } from './compare/otherProtocols.ts';
import { count, ms } from './formatNumber.ts';
import { InSight, query, say, sayError, showNotices } from './page.ts';
import { present } from './player/present.ts';
import { queueNumbers } from './queue/queueText.ts';
import { QueueView } from './queue/queueView.ts';
import { RunFigures } from './run/runFigures.ts';
import { clipOnPress } from './state/clip.ts';
import { Controls } from './state/controls.ts';
import { exportOnPress } from './state/exporting.ts';
import type { Exportable } from './state/exportView.ts';
import { decodeState, encodeState, isStateLink, sameRun } from './state/pageState.ts';
import { likelySpanUs, type RunIndex } from './timeline/runIndex.ts';
import { SignaturePanel } from './views/signaturePanel.ts';
import { type FinishedRun, openRecording, type RunProgress, startRun } from './worker/runTasks.ts';
import { OneTask } from './worker/task.ts';

/** Lets the reader choose a recording file, with a button or by dropping the file anywhere on the page. */
function listenForRecordings(onFile: (file: File) => void): void {
  const input = query<HTMLInputElement>('#recording-file');
  query('#open-recording').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // The value is reset, so that choosing the same file again fires a change event.
    input.value = '';
    if (file) onFile(file);
  });

  const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  const mark = (over: boolean) => document.documentElement.toggleAttribute('data-dropping', over);
  document.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) mark(false);
  });
  document.addEventListener('drop', (event) => {
    mark(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  });
}

/** Position in a run to show after the run has loaded. */
interface GoTo {
  readonly node: number;
  /** Moment, µs; if undefined, the clock runs from the beginning. */
  readonly timeUs: number | undefined;
  /** Whether the clock runs from `timeUs`. */
  readonly plays?: boolean;
}

/** The lab's page, on which users simulate, watch, modify and store runs. */
class App {
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #controls = new Controls({ run: (scenario) => this.#startAnother(scenario), stop: () => this.#stop() });
  readonly #figures: RunFigures = new RunFigures({
    link: (timeUs) => this.#link(timeUs),
    looked: (node) => {
      this.#lab.node = node;
      this.#queue.node = node;
    },
    draw: (timeUs) => {
      if (this.#sight.has(query('#lab'))) this.#lab.draw(timeUs);
      this.#others.draw(timeUs);
      this.#queue.draw(timeUs);
    },
    circle: (nodes) => this.#lab.circle(nodes),
    comparedEndUs: () => Math.max(this.#others.endUs, this.#lab.endUs, this.#queue.endUs),
  });
  readonly #player = this.#figures.player;
  readonly #sight: InSight = new InSight(() => this.#player.wantFrame());
  readonly #lab: Lab = new Lab({
    now: () => this.#player.timeUs,
    open: (scenario, at) => this.#openBranch(scenario, at),
    changed: () => this.#figures.comparisonChanged(),
  });
  readonly #others = new OtherProtocols(() => {
    this.#figures.comparisonChanged();
    if (this.#figures.index) this.#player.writeAddress();
  });
  readonly #queue: QueueView = new QueueView({
    seek: (timeUs) => this.#player.seek(timeUs),
    edited: () => this.#player.writeAddress(),
    changed: () => this.#figures.comparisonChanged(),
  });
  readonly #signature = new SignaturePanel();

  readonly #run = new OneTask(query<HTMLProgressElement>('#run-progress'), (isRunning) => {
    this.#controls.running = isRunning;
    if (!isRunning) this.#pending = undefined;
  });
  /** Scenario of a run that is being prepared and is not shown yet. The page's address already names this run. */
  #pending: Scenario | undefined;
  /** Last run that was read from a file. A link to such a run has no fields, because it could not reproduce the run. */
  #fromFile: RunIndex | undefined;
  /** Protocols to compare with the next run, taken from a link or from the previous comparison. */
  #compare: readonly ProtocolName[] = [];
  /** Position to show once the run that is being prepared is loaded; undefined for the beginning. */
  #goTo: GoTo | undefined;

  /** Connects the parts of the page, and opens the run that the page's address names. */
  open(): void {
    this.#listen();
    this.#openLink(location.hash);
  }

  get #index(): RunIndex | undefined {
    return this.#figures.index;
  }

  #listen(): void {
    this.#sight.watch(query('#lab'));
    present(
      {
        follow: (hash) => {
          if (isStateLink(hash)) this.#openLink(hash);
        },
        link: (timeUs) => this.#link(timeUs),
        recolour: () => {
          this.#figures.repaint();
          this.#others.recolour();
          this.#lab.recolour();
          this.#queue.recolour();
        },
        resize: () => this.#figures.resize(),
        print: () => void this.#figures.exportable(),
        printable: async () => void (await this.#queue.found()),
        exportable: () => this.#exportable(),
      },
      this.#player,
    );
    exportOnPress(document.body, query('#save-as [role="status"]'), () =>
      this.#index?.done === true ? { index: this.#index, node: this.#figures.node } : undefined,
    );
    clipOnPress(query<HTMLButtonElement>('#clip'), query('#save-clip [role="status"]'), {
      host: () => {
        if (this.#index?.done !== true) return undefined;
        const runs = query('#compare-runs');
        return runs.hidden ? query('#flight') : runs;
      },
      play: () => {
        this.#player.goTo(0);
        this.#player.play();
      },
      playing: () => this.#player.playing,
      words: () => this.#figures.pictureWords()?.title ?? '',
      name: () => `tutti-${this.#index?.recording.scenario.nodes}-${this.#index?.recording.scenario.seed}`,
    });
    listenForRecordings((file) => this.#open(file));
    new ResizeObserver(() => this.#others.resize()).observe(query('#compare-runs'));
  }

  #exportable(): Exportable | undefined {
    const figures = this.#figures.exportable();
    let queue: VerificationQueue | undefined;
    return (
      figures && {
        ...figures,
        settled: async (view) => {
          if (view !== 'queue') return true;
          this.#player.pause();
          queue = await this.#queue.found();
          return queue !== undefined;
        },
        numbers: (view) => {
          if (view === 'queue') return queue && queueNumbers(queue);
          return view === 'compare-runs' ? this.#others.numbers() : figures.numbers(view);
        },
      }
    );
  }

  /**
   * Shows the state that a link describes. A run that is already shown is not simulated again, unless it is from a file,
   * which another version may have written.
   */
  #openLink(hash: string): void {
    const state = decodeState(hash);
    showNotices(state.notices);
    this.#figures.view = state.between;
    this.#goTo = { node: state.node, timeUs: state.timeUs };
    this.#queue.edited = state.edited;
    const shown = this.#index === this.#fromFile || this.#run.isRunning ? undefined : this.#index;
    if (shown?.done && sameRun(shown.recording.scenario, state.scenario)) {
      this.#figures.arrange();
      if (state.compare.join() !== this.#others.protocols.join()) {
        this.#others.show(shown, state.compare);
        this.#figures.comparisonChanged();
      }
      this.#arrive();
      return;
    }
    this.#compare = state.compare;
    this.#controls.scenario = state.scenario;
    this.#start(state.scenario);
  }

  /** Opens a branch of the shown run at the moment at which the branch diverges from the run. */
  #openBranch(
    scenario: Scenario,
    at: { readonly timeUs: number; readonly node: number | undefined; readonly plays: boolean },
  ): void {
    this.#controls.scenario = scenario;
    this.#startAnother(scenario, { ...at, node: at.node ?? this.#figures.node });
  }

  /**
   * Starts a run that the reader chose. The browser's Back button returns to the previous run at the moment last shown.
   */
  #startAnother(scenario: Scenario, goTo?: GoTo): void {
    showNotices([]);
    this.#player.pause();
    this.#player.writeAddress();
    this.#goTo = goTo;
    this.#pending = scenario;
    this.#player.addHistoryEntry();
    this.#start(scenario);
  }

  #start(scenario: Scenario): void {
    this.#run.stop();
    this.#pending = scenario;
    this.#player.pause();
    say('running', 'Getting ready …');
    this.#figures.clear();
    this.#run.wait(
      startRun(scenario, { progress: (progress) => this.#showProgress(scenario, progress) }),
      (run) => this.#finish(run).catch(sayError),
      (error) => {
        this.#giveUp();
        sayError(error);
      },
    );
  }

  #showProgress(scenario: Scenario, progress: RunProgress): void {
    if (progress.kind === 'signing')
      say('running', `${count(progress.signed)} of ${count(scenario.nodes)} nodes have signed`);
    else if (progress.kind === 'running') {
      const { reached, live, nowUs, events } = progress;
      this.#run.progress = Math.max(reached / live, nowUs / likelySpanUs(scenario));
      say(
        'running',
        `${count(reached)} of ${count(live)} nodes have finished after ${ms(nowUs)} of virtual time and ${count(events)} events`,
      );
    } else if (this.#goTo?.timeUs === undefined && !this.#still.matches) this.#adopt(progress.index);
    // The whole run is shown at once if the link names a moment, or if the user prefers reduced motion.
  }

  /**
   * Shows a run from a file. The page stays unchanged while the file is being read, and also if the file cannot be
   * read.
   */
  #open(file: File): void {
    this.#stop();
    say('running', `Reading ${file.name} …`);
    const show = (run: FinishedRun) => {
      this.#player.pause();
      this.#figures.clear();
      this.#fromFile = run.index;
      this.#goTo = undefined;
      const { scenario, result } = run.index.recording;
      this.#controls.scenario = scenario;
      const recordedBy = result.version;
      showNotices(
        recordedBy === version
          ? []
          : [
              `This run was recorded by version ${recordedBy} and is shown by version ${version}. The run is shown as recorded.`,
            ],
      );
      this.#finish(run).catch(sayError);
      this.#player.writeAddress();
    };
    this.#run.wait(openRecording(file), show, sayError);
  }

  #stop(): void {
    if (!this.#run.isRunning) return;
    this.#run.stop();
    this.#giveUp();
    this.#player.writeAddress();
    if (this.#index && !this.#index.done) {
      this.#player.extend(this.#index.endUs, false);
      say('ready', `Stopped after ${ms(this.#index.endUs)} of virtual time. You can play the run up to this time.`);
    } else say('ready', this.#index ? 'Stopped. The page still shows the previous run.' : 'Stopped.');
  }

  /** Discards the position and the comparisons of a run that will not be shown. */
  #giveUp(): void {
    this.#goTo = undefined;
    // A part of the run that is shown has not been compared yet.
    if (this.#index?.done) this.#compare = [];
  }

  /**
   * Shows a finished run: first the figures, then, in a separate task, the parts below the figures, so that the page
   * stays responsive.
   */
  async #finish(run: FinishedRun): Promise<void> {
    const { index, curve } = run;
    const { result, world } = index.recording;
    this.#adopt(index);
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#index !== index) return;
    this.#others.show(index, this.#compare);
    this.#compare = [];
    this.#figures.finish();
    query('#curve').textContent = curve ? `${curve} computes the signatures; noble-curves verifies the result.` : '';
    this.#signature.show(run);
    const { min, max } = result.timeToThresholdMs;
    say(
      'ready',
      world.threshold === 1
        ? `The threshold is 1 of ${count(result.live)} live nodes: each node's own signature is enough, so no node had to aggregate.`
        : result.reached === result.live
          ? `All ${count(result.live)} nodes finished after ${min.toFixed(0)} to ${max.toFixed(0)} ms.`
          : `${count(result.reached)} of ${count(result.live)} live nodes reached the threshold of ${count(world.threshold)}.`,
    );
  }

  /** Takes over a run, or further data of the shown run. */
  #adopt(index: RunIndex): void {
    this.#pending = undefined;
    query<HTMLButtonElement>('#save-run').disabled = !index.done;
    if (!this.#figures.adopt(index)) {
      this.#lab.more(index);
      return;
    }
    if (this.#compare.length === 0) this.#compare = this.#others.protocols;
    this.#others.clear();
    this.#signature.clear();
    const isFromFile = index === this.#fromFile;
    for (const button of ['#copy-link', '#copy-embed']) query<HTMLButtonElement>(button).disabled = isFromFile;
    const { scenario, world, result } = index.recording;
    this.#controls.shown = scenario;
    this.#lab.show(index);
    this.#queue.show(scenario, world, index.done ? result.digest : undefined);
    this.#arrive();
  }

  /** Goes to the moment that the link names. If the link names no moment, goes to the beginning and plays. */
  #arrive(): void {
    const roles = this.#index!.recording.world.role;
    const goTo = this.#goTo;
    this.#goTo = undefined;
    const node = goTo?.node ?? this.#figures.node;
    if (goTo?.timeUs !== undefined) this.#player.goTo(goTo.timeUs);
    // Playing starts before the address is written, because a link to a playing run names no moment.
    else if (!this.#still.matches) this.#player.play();
    if (goTo?.plays === true && !this.#still.matches) this.#player.play();
    this.#figures.look(
      node < roles.length && (goTo?.timeUs !== undefined || roles[node] === NodeRole.honest)
        ? node
        : roles.indexOf(NodeRole.honest),
    );
  }

  #link(timeUs: number | undefined): string | undefined {
    if (this.#pending) return this.#linkTo(this.#pending, this.#goTo?.plays ? undefined : this.#goTo?.timeUs);
    if (!this.#index) return undefined;
    return this.#index === this.#fromFile ? '' : this.#linkTo(this.#index.recording.scenario, timeUs);
  }

  #linkTo(scenario: Scenario, timeUs: number | undefined): string {
    const { view: between } = this.#figures;
    const node = this.#goTo?.node ?? this.#figures.node;
    return encodeState({
      scenario,
      node,
      timeUs,
      between,
      compare: this.#compare.length > 0 ? this.#compare : this.#others.protocols,
      edited: this.#queue.edited,
    });
  }
}

// The page's parts are created in one task, and the run is opened in another, so that the browser can paint in between.
setTimeout(() => {
  const app = new App();
  setTimeout(() => app.open());
});
