import { type LeanCase, readLeanLink, replayLeanLink } from '@tutti/ethereum/lean';
import { html, render } from 'lit-html';
import { counted } from '../formatNumber.ts';
import { query } from '../page.ts';
import { messageOf } from '../worker/task.ts';
import { strategyWords } from './leanText.ts';

/** Number of slots without further faults that are listed after the counterexample's slots. */
const slotsMore = 3;

/**
 * Shows a counterexample of `tutti lean rules` slot by slot, or hides its section.
 *
 * @param check part of the link after `lean-check=`; undefined if there is no counterexample.
 */
export function showCheck(check: string | undefined): void {
  query('#check').hidden = check === undefined;
  if (check === undefined) return;
  const { words, slots } = textsOf(`lean-check=${check}`);
  query('#check-words').textContent = words;
  render(
    slots.map((slot) => html`<li>${slot}</li>`),
    query('#check-slots'),
  );
}

/** Returns the description of a counterexample and one text per slot, or the reason why the link is rejected. */
function textsOf(link: string): { readonly words: string; readonly slots: readonly string[] } {
  try {
    return { words: caseWords(readLeanLink(link)), slots: replayLeanLink(link, slotsMore) };
  } catch (error) {
    return { words: `This counterexample cannot be shown: ${messageOf(error)}`, slots: [] };
  }
}

function caseWords({ options, silent, wide }: LeanCase): string {
  const { rule, owners, subnets, deadline } = options;
  const subnetsOf = (title: string, aggregators: readonly number[]) =>
    aggregators.length === 0 ? '' : ` ${title}: ${aggregators.map((one) => owners[one]).join(', ')}.`;
  const faults =
    subnetsOf('Silent aggregators', silent) + subnetsOf('Aggregators whose leaf contains votes from all subnets', wide);
  const late = deadline === undefined ? '' : ` Merges that end after ${counted(deadline, 'slot')} are too late.`;
  return `${strategyWords[rule].title}: the aggregators belong to the following of the ${subnets} subnets: ${owners.join(', ')}. Times are not modelled: each aggregator may merge once per slot.${faults}${late}`;
}
