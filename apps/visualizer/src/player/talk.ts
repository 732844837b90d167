const key = 'tutti-talk';
/** Event of the document after the size of its letters has changed, so that figures have more or less space. */
export const typeChanged = 'tutti-type';
const root = document.documentElement;

/** Switches the page to large type for a talk, or back. The other pages of this tab follow. */
export function toggleTalk(): void {
  const isOn = root.toggleAttribute('data-talk');
  try {
    if (isOn) sessionStorage.setItem(key, 'yes');
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  document.dispatchEvent(new Event(typeChanged));
}
