import type { RaceProtocol } from '@tutti/lab';
import type { LiveView, MemberView } from '@tutti/transports/rooms';
import { html, nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { counted, spelled } from '../formatNumber.ts';
import { raceTexts } from '../race/raceText.ts';

/** Returns the first 8 characters of a member's name, which are sufficient to distinguish the members of a room. */
export function shortName(name: string): string {
  return name.slice(0, 8);
}

/** Returns the title of a room's page: the number of votes or signatures, or of members before there is a result. */
export function titleOf({
  members,
  result,
  slot,
  block,
}: Pick<LiveView, 'members' | 'result' | 'slot' | 'block'>): string {
  if (block !== undefined)
    return block.block.votes === 1 ? 'One vote in one block.' : `${spelled(block.block.votes)} votes in one block.`;
  if (result !== undefined)
    return result.weight === 1 ? 'One signature.' : `${spelled(result.weight)} signatures became one.`;
  const present = members.filter(({ condition }) => condition === 'here' || condition === 'asleep').length;
  if (present === 1) return 'One member so far.';
  return `${spelled(present)} members ${slot === undefined ? 'sign one message' : 'vote in one slot'}.`;
}

/**
 * Draws all members of the room, one row per member: name, progress on each level or progress of the votes, numbers of
 * messages and checks, and state.
 */
export function drawMembers(host: HTMLElement, { round, members, slot }: LiveView): void {
  const row = (member: MemberView) => {
    const { name, label, isSelf, isLeader, isByzantine, condition } = member;
    const progress = member.progress?.round === round?.number ? member.progress : undefined;
    const levels = (progress?.levels ?? []).filter(([, peers]) => peers > 0);
    const filling = levels.map(
      ([held, peers]) =>
        html`<i class=${held === peers ? 'all' : ''} title="${held} of ${peers}" .style=${`--held: ${held / peers}`}></i>`,
    );
    const who = [isSelf ? 'you' : '', isLeader ? 'leader' : '', label].filter(Boolean).join(', ');
    return html`<tr data-testid="member" class="${isSelf ? 'self ' : ''}${isByzantine ? 'byzantine ' : ''}${condition}"><th scope="row" class="who" title=${name}><span class="key">${shortName(name)}</span><span class="label"> ${who}</span></th><td><div class="filling">${filling}</div></td><td class="number messages">${progress ? progress.sent + progress.received : ''}</td><td class="number checked">${progress?.checked ?? ''}</td><td class="how" title=${refusals(member) || nothing}>${conditionWords(member, progress?.reachedMs)}</td></tr>`;
  };
  render(
    html`<table class="members ${round === undefined ? 'idle' : ''}"><thead><tr><th class="who" scope="col">member</th><th class="levels-head" scope="col">${slot === undefined ? 'levels' : 'votes'}</th><th class="number" scope="col">messages</th><th class="number" scope="col">checked</th><th class="how" scope="col"><span class="visually-hidden">state</span></th></tr></thead><tbody>${repeat(members, ({ name }) => name, row)}</tbody></table>`,
    host,
  );
}

function conditionWords({ condition, isByzantine }: MemberView, reachedMs: number | null | undefined): string {
  if (condition === 'refused') return 'forged card';
  if (isByzantine) return 'Byzantine';
  if (condition === 'left') return 'left';
  if (reachedMs != null) return `${reachedMs} ms`;
  return condition === 'asleep' ? 'asleep' : 'here';
}

/** Describes the messages of a member that this page has refused, by error code; empty if there are none. */
function refusals({ refused }: MemberView): string {
  const codes = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return codes.length === 0 ? '' : `refused messages: ${codes.join(', ')}`;
}

/** Possible answers to the question about the race. A member announces the index of the answer that it chose. */
const choices: readonly RaceProtocol[] = ['handel', 'san-fermin', 'complete-graph', 'gossip', 'complete-graph-bulk'];

/**
 * Counts the present members that chose each answer, and the present members that chose any answer. Unknown answers are
 * not counted.
 */
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
 * Draws the question about the race. Each member sees its own answer, and the leader also sees how many members chose
 * each answer.
 *
 * @param choose called with the index of the chosen answer.
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
    html`<li><button type="button" class="chip" data-testid="guess-${protocol}" aria-pressed=${at === own} @click=${() => choose(at)}>${raceTexts[protocol].title}</button>${isLeader ? html`<output data-testid="guesses-${protocol}" .style=${`--share: ${counts[at]! / Math.max(1, guessed)}`}>${counts[at]}</output>` : nothing}</li>`;
  const note = isLeader
    ? html`${guessed} of ${counted(members.length, 'member')} guessed. Only this page shows the counts. <a href="./#race" target="_blank" rel="noopener">Show the race</a>`
    : own === undefined
      ? 'Choose a protocol. The leader’s page shows the number of guesses per protocol.'
      : 'Your guess is counted. You can change it.';
  render(html`<ul>${choices.map(choice)}</ul><p class="sub" data-testid="guesses-note">${note}</p>`, host);
}
