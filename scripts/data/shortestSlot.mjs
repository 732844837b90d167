import { drawMap, onPaper, wide } from '@tutti/lab/drawing';
import { grouped } from '../numbers.mjs';

/**
 * Today's part of the page's map as a picture: by proposal, of whole seconds, and by links, machine and validators, of
 * the lengths that were played.
 */
export function shortestSlot({ slotSeconds, cells }) {
  const todays = cells
    .filter(({ preset }) => preset === 'electra')
    .map((cell) => ({ ...cell, value: cell.value.replaceAll(/\d{5,}/g, (digits) => grouped(Number(digits))) }));
  const byProposal = todays.filter(({ inputs }) => inputs.proposal !== undefined);
  const byLinks = todays.filter(({ inputs }) => inputs.links !== undefined);
  const wasPlayed = (seconds) => byLinks.some(({ played }) => played.some((one) => one.slotSeconds === seconds));
  const panel = (title, of, lengths) => ({ title, drawing: drawMap({ slotSeconds: lengths, cells: of }, wide) });
  return onPaper(
    [
      panel(
        'By proposal',
        byProposal,
        slotSeconds.filter((seconds) => seconds <= 12),
      ),
      panel('By links, machine and validators, nobody late', byLinks, slotSeconds.filter(wasPlayed)),
    ],
    'The shortest slot with 99 % of the votes in the next block, and what was played, votes in reach, %',
  );
}
