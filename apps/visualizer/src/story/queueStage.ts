import { showConclusion } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { QueueView } from '../queue/queueView.ts';
import { decodeState } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { chapterFields, type Shown } from './address.ts';
import { queueConclusion } from './conclusions.ts';
import { nodeContent, RunStage } from './runStage.ts';
import type { StageListener } from './stage.ts';

/** Link of the run. Verification is slow and many nodes are Byzantine, so contributions have to wait. */
const runLink = 'n=64&scheme=counting&attack=invalid:0.4&verify-ms=20&window=paper';

/** Moment of this run at which contributions wait on several levels, µs. */
const busyUs = 232_000;

/**
 * Stage that shows one node's verification queue at every moment of a run in which two fifths of the nodes are
 * Byzantine.
 */
export class QueueStage extends RunStage<Shown<'desk'>> {
  readonly printedUs = busyUs;
  readonly #queue: QueueView;
  #node = 0;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#queue = new QueueView({
      seek: (atUs) => on.changed({ atUs, plays: false }),
      edited: () => on.changed({ atUs: on.now(), plays: false }),
      changed: () => {
        this.updateContent();
        on.contentChanged();
        on.redraw();
      },
    });
    this.find<HTMLInputElement>('#queue-of').addEventListener('change', (event) => {
      const { node } = chapterFields.desk.read(`node=${(event.target as HTMLInputElement).value}`).values;
      this.show({ ...this.shows, node });
    });
  }

  get shows(): Shown<'desk'> {
    return { node: this.#node, ...this.#queue.edited };
  }

  override get endUs(): number {
    return Math.max(super.endUs, this.#queue.endUs);
  }

  show({ node, ...edited }: Shown<'desk'>): void {
    this.#queue.edited = edited;
    // The reader may have entered a number that is out of range.
    this.find<HTMLInputElement>('#queue-of').value = String(node);
    if (node === this.#node && this.index !== undefined) return;
    this.#node = node;
    this.#queue.node = node;
    if (this.index === undefined) {
      if (!this.isSimulating) this.simulate(decodeState(runLink).scenario);
      return;
    }
    this.updateContent();
    this.on.changed({ atUs: this.on.now(), plays: false });
  }

  protected override look(node: number): void {
    this.show({ ...this.shows, node });
  }

  protected adopt({ recording }: RunIndex): void {
    this.#queue.show(recording.scenario, recording.world, recording.result.digest);
  }

  protected contentOf(index: RunIndex): Omit<PlayerContent, 'track'> {
    showConclusion(this.find('#queue-said'), queueConclusion(index.recording, this.#node));
    return nodeContent(index, this.#node);
  }

  draw(timeUs: number): void {
    this.#queue.draw(timeUs);
  }

  async prepare(timeUs: number): Promise<void> {
    this.#queue.draw(timeUs);
    await this.#queue.found();
  }

  recolour(): void {
    this.#queue.recolour();
  }
}
