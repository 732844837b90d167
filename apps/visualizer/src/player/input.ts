import { html, render } from 'lit-html';
import { createElement } from '../html.ts';
import { write } from '../page.ts';

/** Callbacks for keyboard input. */
interface KeyListener {
  toggle(): void;
  step(by: 1 | -1): void;
  /** Jumps to the next or the previous mark. */
  jump(by: 1 | -1): void;
  help(): void;
  /** Shows a part of the track that is `factor` times as long as the current part. */
  zoom(factor: number): void;
  /** Opens the search for a node or a message of the run. */
  search(): void;
  /** Switches large type for talks on or off on the page. */
  talk(): void;
}

/** Handles the keys of the timeline, unless the focused element uses them itself. */
export function listenForKeys(on: KeyListener): void {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => on.step(1),
    ArrowLeft: () => on.step(-1),
    '.': () => on.step(1),
    ',': () => on.step(-1),
    ']': () => on.jump(1),
    '[': () => on.jump(-1),
    '?': () => on.help(),
    '+': () => on.zoom(0.5),
    '-': () => on.zoom(2),
    '0': () => on.zoom(Number.POSITIVE_INFINITY),
    '/': () => on.search(),
    t: () => on.talk(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (target.closest('input:not(#scrub), select, textarea, dialog')) return;
    // After a click, a button keeps the focus, but a user who then presses the space bar means the timeline.
    const action =
      event.key === ' ' && !target.matches(':is(button, a, summary):focus-visible')
        ? () => on.toggle()
        : actions[event.key];
    // On some keyboard layouts, brackets require Alt.
    if (action === undefined || (event.altKey && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    action();
  });
}

/** Minimum length of a swipe gesture, CSS pixels. */
const minSwipePx = 60;
/** Minimum ratio of the horizontal to the vertical length of a swipe gesture. */
const straightness = 2;

/**
 * Calls back when a finger swipes over `host`: with 1 for a swipe to the left (next), and with -1 for a swipe to the
 * right (previous).
 */
export function onSwipe(host: HTMLElement, swiped: (by: 1 | -1) => void): void {
  let from: { readonly x: number; readonly y: number } | undefined;
  // Vertical swipes still make the browser scroll the page.
  host.style.touchAction = 'pan-y';
  host.addEventListener('pointerdown', ({ pointerType, isPrimary, target, clientX: x, clientY: y }) => {
    from = pointerType === 'touch' && isPrimary && !hasOwnSwipe(target as Element, host) ? { x, y } : undefined;
  });
  host.addEventListener('pointercancel', () => {
    from = undefined;
  });
  host.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (from === undefined) return;
    const [along, across] = [clientX - from.x, clientY - from.y];
    from = undefined;
    if (Math.abs(along) >= minSwipePx && Math.abs(along) >= straightness * Math.abs(across)) swiped(along < 0 ? 1 : -1);
  });
}

/** Returns whether dragging over an element has a meaning of its own: scrolling, setting a value, or circling nodes. */
function hasOwnSwipe(element: Element, host: Element): boolean {
  if (element.closest('input, select, .ring') !== null) return true;
  for (let at: Element | null = element; at !== null && at !== host; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}

/**
 * Goes to the next event that matches a search text. Returns a description of the event, or of the expected text if no
 * event matches.
 */
type Finder = (text: string) => string;

let box: HTMLElement | undefined;

/** Opens the search for a node or a message of the run. */
export function openSearch(find: Finder): void {
  box ??= document.body.appendChild(createElement('div', { className: 'search', popover: 'auto', role: 'search' }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write(box!.querySelector('output')!, find(box!.querySelector('input')!.value));
  };
  render(
    html`<form @submit=${submit}><label for="search-text">Node, or message from one to another</label><input id="search-text" data-testid="search-text" placeholder="52, or 7 > 52" maxlength="40" autocomplete="off" /><button type="submit">Next</button><output data-testid="search-said"></output></form>`,
    box,
  );
  write(box.querySelector('output')!, '');
  box.showPopover();
  box.querySelector('input')!.select();
}

/** Key in the session storage, which `public/first.js` reads as well. */
const key = 'tutti-talk';
/**
 * Name of the event that the document fires after the type size changes. The type size affects the space for figures.
 */
export const typeChanged = 'tutti-type';
const root = document.documentElement;

/**
 * Switches the page to large type for a talk, or back to normal type. The other pages in this tab also use the selected
 * size.
 */
export function toggleTalk(): void {
  const isOn = root.toggleAttribute('data-talk');
  try {
    if (isOn) sessionStorage.setItem(key, 'yes');
    else sessionStorage.removeItem(key);
  } catch {
    // If storage is not available, the choice lasts until the page is closed.
  }
  document.dispatchEvent(new Event(typeChanged));
}
