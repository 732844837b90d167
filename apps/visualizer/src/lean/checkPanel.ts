import { readLeanLink, replayLeanLink } from '@tutti/ethereum/lean';
import { made } from '../made.ts';
import { messageOf } from '../messageOf.ts';
import { count } from '../numberWords.ts';
import { part } from '../page.ts';
import { rivalWords } from './leanWords.ts';

/** Slots that are followed behind those of the counterexample, with nothing going wrong. */
const slotsMore = 3;

/** Plays a counterexample of `tutti lean check` slot by slot. @param check what is behind `lean-check=` in its link. */
export function showCheck(check: string | undefined): void {
  const section = part('#check');
  section.hidden = check === undefined;
  if (check === undefined) return;
  const words = part('#check-words');
  const lines = part('#check-slots');
  try {
    const link = `lean-check=${check}`;
    const { options, silent, wide } = readLeanLink(link);
    const { deadline } = options;
    const list = (name: string, of: readonly number[]) =>
      of.length === 0 ? '' : ` ${name}: ${of.map((one) => options.owners[one]).join(', ')}.`;
    const quiet = `${list('Silent', silent)}${list('With a vote of every subnet in the leaf', wide)}`;
    const until = deadline === undefined ? '' : ` What ends after ${count(deadline)} slots is too late.`;
    words.textContent = `${rivalWords[options.rule].title}: aggregators of the subnets ${options.owners.join(', ')} of ${options.subnets}, and no time: in each slot everybody may merge once.${quiet}${until}`;
    lines.replaceChildren(...replayLeanLink(link, slotsMore).map((line) => made('li', { textContent: line })));
  } catch (error) {
    words.textContent = `This counterexample cannot be played: ${messageOf(error)}`;
    lines.replaceChildren();
  }
}
