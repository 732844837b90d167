import { query } from '../page.ts';
import type { Exportable, ExportType } from '../state/exportView.ts';
import { addressOf } from '../state/pageAddress.ts';
import { messageOf } from '../worker/task.ts';
import type { PageStage, Player } from './player.ts';

/** Key in the local storage, which `public/first.js` reads as well. */
const key = 'tutti-theme';

type Theme = 'light' | 'dark';

/**
 * Adds the switch between the light and the dark theme. The system's setting applies until the reader makes a choice.
 */
function themeSwitch(button: HTMLButtonElement, onChange: () => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const current = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const show = () => {
    const other = current() === 'dark' ? 'Light' : 'Dark';
    button.textContent = other;
    button.setAttribute('aria-label', `${other} theme`);
    onChange();
  };
  button.addEventListener('click', () => {
    const next: Theme = current() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(key, next);
    } catch {
      // If storage is not available, the choice lasts until the page is closed.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}

/** Width of a printed page, CSS pixels: A4 landscape without margins. */
const paperPx = 1046;

/**
 * Prints in the light theme and at the size on the screen, because figures keep the size in which they were drawn.
 *
 * @param redraw draws every figure, before and after printing.
 */
function printInLight(redraw: () => void): void {
  const { dataset, style } = document.documentElement;
  let theme: string | undefined;
  globalThis.addEventListener('beforeprint', () => {
    style.setProperty('--print-zoom', String(Math.min(1, paperPx / innerWidth)));
    style.setProperty('--print-stage', `${document.querySelector('.stage')?.clientHeight ?? 0}px`);
    theme = dataset.theme;
    dataset.theme = 'light';
    redraw();
  });
  globalThis.addEventListener('afterprint', () => {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
    redraw();
  });
}

/** Copies a text when the button is pressed, and shows on the button whether copying succeeded. */
function copyOnPress(button: HTMLButtonElement, text: () => string): void {
  const words = button.textContent;
  button.addEventListener('click', async () => {
    try {
      // Without HTTPS, pages from other computers have no clipboard.
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed here';
    }
    setTimeout(() => {
      button.textContent = words;
    }, 1600);
  });
}

/**
 * Adds buttons that export the chosen view at the current moment. @param exportable draws every view; undefined if
 * nothing is shown.
 */
function picturesOnPress(host: HTMLElement, exportable: () => Exportable | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  const choice = host.querySelector('select')!;
  for (const button of host.querySelectorAll<HTMLButtonElement>('[data-picture]')) {
    button.addEventListener('click', async () => {
      try {
        // The code is loaded on demand, because few readers export views.
        const { exportView } = await import('../state/exportView.ts');
        note.textContent = await exportView(exportable(), choice.value, button.dataset.picture as ExportType);
      } catch (error) {
        note.textContent = `The picture could not be drawn: ${messageOf(error)}`;
      }
    });
  }
}

/**
 * Connects the stage of a page with the parts common to every page: the address, the theme, printing, the width, and
 * the buttons for copying and exporting.
 *
 * @param player clock of the stage, if the stage has one.
 */
export function present(stage: PageStage, player?: Player): void {
  const redraw = () => player?.wantFrame();
  themeSwitch(query<HTMLButtonElement>('#theme'), () => {
    stage.recolour?.();
    redraw();
  });
  const link = () => stage.link?.(player && Math.round(player.timeUs));
  withButton('#copy-link', (button) =>
    copyOnPress(button, () => {
      const address = addressOf(link());
      if (address === undefined) return location.href;
      return new URL(stage.share?.(address) ?? address, stage.home ?? location.href).href;
    }),
  );
  withButton('#copy-embed', (button) => copyOnPress(button, () => embedHtml(link() ?? '')));
  withButton('#copy-command', (button) => copyOnPress(button, () => query('#command').textContent ?? ''));
  if (stage.exportable) picturesOnPress(query('#save-picture'), () => stage.exportable?.(player?.timeUs ?? 0));
  document.addEventListener('keydown', (event) => {
    if (stage.printable === undefined || event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void stage.printable().finally(() => print());
  });
  printInLight(() => {
    stage.recolour?.();
    stage.print?.();
  });
  // The event's address is used, because the stage may have changed the page's address in the meantime.
  globalThis.addEventListener('hashchange', ({ newURL }) => stage.follow?.(new URL(newURL).hash));
  if (stage.resize) {
    onWidthChange(query('#figures'), () => {
      stage.resize?.();
      redraw();
    });
  }
}

/** Returns HTML that shows the run of a link on another site; the site must contain the folder `embed`. */
function embedHtml(link: string): string {
  const element = document.createElement('tutti-run');
  element.setAttribute('link', link);
  return `<script type="module" src="./embed/tutti-run.js"></script>\n${element.outerHTML}\n`;
}

/**
 * Adds a listener to a button if the button exists. An exported page has no address, and some pages have no command.
 */
function withButton(selector: string, listen: (button: HTMLButtonElement) => void): void {
  const button = document.querySelector<HTMLButtonElement>(selector);
  if (button) listen(button);
}

/** Calls back when the width of an element changes. A change of only the height does not affect any drawing. */
function onWidthChange(host: HTMLElement, changed: () => void): void {
  let width: number | undefined;
  new ResizeObserver(([entry]) => {
    const before = width;
    width = entry!.contentRect.width;
    if (before !== undefined && before !== width) changed();
  }).observe(host);
}
