import { protocols } from '@tutti/simulation';
import { CompletionView } from '../completion/completionView.ts';
import { originOfCommand } from '../files.ts';
import { count, ms, spelled } from '../formatNumber.ts';
import { GrowthView } from '../growth/growthView.ts';
import { baselineWords, chapters } from '../guide/chapters.ts';
import { InSight, query, showCommand } from '../page.ts';
import { Player } from '../player/player.ts';
import type { Exportable, PictureWords } from '../state/exportView.ts';
import { type BetweenView, command } from '../state/pageState.ts';
import { viewNumbers } from '../state/viewNumbers.ts';
import { hasLevels } from '../timeline/heldSteps.ts';
import { type NodeStory, nodeStory } from '../timeline/nodeStory.ts';
import { findIn, type RunIndex } from '../timeline/runIndex.ts';
import { readPalette } from '../views/canvas.ts';
import { drawProgressLegend } from '../views/legends.ts';
import { ProgressView } from '../views/progressView.ts';
import { TimeSpaceView } from '../views/timeSpaceView.ts';
import { TreeView } from '../views/treeView.ts';
import { BetweenFigure } from './betweenFigure.ts';
import { meanTrack, runMarks } from './runMarks.ts';
import { drawNumbers, drawSteps, followFigures, nodeWords, worldWords } from './runTables.ts';

/** Parts of a large run's figures that take turns being drawn while the clock runs. */
const turns = ['tree', 'steps', 'words'] as const;
type Turn = (typeof turns)[number];
/** Minimum time between two turns, ms. */
const turnMs = 20;

/** Factor by which a story slows down a chapter of normal length. */
const storySlowdown = 20;
/**
 * Number of nodes above which the parts in `turns` are drawn in turn while the clock runs. Drawing all of them in each
 * frame would take too long.
 */
const largeNodes = 1024;

/** Callbacks that connect a page with a run's figures. */
interface FiguresListener {
  /** Returns the link to a moment, µs; `undefined` stands for playing from the beginning. */
  link(timeUs: number | undefined): string | undefined;
  /** Called when another node has been selected. */
  looked(node: number): void;
  /** Called when a moment is drawn, so that related figures are drawn as well. */
  draw(timeUs: number): void;
  /** Called when the reader has circled nodes. */
  circle(nodes: readonly number[]): void;
  /** Returns the end of the compared runs, µs. */
  comparedEndUs(): number;
}

/** Figures of one run with a common clock and a common selected node. */
export class RunFigures {
  readonly player: Player;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #on: FiguresListener;
  readonly #tree: TreeView;
  readonly #between: BetweenFigure;
  readonly #progress: ProgressView;
  readonly #timeSpace: TimeSpaceView;
  readonly #completion: CompletionView;
  readonly #growth = new GrowthView();
  readonly #sight: InSight;
  #index: RunIndex | undefined;
  #story: NodeStory | undefined;
  #node = 0;
  /** Requested view of the events between the nodes. */
  view: BetweenView = 'tree';
  /** Whether the figures show the current run, so that more data of this run extend them. */
  #shown = false;
  /** Story whose time-space diagram is drawn. The diagram is drawn when it becomes visible. */
  #diagramOf: NodeStory | undefined;
  /** Story whose tree is drawn. The tree is drawn when it becomes visible. */
  #treeOf: NodeStory | undefined;
  /** Index of the last turn in `turns`. */
  #turn = 0;
  /** Real time of the last turn, ms. */
  #turnAtMs = 0;
  /** Whether a frame has been drawn since the run was loaded. */
  #isSettled = false;

  constructor(on: FiguresListener) {
    this.#on = on;
    this.player = new Player(
      {
        draw: (timeUs) => this.#draw(timeUs),
        moving: () => this.#between.moving,
        link: (timeUs) => on.link(timeUs),
      },
      { slowdown: storySlowdown, timeInWords: ms },
    );
    const palette = readPalette();
    const select = (node: number) => this.look(node);
    this.#tree = new TreeView(query('#tree'), select);
    this.#between = new BetweenFigure(palette, {
      select,
      circle: (nodes) => on.circle(nodes),
      redraw: () => this.player.wantFrame(),
    });
    this.#progress = new ProgressView(query('#progress'), palette, {
      select,
      seek: (timeUs) => this.player.seek(timeUs),
    });
    this.#timeSpace = new TimeSpaceView(query('#time-space'), palette, select);
    this.#completion = new CompletionView(palette, { select });
    this.#sight = new InSight(() => this.player.wantFrame());
    this.#sight.watch(
      ...['#tree', '#flight', '#progress', '#time-space', '#completion', '#growth-chart'].map((one) => query(one)),
    );
    this.#listen();
  }

  get index(): RunIndex | undefined {
    return this.#index;
  }

  get node(): number {
    return this.#node;
  }

  /** Shows the run in the chosen view, without animation. */
  arrange(): void {
    this.#between.arrange(this.view, true);
  }

  /** Ends the current run, so that the next one counts as a new run. */
  clear(): void {
    this.#shown = false;
  }

  /** Accepts a run, or further data of the shown run. @returns whether the run is a new one. */
  adopt(index: RunIndex): boolean {
    this.#index = index;
    this.#progress.show(index);
    this.#completion.show(index);
    if (this.#shown) {
      this.#between.index = index;
      this.player.extend(this.#endUs, !index.done);
      const isTreeDrawn = this.#treeOf === this.#story;
      this.#showStory(nodeStory(index, this.#node));
      if (isTreeDrawn) {
        this.#tree.story = this.#story!;
        this.#treeOf = this.#story;
      }
      return false;
    }
    this.#shown = true;
    this.#isSettled = false;
    const { scenario, world, result } = index.recording;
    showCommand(query('#command'), command(scenario));
    const levels = hasLevels(scenario.protocol);
    query('#tree').hidden = !levels;
    query('#no-tree').hidden = levels;
    query('#no-tree').textContent = levels ? '' : baselineWords(scenario.protocol).noTree;
    query('#time-space-figure').hidden = !index.recording.sends;
    if (!index.done) {
      query('#numbers').replaceChildren();
      this.#growth.show(scenario, undefined);
      query('#digest').textContent = 'when the run has finished';
    }
    query('#title').textContent =
      result.live === 1 ? 'One signature.' : `${spelled(result.live)} signatures become one.`;
    query<HTMLInputElement>('#node').max = String(world.nodes - 1);
    query('#node').style.setProperty('--digits', String(String(world.nodes - 1).length));
    query('#progress-sub').textContent = everyoneWords(index);
    this.#between.show(index, this.view);
    this.player.reset(index.endUs, !index.done);
    drawProgressLegend(query('#progress-legend'), readPalette(), world.threshold, world.role);
    return true;
  }

  /** Shows the numbers of the run, which has ended. */
  finish(): void {
    const { result, scenario } = this.#index!.recording;
    drawNumbers(query('#numbers'), result);
    this.#growth.show(scenario, result);
    query('#digest').textContent = result.digest;
    this.player.wantFrame();
  }

  /**
   * Selects the node from whose point of view the figures are drawn.
   *
   * @param node id of the node, rounded and limited to the nodes of the run.
   */
  look(node: number): void {
    if (!this.#index) return;
    const { world } = this.#index.recording;
    const id = Math.min(world.nodes - 1, Math.max(0, Math.round(node) || 0));
    this.#node = id;
    this.player.extend(this.#endUs, !this.#index.done);
    this.#showStory(nodeStory(this.#index, id));
    query<HTMLInputElement>('#node').value = String(id);
    for (const name of document.querySelectorAll('.node-name')) name.textContent = count(id);
    query('#node-world').textContent = worldWords(world, id);
    this.#between.node = id;
    this.#progress.node = id;
    this.#completion.node = id;
    this.#on.looked(id);
    this.player.writeAddress();
    this.player.wantFrame();
  }

  /** Called when the set of compared runs, and therefore the end of the clock, has changed. */
  comparisonChanged(): void {
    // A newly loaded run has no node story yet.
    if (!this.#index || this.#story?.recording !== this.#index.recording) return;
    this.player.extend(this.#endUs, !this.#index.done);
    this.#showStory(this.#story);
    this.player.wantFrame();
  }

  /** Draws the figures again in the colours of the current theme. */
  repaint(): void {
    const palette = readPalette();
    this.#between.palette = palette;
    this.#progress.palette = palette;
    this.#timeSpace.palette = palette;
    this.#completion.palette = palette;
    if (this.#index) {
      const { world } = this.#index.recording;
      drawProgressLegend(query('#progress-legend'), palette, world.threshold, world.role);
    }
    this.player.wantFrame();
  }

  /** Returns the texts of an exported picture; undefined if there is no run. */
  pictureWords(): PictureWords | undefined {
    if (!this.#index) return undefined;
    const { scenario, result } = this.#index.recording;
    const { nodes, seed, protocol } = scenario;
    const { timeUs } = this.player;
    return {
      title: `${protocols[protocol].title}, ${count(nodes)} nodes, seed ${seed}, node ${this.#node} at ${ms(timeUs)}`,
      origin: originOfCommand(command(scenario), result),
      name: `tutti-${nodes}-${seed}-${Math.round(timeUs / 1000)}ms`,
    };
  }

  /** Returns the content to export. All figures are drawn first, including those out of sight. */
  exportable(): Exportable | undefined {
    const words = this.pictureWords();
    if (words === undefined) return undefined;
    const { timeUs } = this.player;
    this.#draw(timeUs, true);
    const shown = { index: this.#index!, node: this.#node, timeUs, between: this.#between.shown };
    return { words, numbers: (view) => viewNumbers[view]?.(shown) };
  }

  resize(): void {
    if (!this.#index || !this.#story) return;
    this.#treeOf = undefined;
    this.#between.resize();
    this.#progress.resize();
    this.#timeSpace.resize();
    this.#completion.resize();
    this.#growth.resize();
    this.player.wantFrame();
  }

  #listen(): void {
    query('#ring-order').addEventListener('change', (event) => {
      this.view = (event.target as HTMLInputElement).value as BetweenView;
      this.#between.arrange(this.view, this.#still.matches);
      this.player.writeAddress();
      this.player.wantFrame();
    });
    query('#node').addEventListener('change', () => this.look(Number(query<HTMLInputElement>('#node').value)));
    followFigures({
      tree: this.#tree,
      between: this.#between,
      timeSpace: this.#timeSpace,
      completion: this.#completion,
      progress: this.#progress,
      describe: (node, atUs = this.player.timeUs) => this.#index && nodeWords(this.#index, node, atUs),
    });
  }

  #showStory(story: NodeStory): void {
    this.#story = story;
    const index = this.#index!;
    this.player.setContent({
      track: meanTrack(index, this.#endUs),
      chapters: chapters(index, story),
      marks: runMarks(index, story),
      stepsUs: story.stepTimeUs,
      find: (text, afterUs) => {
        const found = findIn(index, text, afterUs);
        if (typeof found === 'object') this.look(found.node);
        return found;
      },
    });
  }

  /** End of the clock, µs: that of the run, or of the compared runs. */
  get #endUs(): number {
    const { done, endUs } = this.#index!;
    return done ? Math.max(endUs, this.#on.comparedEndUs()) : endUs;
  }

  #draw(timeUs: number, isAll = false): void {
    const [index, story] = [this.#index, this.#story];
    if (!index || !story) return;
    const sees = (id: string) => isAll || this.#sight.has(query(id));
    const isLarge = index.recording.world.nodes > largeNodes && !isAll;
    const undrawn = this.#undrawn(index, story, timeUs).filter(({ id }) => sees(id));
    if (isLarge && undrawn.length > 0) {
      // Only one figure is drawn per frame, after the frame that lays out the text about the run.
      if (this.#isSettled) undrawn[0]!.draw();
      this.#isSettled = true;
      this.player.wantFrame();
      return;
    }
    for (const { draw } of undrawn) draw();
    const turn = isLarge && this.player.playing ? this.#nextTurn() : 'all';
    const isDue = (what: Turn) => turn === what || turn === 'all';
    if (isDue('tree') && sees('#tree')) this.#tree.draw(timeUs);
    if (isDue('steps')) drawSteps(query('#steps'), story, timeUs);
    if (sees('#flight')) this.#between.draw(timeUs, isDue('words'));
    if (sees('#time-space') && index.recording.sends) this.#timeSpace.draw(timeUs);
    if (sees('#progress')) this.#progress.draw(timeUs);
    if (sees('#completion')) this.#completion.draw(timeUs);
    if (sees('#growth-chart')) this.#growth.draw();
    this.#on.draw(timeUs);
  }

  /** Returns the part that is drawn in this frame, or undefined if none is due. */
  #nextTurn(): Turn | undefined {
    const now = performance.now();
    if (now - this.#turnAtMs < turnMs) return undefined;
    this.#turnAtMs = now;
    this.#turn = (this.#turn + 1) % turns.length;
    return turns[this.#turn];
  }

  /** Returns the figures of the node's story that are not drawn yet, each with its drawing function. */
  #undrawn(index: RunIndex, story: NodeStory, timeUs: number): { readonly id: string; draw(): void }[] {
    const tree = () => {
      this.#treeOf = story;
      this.#tree.show(story);
      this.#tree.draw(timeUs);
    };
    const diagram = () => {
      this.#diagramOf = story;
      this.#timeSpace.show(index, story);
      const { came, went } = this.#timeSpace.tally;
      query('#time-space-tally').textContent = `${count(came)} incoming and ${count(went)} outgoing messages.`;
    };
    return [
      ...(story === this.#treeOf ? [] : [{ id: '#tree', draw: tree }]),
      ...(story === this.#diagramOf || !index.recording.sends ? [] : [{ id: '#time-space', draw: diagram }]),
    ];
  }
}

/** Explains how to read the picture of all nodes. */
function everyoneWords({ grid: { perRow } }: RunIndex): string {
  const below = 'The rows below show the fastest node, the mean and the slowest node. Time runs to the right.';
  return perRow === 1
    ? `Each row is a node, in tree order. ${below} Click a row to select its node.`
    : `Each row is a subtree of ${count(perRow)} nodes, in tree order, with its mean number of signatures per node. ${below} Click a row to select one of its nodes.`;
}
