const key = 'tutti-talk';
/** Event of the document after its letters have changed their size: figures have more room, or less. */
export const typeChanged = 'tutti-type';
const root = document.documentElement;

/** Sets the page in large type, for a talk, or in its usual type again. The other pages of this tab follow. */
export function toggleTalk(): void {
  const isOn = root.toggleAttribute('data-talk');
  try {
    if (isOn) sessionStorage.setItem(key, 'yes');
    else sessionStorage.removeItem(key);
  } catch {
    // If nothing may be stored, the choice lasts as long as the page.
  }
  document.dispatchEvent(new Event(typeChanged));
}
