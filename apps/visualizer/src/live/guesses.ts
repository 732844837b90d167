import type { RaceProtocol } from '@tutti/lab';
import type { LiveView, MemberView } from '@tutti/transports/rooms';
import { html, nothing, render } from 'lit-html';
import { raceTitles } from '../race/raceText.ts';
import { counted } from '../words.ts';

/** Answers to the race's question. A member announces the index of its answer. */
const choices: readonly RaceProtocol[] = ['handel', 'san-fermin', 'complete-graph', 'gossip', 'complete-graph-bulk'];

/** Counts the present members that chose each answer, and those that chose any. An unknown answer is not counted. */
export function guessCounts(members: readonly Pick<MemberView, 'answer' | 'condition'>[]): {
  readonly counts: readonly number[];
  readonly guessed: number;
} {
  const counts = choices.map(() => 0);
  for (const { answer, condition } of members)
    if (answer !== undefined && answer in counts && (condition === 'here' || condition === 'asleep')) counts[answer]!++;
  return { counts, guessed: counts.reduce((sum, count) => sum + count, 0) };
}

/**
 * Draws the question: to each member its own answer, and to the leader the number of members that chose each answer.
 */
export function drawGuesses(
  host: HTMLElement,
  { self, leader, members }: LiveView,
  choose: (at: number) => void,
): void {
  const own = members.find(({ isSelf }) => isSelf)?.answer;
  const { counts, guessed } = guessCounts(members);
  const isLeader = self === leader;
  const choice = (protocol: RaceProtocol, at: number) =>
    html`<li><button type="button" class="chip" data-testid="guess-${protocol}" aria-pressed=${at === own} @click=${() => choose(at)}>${raceTitles[protocol]}</button>${isLeader ? html`<output data-testid="guesses-${protocol}" .style=${`--share: ${counts[at]! / Math.max(1, guessed)}`}>${counts[at]}</output>` : nothing}</li>`;
  const note = isLeader
    ? html`${guessed} of ${counted(members.length, 'member')} guessed. Only this page shows the counts. <a href="./#race" target="_blank" rel="noopener">Show the race</a>`
    : own === undefined
      ? 'Choose a protocol. The leader’s page shows the number of guesses per protocol.'
      : 'Your guess is counted. You can change it.';
  render(html`<ul>${choices.map(choice)}</ul><p class="sub" data-testid="guesses-note">${note}</p>`, host);
}
