import { freshTabsLink } from '../live/liveLink.ts';
import { type Stage, type StageListener, still } from './stage.ts';

/**
 * Creates the stage that links to the live room. The live room has its own page, because it needs the curve and the
 * network.
 */
export function liveStage(section: HTMLElement, _on: StageListener): Stage {
  const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
  for (const link of section.querySelectorAll<HTMLAnchorElement>('a.room-link')) link.href = room;
  return still;
}
