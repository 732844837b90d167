/** Part of a run that the track shows, µs. */
export interface TrackWindow {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Minimum length of the part that the track shows, µs. */
const shortestUs = 1000;

/**
 * Returns a window `factor` times as long as `window`, within 0 to `spanUs`. The moment `aroundUs` keeps its place in
 * it.
 */
export function zoomed(window: TrackWindow, factor: number, aroundUs: number, spanUs: number): TrackWindow {
  const longUs = window.untilUs - window.fromUs;
  const wideUs = Math.min(spanUs, Math.max(Math.min(shortestUs, spanUs), longUs * factor));
  const share = longUs === 0 ? 0 : Math.min(1, Math.max(0, (aroundUs - window.fromUs) / longUs));
  const fromUs = Math.min(spanUs - wideUs, Math.max(0, aroundUs - share * wideUs));
  return { fromUs, untilUs: fromUs + wideUs };
}

/**
 * Returns a window of the same length that contains a moment: the same window, or one that begins a tenth of its length
 * before the moment.
 */
export function withMoment(window: TrackWindow, timeUs: number, spanUs: number): TrackWindow {
  const { fromUs, untilUs } = window;
  if (timeUs >= fromUs && timeUs <= untilUs) return window;
  const wideUs = untilUs - fromUs;
  const nextUs = Math.min(spanUs - wideUs, Math.max(0, timeUs - wideUs / 10));
  return { fromUs: nextUs, untilUs: nextUs + wideUs };
}
