import type { LiveView, MemberView } from '@tutti/transports/rooms';
import { html, nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';

/** Number of shown characters of a name. It is enough to distinguish a room's members. */
const shownCharacters = 8;

export function shortName(name: string): string {
  return name.slice(0, shownCharacters);
}

/**
 * Draws all members of the room, one row per member: name, progress of each level or of the votes, number of messages,
 * and state.
 */
export function drawMembers(host: HTMLElement, { round, members, slot }: LiveView): void {
  const row = (member: MemberView) => {
    const { name, label, isSelf, lied, condition } = member;
    const progress = member.progress?.round === round?.number ? member.progress : undefined;
    const levels = (progress?.levels ?? []).filter(([, peers]) => peers > 0);
    const filling = levels.map(
      ([held, peers]) =>
        html`<i class=${held === peers ? 'all' : ''} title="${held} of ${peers}" .style=${`--held: ${held / peers}`}></i>`,
    );
    const who = [...roles(member), label].filter(Boolean).join(', ');
    return html`<tr data-testid="member" class="${isSelf ? 'self ' : ''}${lied ? 'lied ' : ''}${condition}"><th scope="row" class="who" title=${name}><span class="key">${shortName(name)}</span><span class="label"> ${who}</span></th><td><div class="filling">${filling}</div></td><td class="number messages">${progress ? progress.sent + progress.received : ''}</td><td class="number checked">${progress?.checked ?? ''}</td><td class="how" title=${refusals(member) ?? nothing}>${conditionWords(member, progress?.reachedMs)}</td></tr>`;
  };
  render(
    html`<table class="members ${round === undefined ? 'idle' : ''}"><thead><tr><th class="who" scope="col">member</th><th class="levels-head" scope="col">${slot === undefined ? 'levels' : 'votes'}</th><th class="number" scope="col">messages</th><th class="number" scope="col">checked</th><th class="how" scope="col"><span class="visually-hidden">state</span></th></tr></thead><tbody>${repeat(members, ({ name }) => name, row)}</tbody></table>`,
    host,
  );
}

function roles({ isSelf, isLeader }: MemberView): string[] {
  return [...(isSelf ? ['you'] : []), ...(isLeader ? ['leader'] : [])];
}

function conditionWords({ condition, lied }: MemberView, reachedMs: number | null | undefined): string {
  if (condition === 'refused') return 'forged card';
  if (lied) return 'Byzantine';
  if (condition === 'left') return 'left';
  if (reachedMs != null) return `${reachedMs} ms`;
  return condition === 'asleep' ? 'asleep' : 'here';
}

function refusals({ refused }: MemberView): string | null {
  const codes = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return codes.length === 0 ? null : `refused of it: ${codes.join(', ')}`;
}
