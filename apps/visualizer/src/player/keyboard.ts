/** What keys ask for. */
export interface KeyListener {
  toggle(): void;
  step(by: 1 | -1): void;
  /** To the next mark, or the one before. */
  jump(by: 1 | -1): void;
  help(): void;
}

/** Keys that act on the timeline wherever on the page nothing else has a better claim to them. */
export function listenForKeys(on: KeyListener): void {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => on.step(1),
    ArrowLeft: () => on.step(-1),
    '.': () => on.step(1),
    ',': () => on.step(-1),
    ']': () => on.jump(1),
    '[': () => on.jump(-1),
    '?': () => on.help(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (target.closest('input:not(#scrub), select, textarea, dialog')) return;
    // A button that was clicked keeps the focus, but whoever then presses space means the timeline.
    const action =
      event.key === ' ' && !target.matches(':is(button, a, summary):focus-visible')
        ? () => on.toggle()
        : actions[event.key];
    // Some keyboards have brackets behind Alt.
    if (action === undefined || (event.altKey && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    action();
  });
}
