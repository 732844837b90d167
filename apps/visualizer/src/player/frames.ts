/** A frame after a pause of the page, as in a tab that was hidden, is taken for one of this many milliseconds. */
const longestFrameMs = 100;

/**
 * The frames of a clock. What it returns asks for one; several that ask have it together.
 *
 * @param draw given the time since the last frame, 0 after a rest, and the time now, ms; returns whether it goes on.
 */
export function frames(draw: (elapsedMs: number, nowMs: number) => boolean): () => void {
  let isComing = false;
  let drawnAtMs: number | undefined;
  const want = (): void => {
    if (isComing) return;
    isComing = true;
    requestAnimationFrame((nowMs) => {
      isComing = false;
      const elapsedMs = drawnAtMs === undefined ? 0 : Math.min(longestFrameMs, nowMs - drawnAtMs);
      const goesOn = draw(elapsedMs, nowMs);
      drawnAtMs = goesOn ? nowMs : undefined;
      if (goesOn) want();
    });
  };
  return want;
}
