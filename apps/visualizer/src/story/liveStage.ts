import { freshTabsLink } from '../live/liveLink.ts';
import type { Stage, StageListener } from './stage.ts';

/** The door of the live room, which has a page of its own: it needs the curve and the network. */
export function liveStage(section: HTMLElement, _on: StageListener): Stage {
  const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
  for (const door of section.querySelectorAll<HTMLAnchorElement>('a.door')) door.href = room;
  return {
    told: { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] },
    endUs: 0,
    shows: {},
    words: () => '',
    show() {},
    draw() {},
    resize() {},
    recolour() {},
  };
}
