import type { Player } from '../player/player.ts';
import type { ClockStage, PageStage } from '../player/stage.ts';
import type { ClockView } from './clockView.ts';
import type { SlotControls } from './slotControls.ts';

/** Parts of a slot's page that both models share: one clock and one form. */
export interface SlotPage {
  readonly player: Player;
  readonly controls: SlotControls;
  readonly dial: ClockView;
}

/** A slot under one model: what is told of it, and its drawings. */
export interface SlotStage
  extends Pick<ClockStage, 'draw'>,
    Required<Pick<PageStage, 'link' | 'recolour' | 'resize' | 'keepable'>> {
  /** The views that can be kept as they stand, by their names. */
  readonly views: Readonly<Record<string, string>>;
  /** Shows what a link asks for, and without one what a first visit sees. */
  open(hash: string): void;
  /** Shows the slot that the form says. @param timeUs the moment to stay at; undefined where there is none. */
  enter(timeUs: number | undefined): void;
  /** Called when another model is chosen: running simulations end. */
  leave(): void;
  run(): void;
  stop(): void;
  /** Another choice in the form; without this it waits for Run. */
  choose?(): void;
}
