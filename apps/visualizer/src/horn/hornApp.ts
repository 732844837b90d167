import { messageOf } from '../messageOf.ts';
import { part, say } from '../page.ts';
import { Player } from '../player/player.ts';
import { picturesOnPress } from '../state/savePictures.ts';
import { themeSwitch } from '../state/theme.ts';
import { copyOnPress } from '../views/copy.ts';
import { ClockView } from './clockView.ts';
import { PostStage } from './postStage.ts';
import { linkFields, type SlotModel } from './slotChoice.ts';
import { SlotControls } from './slotControls.ts';
import type { SlotPage, SlotStage } from './slotStage.ts';
import { isSlotLink } from './slotState.ts';
import { seconds } from './words.ts';

const slowdownAtFirst = 0.5;

/** The page of a slot: one clock and one form, and what is played under either model as a stage of its own. */
export class HornApp {
  readonly #page: SlotPage = {
    player: new Player(
      { draw: (timeUs) => this.#draw(timeUs), address: (timeUs) => this.#addressOf(timeUs) },
      { slowdown: slowdownAtFirst, timeInWords: seconds },
    ),
    controls: new SlotControls({
      run: () => this.#stage?.run(),
      stop: () => this.#stage?.stop(),
      model: (model) => void this.#change(model),
      choose: () => this.#stage?.choose?.(),
    }),
    dial: new ClockView(part('#slot-clock')),
  };
  readonly #made: Partial<Record<SlotModel, Promise<SlotStage>>> = {};
  #stage: SlotStage | undefined;
  /** The model that was asked for last: another may be on its way. */
  #model: SlotModel = 'post';

  open(): void {
    this.#listen();
    void this.#openLink();
  }

  #listen(): void {
    const { player } = this.#page;
    themeSwitch(part<HTMLButtonElement>('#theme'), () => {
      this.#stage?.recolour();
      player.wantFrame();
    });
    copyOnPress(part<HTMLButtonElement>('#copy-link'), () => {
      const link = this.#stage?.link(Math.round(player.timeUs));
      return link === undefined ? location.href : new URL(`#${link}`, location.href).href;
    });
    copyOnPress(part<HTMLButtonElement>('#copy-command'), () => part('#command').textContent ?? '');
    picturesOnPress(part('#keep-picture'), () => this.#stage?.keepable(player.timeUs));
    globalThis.addEventListener('hashchange', () => {
      if (location.hash === '' || modelOf(location.hash) !== undefined) void this.#openLink();
    });
    let width = part('#figures').clientWidth;
    new ResizeObserver(([figures]) => {
      if (figures!.contentRect.width === width) return;
      width = figures!.contentRect.width;
      this.#stage?.resize();
      player.wantFrame();
    }).observe(part('#figures'));
  }

  async #openLink(): Promise<void> {
    const { hash } = location;
    (await this.#enter(modelOf(hash) ?? 'post'))?.open(hash);
  }

  /** The same slot under another model, at the same moment: a page to go back from. */
  async #change(model: SlotModel): Promise<void> {
    const { player } = this.#page;
    const stage = await this.#enter(model);
    if (stage === undefined) return;
    player.turnPage();
    stage.enter(player.endUs > 0 ? player.timeUs : undefined);
  }

  /** Brings a model's stage on; undefined where it cannot be loaded, or another was asked for meanwhile. */
  async #enter(model: SlotModel): Promise<SlotStage | undefined> {
    this.#model = model;
    const { controls } = this.#page;
    controls.model = model;
    try {
      this.#made[model] ??= this.#make(model);
      const stage = await this.#made[model];
      if (this.#model !== model) return undefined;
      if (this.#stage !== stage) this.#stage?.leave();
      this.#stage = stage;
      part('#picture-view').replaceChildren(
        ...Object.entries(stage.views).map(([name, words]) => new Option(words, name)),
      );
      return stage;
    } catch (error) {
      delete this.#made[model];
      say('error', `The page’s other half could not be loaded: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Who looks at the post's slot loads nothing of the network's. */
  async #make(model: SlotModel): Promise<SlotStage> {
    if (model === 'post') return new PostStage(this.#page);
    const { NetworkStage } = await import('./networkStage.ts');
    return NetworkStage.loaded(this.#page);
  }

  #addressOf(timeUs: number | undefined): string | undefined {
    if (this.#stage === undefined) return undefined;
    const link = this.#stage.link(timeUs);
    return link === undefined ? `${location.pathname}${location.search}` : `#${link}`;
  }

  #draw(timeUs: number): void {
    this.#page.dial.draw(timeUs);
    this.#stage?.draw(timeUs);
  }
}

/** Which model a link is of; undefined for what is no link to a slot. */
function modelOf(hash: string): SlotModel | undefined {
  if (linkFields(hash).get('model') === 'network') return 'network';
  return isSlotLink(hash) ? 'post' : undefined;
}
