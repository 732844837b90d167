import type { Scenario } from '@tutti/simulation';
import { html, nothing, render } from 'lit-html';
import { ms } from '../formatNumber.ts';
import { type Chapter, lastPerMoment } from '../guide/chapter.ts';
import { showConclusion } from '../page.ts';
import type { Mark } from '../player/dock.ts';
import type { PlayerContent } from '../player/player.ts';
import { never } from '../race/raceFile.ts';
import { decodeState } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { readPalette } from '../views/canvas.ts';
import { pointIn, Tip } from '../views/drawing.ts';
import { chapterFields, type Shown } from './address.ts';
import { doublingConclusion } from './conclusions.ts';
import { doublingTimes, type Hop, heldMatrix, pathOf } from './heldMatrix.ts';
import { HeldMatrixView } from './heldMatrixView.ts';
import { RunStage } from './runStage.ts';
import type { StageListener } from './stage.ts';

const networks = { constant: 'constant:50', aws: 'aws' } as const;
type Network = keyof typeof networks;

/**
 * Stage that shows how each level doubles the number of signatures that a node holds. By default all latencies are
 * equal, because different latencies hide the doubling.
 */
export class DoublingStage extends RunStage<Shown<'doubling'>> {
  readonly #matrix: HeldMatrixView;
  readonly #scale: HTMLElement;
  readonly #followButton: HTMLButtonElement;
  /** Requested number of nodes. The shown run has another number until the requested run is ready. */
  #nodes = 0;
  #network: Network = 'constant';
  /** Matrix of the loaded run. */
  #since: Int32Array = new Int32Array(0);
  /** Times at which the last node reached 2, 4, 8, ... signatures, µs. */
  #doublings: readonly number[] = [];
  /** Node whose row is marked; undefined if there is none. */
  #chosen: number | undefined;
  /** Hops of the followed signature; empty if none is followed. */
  #path: readonly Hop[] = [];

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    const host = this.find('.matrix');
    this.#matrix = new HeldMatrixView(host, readPalette());
    new ResizeObserver(() => {
      this.#matrix.resize();
      this.on.redraw();
    }).observe(host);
    this.#scale = this.find('.doubling-scale');
    this.#followButton = this.find<HTMLButtonElement>('#follow');
    this.#followButton.addEventListener('click', () => {
      const follows = !this.#isFollowPressed;
      this.#followButton.setAttribute('aria-pressed', String(follows));
      this.#follow(follows);
      this.on.changed({ atUs: 0, plays: follows });
    });
    this.find('.doubling-choice').addEventListener('change', (event) => {
      const { value } = event.target as HTMLInputElement;
      this.show(chapterFields.doubling.read(value).values);
    });
    new Tip().follow(host, (x, y) => {
      const node = this.#matrix.nodeUnder(x, y);
      if (node === undefined || this.index === undefined) return undefined;
      return `node ${node} holds ${this.#matrix.heldAt(node, on.now())} of ${this.index.recording.world.nodes} signatures at ${ms(on.now())}`;
    });
    host.addEventListener('click', (event) => {
      const node = this.#matrix.nodeUnder(...pointIn(host, event));
      this.#chosen = node === this.#chosen ? undefined : node;
      this.on.redraw();
    });
  }

  get #isFollowPressed(): boolean {
    return this.#followButton.getAttribute('aria-pressed') === 'true';
  }

  get shows(): Shown<'doubling'> {
    return { nodes: this.#nodes, network: this.#network };
  }

  show({ nodes, network }: Shown<'doubling'>): void {
    if (nodes === this.#nodes && network === this.#network && !this.hasFailed) return;
    this.#nodes = nodes;
    this.#network = network;
    const shown = chapterFields.doubling.write(this.shows);
    for (const input of this.section.querySelectorAll<HTMLInputElement>('.doubling-choice input'))
      input.checked = input.value === shown;
    this.simulate(doublingScenario(nodes, network));
  }

  protected adopt(index: RunIndex): void {
    const { nodes } = index.recording.world;
    this.#since = heldMatrix(index);
    this.#doublings = doublingTimes(this.#since, nodes);
    this.#chosen = undefined;
    this.#matrix.show(this.#since, nodes);
    // The button follows the signature to node 63, which exists only in runs with 64 nodes.
    const canFollow = nodes === 64;
    this.#followButton.disabled = !canFollow;
    this.#follow(canFollow && this.#isFollowPressed);
  }

  protected contentOf({ recording }: RunIndex): Omit<PlayerContent, 'track'> {
    showConclusion(this.find('#doubling-said'), doublingConclusion(recording.result, recording.world.threshold));
    const isConstant = this.#network === 'constant';
    const reached = this.#doublings
      .map((timeUs, power) => ({ timeUs, size: 2 ** (power + 1) }))
      .filter(({ timeUs }) => timeUs < never);
    const marks = reached.map(({ timeUs, size }): Mark => ({ timeUs, label: String(size), kind: 'level' }));
    const first: Chapter = {
      timeUs: 0,
      title: '1',
      text: `Each row is a node, and each column is a signature. Each of the ${recording.world.nodes} nodes holds only its own signature.`,
    };
    const rest = reached.map(({ timeUs, size }, place): Chapter => {
      const text = isConstant
        ? `At ${ms(timeUs)}, every node held at least ${size} signatures: ${size / 2} from its own side and ${size / 2} from the other side of [[level]] ${place + 1}.`
        : `At ${ms(timeUs)}, the last node held ${size} signatures. Nodes that are closer to their peers are ahead.`;
      return { timeUs, title: String(size), text };
    });
    return { chapters: lastPerMoment([first, ...rest]), marks, stepsUs: [0, ...reached.map(({ timeUs }) => timeUs)] };
  }

  /** Shows or hides the path of node 0's signature to the last node. */
  #follow(follows: boolean): void {
    const { index } = this;
    const hops = follows && index ? pathOf(0, index.recording.world.nodes - 1, index, this.#since) : undefined;
    this.#matrix.path = hops && { signer: 0, hops };
    this.#path = hops ?? [];
  }

  /** Describes the hops of the path up to a moment. */
  #sayPath(timeUs: number): void {
    const done = this.#path.filter(({ sentUs }) => sentUs <= timeUs);
    const words = done.map(({ from, to, level, sentUs, heldUs }) => {
      const sent = `Node ${from} sends the signature to node ${to} at ${ms(sentUs)}, on level ${level}`;
      return heldUs <= timeUs ? `${sent}; verified at ${ms(heldUs)}.` : `${sent} …`;
    });
    render(
      words.map((text) => html`<li>${text}</li>`),
      this.find('#way'),
    );
  }

  draw(timeUs: number): void {
    this.#matrix.draw(timeUs, this.#chosen);
    this.#sayPath(timeUs);
    const reached = this.#doublings.filter((us) => us <= timeUs).length;
    render(
      [0, ...this.#doublings].map(
        (_, power) =>
          html`<li ?data-past=${power <= reached} aria-current=${power === reached ? 'step' : nothing}>${2 ** power}</li>`,
      ),
      this.#scale,
    );
  }

  resize(): void {
    this.#matrix.resize();
  }

  recolour(): void {
    this.#matrix.palette = readPalette();
  }
}

function doublingScenario(nodes: number, network: Network): Scenario {
  return decodeState(`n=${nodes}&scheme=counting&network=${networks[network]}&dead=0&seed=1`).scenario;
}
