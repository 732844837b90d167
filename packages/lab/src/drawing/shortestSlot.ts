import { onPaper, wide } from './chart.ts';
import { drawMap, type SlotMap } from './map.ts';

/** A map with the inputs of each cell. */
export interface InputsMap extends SlotMap {
  readonly cells: readonly (SlotMap['cells'][number] & { readonly inputs: Readonly<Record<string, unknown>> })[];
}

/**
 * Draws the part of a map without proposals. Rows by proposal show whole seconds. Rows by links, machine and validators
 * show the simulated lengths.
 */
export function shortestSlot({ slotSeconds, cells }: InputsMap): string {
  const todays = cells
    .filter(({ preset }) => preset === 'electra')
    .map((cell) => ({
      ...cell,
      value: cell.value.replaceAll(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US')),
    }));
  const byProposal = todays.filter(({ inputs }) => inputs.proposal !== undefined);
  const byLinks = todays.filter(({ inputs }) => inputs.links !== undefined);
  const isSimulated = (seconds: number) =>
    byLinks.some(({ simulated }) => simulated.some((one) => one.slotSeconds === seconds));
  const panel = (title: string, of: SlotMap['cells'], lengths: readonly number[]) => ({
    title,
    drawing: drawMap({ slotSeconds: lengths, cells: of }, wide),
  });
  return onPaper(
    [
      panel(
        'By proposal',
        byProposal,
        slotSeconds.filter((seconds) => seconds <= 12),
      ),
      panel('By links, machine and number of validators, without late votes', byLinks, slotSeconds.filter(isSimulated)),
    ],
    'The shortest slot with 99 % of the votes in the next block, and the votes in reach for each simulated slot length, %',
  );
}
