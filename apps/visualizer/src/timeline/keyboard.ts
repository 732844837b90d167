/** Space plays and pauses, the arrows step, wherever on the page nothing else has a better claim to the key. */
export function listenForKeys(on: { toggle: () => void; step: (by: 1 | -1) => void }): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches('input:not(#scrub), select, textarea')) return;
    // A button that was clicked keeps the focus, but whoever then presses space means the timeline.
    if (event.key === ' ' && !target.matches(':is(button, a):focus-visible')) {
      event.preventDefault();
      on.toggle();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      on.step(event.key === 'ArrowRight' ? 1 : -1);
    }
  });
}
