/** Minimum length of a swipe, CSS pixels. */
const leastPx = 60;
/** Minimum ratio between the horizontal and the vertical length of a swipe. */
const straightness = 2;

/** Calls back when a finger swipes over `host`: 1 for a swipe to the left (next), -1 to the right (previous). */
export function onSwipe(host: HTMLElement, swiped: (by: 1 | -1) => void): void {
  let from: { readonly x: number; readonly y: number } | undefined;
  // The browser still scrolls the page vertically.
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
    if (Math.abs(along) >= leastPx && Math.abs(along) >= straightness * Math.abs(across)) swiped(along < 0 ? 1 : -1);
  });
}

/** Returns whether a drag over an element has its own meaning: it scrolls, sets a value, or circles nodes. */
function hasOwnSwipe(element: Element, host: Element): boolean {
  if (element.closest('input, select, .ring') !== null) return true;
  for (let at: Element | null = element; at !== null && at !== host; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}
