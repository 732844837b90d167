import { freshTabsLink } from '../live/liveLink.ts';
import { type Stage, type StageListener, still } from './stage.ts';

/** The door of the live room, which has a page of its own: it needs the curve and the network. */
export function liveStage(section: HTMLElement, _on: StageListener): Stage {
  const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
  for (const door of section.querySelectorAll<HTMLAnchorElement>('a.door')) door.href = room;
  return still;
}
