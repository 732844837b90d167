import { seconds } from '../formatNumber.ts';
import { parametersOf } from '../links/fields.ts';
import { query, sayError } from '../page.ts';
import { Player } from '../player/player.ts';
import { present } from '../player/present.ts';
import { ClockView } from './clockView.ts';
import type { SlotModel } from './slotChoice.ts';
import { SlotControls, type SlotPage, type SlotStage } from './slotStage.ts';
import { isSlotLink } from './slotState.ts';

/**
 * Factor by which the animation is slower than the slot on a first visit; if it is below 1, the animation is faster.
 */
const slowdown = 0.5;

/** Functions that load the code of a model's stage. */
const makers: Readonly<Record<SlotModel, () => Promise<(page: SlotPage) => SlotStage | Promise<SlotStage>>>> = {
  post: async () => (await import('./postStage.ts')).postStage,
  network: async () => (await import('./networkStage.ts')).networkStage,
};

/** Page of a slot: one clock, one form, and a stage for each of the two models of a slot. */
class HornApp {
  readonly #page: SlotPage = {
    player: new Player(
      { draw: (timeUs) => this.#draw(timeUs), link: (timeUs) => this.#stage?.link(timeUs) },
      { slowdown, timeInWords: seconds },
    ),
    controls: new SlotControls({
      run: () => this.#stage?.run(),
      stop: () => this.#stage?.stop(),
      model: (model) => void this.#change(model),
      choose: () => this.#stage?.choose?.(),
    }),
    dial: new ClockView(query('#slot-clock')),
  };
  readonly #stages: Partial<Record<SlotModel, Promise<SlotStage>>> = {};
  #stage: SlotStage | undefined;
  /** Model requested last, possibly while another model is still loading. */
  #model: SlotModel = 'post';

  open(): void {
    present(
      {
        follow: (hash) => {
          if (hash === '' || modelOf(hash) !== undefined) void this.#openLink(hash);
        },
        link: (timeUs) => this.#stage?.link(timeUs),
        recolour: () => this.#stage?.recolour(),
        resize: () => this.#stage?.resize(),
        exportable: (timeUs) => this.#stage?.exportable(timeUs),
      },
      this.#page.player,
    );
    void this.#openLink(location.hash);
  }

  async #openLink(hash: string): Promise<void> {
    (await this.#enter(modelOf(hash) ?? 'post'))?.open(hash);
  }

  /** Shows the same slot in another model at the same moment, as a new history entry. */
  async #change(model: SlotModel): Promise<void> {
    const { player } = this.#page;
    const stage = await this.#enter(model);
    if (stage === undefined) return;
    player.addHistoryEntry();
    stage.enter(player.endUs > 0 ? player.timeUs : undefined);
  }

  /**
   * Loads the stage of a model. Resolves to undefined if the stage cannot be loaded, or if another model is requested
   * in the meantime.
   */
  async #enter(model: SlotModel): Promise<SlotStage | undefined> {
    const former = this.#model;
    this.#model = model;
    const { controls } = this.#page;
    controls.model = model;
    try {
      this.#stages[model] ??= makers[model]().then((make) => make(this.#page));
      const stage = await this.#stages[model];
      if (this.#model !== model) return undefined;
      if (this.#stage !== stage) this.#stage?.leave();
      this.#stage = stage;
      query('#picture-view').replaceChildren(
        ...Object.entries(stage.views).map(([name, words]) => new Option(words, name)),
      );
      return stage;
    } catch (error) {
      delete this.#stages[model];
      if (this.#model !== model) return undefined;
      sayError(error, 'This part of the page could not be loaded');
      // The form names the model that is still shown, so that the reader can choose the other one again.
      if (this.#stage !== undefined) controls.model = this.#model = former;
      return undefined;
    }
  }

  #draw(timeUs: number): void {
    this.#page.dial.draw(timeUs);
    this.#stage?.draw(timeUs);
  }
}

/** Returns the model that a link requests, or undefined if the link does not lead to a slot. */
function modelOf(hash: string): SlotModel | undefined {
  if (parametersOf(hash).get('model') === 'network') return 'network';
  return isSlotLink(hash) ? 'post' : undefined;
}

new HornApp().open();
