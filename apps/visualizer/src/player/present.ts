import { part } from '../page.ts';
import { addressOf } from '../state/pageAddress.ts';
import { picturesOnPress } from '../state/savePictures.ts';
import { themeSwitch } from '../state/theme.ts';
import { copyOnPress } from '../views/copy.ts';
import type { Player } from './player.ts';
import type { PageStage } from './stage.ts';

/**
 * Connects a page's stage with what every page has around it: its address, its theme, its width, and the buttons that
 * copy and keep what is shown.
 *
 * @param player where time goes by on the stage.
 */
export function present(stage: PageStage, player?: Player): void {
  const redraw = () => player?.wantFrame();
  themeSwitch(part<HTMLButtonElement>('#theme'), () => {
    stage.recolour?.();
    redraw();
  });
  pressed('#copy-link', (button) =>
    copyOnPress(button, () => {
      const address = addressOf(stage.link?.(player && Math.round(player.timeUs)));
      return address === undefined ? location.href : new URL(address, stage.home ?? location.href).href;
    }),
  );
  pressed('#copy-command', (button) => copyOnPress(button, () => part('#command').textContent ?? ''));
  if (stage.keepable) picturesOnPress(part('#keep-picture'), () => stage.keepable?.(player?.timeUs ?? 0));
  // The stage may have written its own address since.
  globalThis.addEventListener('hashchange', ({ newURL }) => stage.follow?.(new URL(newURL).hash));
  if (stage.resize) {
    onAnotherWidth(part('#figures'), () => {
      stage.resize?.();
      redraw();
    });
  }
}

/** A page that is kept in a file has no address, and not every page has a command. */
function pressed(selector: string, listen: (button: HTMLButtonElement) => void): void {
  const button = document.querySelector<HTMLButtonElement>(selector);
  if (button) listen(button);
}

/** What makes the page longer changes no drawing. */
function onAnotherWidth(host: HTMLElement, changed: () => void): void {
  let width: number | undefined;
  new ResizeObserver(([entry]) => {
    const before = width;
    width = entry!.contentRect.width;
    if (before !== undefined && before !== width) changed();
  }).observe(host);
}
