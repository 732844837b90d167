import type { LiveView, MemberView } from '@tutti/transports/rooms';
import { select } from 'd3';

/** How much of a name is shown: enough to tell a room's members apart. */
const shownCharacters = 8;

export function shortName(name: string): string {
  return name.slice(0, shownCharacters);
}

/** Everybody in the room, a row each: who, how far each level is, how many messages, and in what state. */
export class MembersView {
  readonly #table: HTMLTableElement;
  readonly #body: HTMLTableSectionElement;

  constructor(host: HTMLElement) {
    const table = select(host).append('table').attr('class', 'members');
    this.#table = table.node()!;
    const head = table.append('thead').append('tr');
    for (const [name, text] of [
      ['who', 'member'],
      ['levels-head', 'levels'],
      ['number', 'messages'],
      ['number', 'checked'],
      ['how', ''],
    ])
      head.append('th').attr('class', name!).attr('scope', 'col').text(text!);
    this.#body = table.append('tbody').node()!;
  }

  show(view: LiveView): void {
    const { round } = view;
    this.#table.classList.toggle('idle', round === undefined);
    select(this.#body)
      .selectAll<HTMLTableRowElement, MemberView>('tr')
      .data(view.members, (member) => member.name)
      .join((enter) => {
        const row = enter.append('tr').attr('data-testid', 'member');
        const who = row.append('th').attr('scope', 'row').attr('class', 'who');
        who.append('span').attr('class', 'key');
        who.append('span').attr('class', 'label');
        row.append('td').append('div').attr('class', 'filling');
        row.append('td').attr('class', 'number messages');
        row.append('td').attr('class', 'number checked');
        row.append('td').attr('class', 'how');
        return row;
      })
      .attr('class', (member) => `${member.isSelf ? 'self ' : ''}${member.lied ? 'lied ' : ''}${member.condition}`)
      .each(function (member) {
        const progress = member.progress?.round === round?.number ? member.progress : undefined;
        const row = select(this);
        row.select('.who').attr('title', member.name);
        row.select('.key').text(shortName(member.name));
        row.select('.label').text(` ${[...roles(member), member.label].filter(Boolean).join(', ')}`);
        row
          .select('.filling')
          .selectAll('i')
          .data((progress?.levels ?? []).filter(([, peers]) => peers > 0))
          .join('i')
          .attr('class', ([held, peers]) => (held === peers ? 'all' : ''))
          .style('--held', ([held, peers]) => held / peers)
          .attr('title', ([held, peers]) => `${held} of ${peers}`);
        row.select('.messages').text(progress ? progress.sent + progress.received : '');
        row.select('.checked').text(progress ? progress.checked : '');
        row.select('.how').text(condition(member, progress?.reachedMs)).attr('title', refusals(member));
      });
  }
}

function roles({ isSelf, isLeader }: MemberView): string[] {
  return [...(isSelf ? ['you'] : []), ...(isLeader ? ['leader'] : [])];
}

function condition({ condition, lied }: MemberView, reachedMs: number | null | undefined): string {
  if (condition === 'refused') return 'forged card';
  if (lied) return 'lies';
  if (condition === 'left') return 'left';
  if (reachedMs != null) return `${reachedMs} ms`;
  return condition === 'asleep' ? 'asleep' : 'here';
}

function refusals({ refused }: MemberView): string | null {
  const codes = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return codes.length === 0 ? null : `refused of it: ${codes.join(', ')}`;
}
