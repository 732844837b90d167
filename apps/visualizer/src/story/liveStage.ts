import { freshTabsLink } from '../live/liveLink.ts';
import { type Stage, type StageListener, still } from './stage.ts';

/** Stage that links to the live room, which has its own page, since it needs the curve and the network. */
export function liveStage(section: HTMLElement, _on: StageListener): Stage {
  const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
  for (const link of section.querySelectorAll<HTMLAnchorElement>('a.room-link')) link.href = room;
  return still;
}
