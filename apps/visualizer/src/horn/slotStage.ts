import type { ClockStage, PageStage, Player } from '../player/player.ts';
import type { ClockView } from './clockView.ts';
import type { SlotControls } from './slotControls.ts';

/** Parts of a slot's page that both models share: one clock and one form. */
export interface SlotPage {
  readonly player: Player;
  readonly controls: SlotControls;
  readonly dial: ClockView;
}

/** Stage of a slot in one model: its chapters and its drawings. */
export interface SlotStage
  extends Pick<ClockStage, 'draw'>,
    Required<Pick<PageStage, 'link' | 'recolour' | 'resize' | 'exportable'>> {
  /** Exportable views by name. */
  readonly views: Readonly<Record<string, string>>;
  /** Shows the state of a link, or that of a first visit. */
  open(hash: string): void;
  /** Shows the slot of the form. @param timeUs moment to keep, µs; undefined if there is none. */
  enter(timeUs: number | undefined): void;
  /** Called when another model is chosen. Ends running simulations. */
  leave(): void;
  run(): void;
  stop(): void;
  /** Called when the form changes. If it is missing, changes wait for the Run button. */
  choose?(): void;
}
