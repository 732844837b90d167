import { count } from '@tutti/visualizer/formatNumber';
import { createElement } from '@tutti/visualizer/html';
import { choice, type Field, Fields, named, optional, whole, word } from '@tutti/visualizer/links/fields';
import { query, say, sayError } from '@tutti/visualizer/page';
import type { PageStage } from '@tutti/visualizer/player/player';
import { present } from '@tutti/visualizer/player/present';
import { TaskWorker } from '@tutti/visualizer/worker/task';
import { ChainView } from './chainView.ts';
import { drawCosts } from './costTable.ts';
import {
  type ChainReport,
  type Flaw,
  flaws,
  type LinesReport,
  type RingAnswer,
  type RingRequest,
  ringMembers,
  type TagRow,
} from './ringMessages.ts';
import { drawLines, drawTags } from './tagTables.ts';

/**
 * State of the page, in the form that a link stores. Members are counted from 0 in this state, and from 1 in a link.
 */
export interface RingState {
  readonly signer: number;
  readonly flaw: Flaw;
  readonly isRevealed: boolean;
  readonly cheat: number | undefined;
  readonly members: number;
  /** Percentage of the other members that reveal their keys. */
  readonly known: number;
}

/** Returns the link's field for a member. Links count members from 1. */
function member(first: number): Field<number> {
  const counted = whole({ min: 1, max: ringMembers }, first + 1);
  return {
    ...counted,
    first,
    read: (text) => minusOne(counted.read(text)),
    nearest: (text) => minusOne(counted.nearest?.(text)),
    write: (place) => String(place + 1),
  };
}

const minusOne = (place: number | undefined) => (place === undefined ? undefined : place - 1);

/** Numbers of members for which the page shows the costs of rings. */
const memberCounts = [64, 256, 1024];

/** Fields that a link stores. */
export const ringFields = new Fields<RingState>({
  signer: member(4),
  flaw: choice(flaws, 'none'),
  isRevealed: named('reveal', word),
  cheat: optional(member(0)),
  members: choice(memberCounts, 1024),
  known: whole({ min: 0, max: 100 }, 50),
});

/**
 * Stage for anonymous signers: one ring, the information that its signatures reveal and hide, and the costs of rings.
 * The stage has no clock.
 */
export class AnonymousStage implements PageStage {
  readonly #view = new ChainView(query('#ring'), (signer) => this.#change({ signer }));
  readonly #worker = new TaskWorker<RingRequest, RingAnswer>(
    new Worker(new URL('./ringWorker.ts', import.meta.url), { type: 'module', name: 'tutti-rings' }),
    'The ring',
  );
  #state: RingState = ringFields.read(location.hash).values;
  #chain: ChainReport | undefined;
  #tags: { readonly signer: number; readonly rows: readonly TagRow[] } | undefined;
  #lines: LinesReport | undefined;
  /** Measured time of a multiplication in the group, µs. */
  #multiplicationUs: number | undefined;
  /** Whether a computation has failed. The page then continues to show the error. */
  #hasFailed = false;

  open(): void {
    present(this);
    this.#fill();
    say('running', 'Generating eight keys and signatures …');
    const { signer, flaw, cheat } = this.#state;
    this.#ask({ ask: 'chain', signer, flaw });
    this.#ask({ ask: 'tags', signer });
    this.#ask({ ask: 'lines', cheat });
    this.#ask({ ask: 'timing' });
    this.#draw();
  }

  follow(hash: string): void {
    this.#change(ringFields.read(hash).values);
  }

  link(): string {
    return ringFields.write(this.#state);
  }

  recolour(): void {
    this.#draw();
  }

  #fill(): void {
    const signer = query<HTMLSelectElement>('#signer');
    for (let member = 0; member < ringMembers; member++) signer.add(new Option(`member ${member + 1}`, String(member)));
    signer.addEventListener('change', () => this.#change({ signer: Number(signer.value) }));
    for (const input of document.querySelectorAll<HTMLInputElement>('#flaws input'))
      input.addEventListener('change', () => this.#change({ flaw: input.value as Flaw }));
    const reveal = query<HTMLInputElement>('#reveal');
    reveal.addEventListener('change', () => this.#change({ isRevealed: reveal.checked }));

    const cheats = [undefined, ...Array.from({ length: ringMembers }, (_, member) => member)];
    query('#cheats').append(
      ...cheats.map((cheat) => {
        const member = cheat === undefined ? '' : `${cheat + 1}`;
        const button = createElement('button', {
          type: 'button',
          textContent: member || 'None',
          dataset: { cheat: cheat === undefined ? '' : String(cheat) },
          onclick: () => this.#change({ cheat }),
        });
        button.setAttribute('aria-label', member ? `Member ${member} registers twice` : 'No member registers twice');
        return button;
      }),
    );
    const membersSelect = query<HTMLSelectElement>('#members');
    for (const members of memberCounts) membersSelect.add(new Option(count(members), String(members)));
    membersSelect.addEventListener('change', () => this.#change({ members: Number(membersSelect.value) }));
    const known = query<HTMLInputElement>('#known');
    known.addEventListener('input', () => this.#change({ known: Number(known.value) }));
  }

  #change(to: Partial<RingState>): void {
    const before = this.#state;
    this.#state = { ...before, ...to };
    const { signer, flaw, cheat } = this.#state;
    if (signer !== before.signer || flaw !== before.flaw) this.#ask({ ask: 'chain', signer, flaw });
    if (signer !== before.signer) this.#ask({ ask: 'tags', signer });
    if (cheat !== before.cheat) this.#ask({ ask: 'lines', cheat });
    this.#draw();
  }

  #ask(request: RingRequest): void {
    this.#worker.ask(request).then(
      (answer) => this.#hear(answer),
      (error: Error) => {
        this.#hasFailed = true;
        sayError(error, 'A computation failed');
      },
    );
  }

  #hear(answer: RingAnswer): void {
    const { signer, flaw, cheat } = this.#state;
    // An answer to an earlier request is ignored.
    if (answer.kind === 'chain') {
      if (answer.report.signer === signer && answer.report.flaw === flaw) this.#chain = answer.report;
    } else if (answer.kind === 'tags') {
      if (answer.signer === signer) this.#tags = answer;
    } else if (answer.kind === 'lines') {
      if (answer.report.cheat === cheat) this.#lines = answer.report;
    } else {
      this.#multiplicationUs = answer.multiplicationUs;
      if (!this.#hasFailed) say('ready', '');
    }
    this.#draw();
  }

  #draw(): void {
    const { signer, flaw, isRevealed, cheat, members, known } = this.#state;
    query<HTMLSelectElement>('#signer').value = String(signer);
    query<HTMLInputElement>(`#flaws input[value="${flaw}"]`).checked = true;
    query<HTMLInputElement>('#reveal').checked = isRevealed;
    query<HTMLSelectElement>('#members').value = String(members);
    query<HTMLInputElement>('#known').value = String(known);
    query('#known-now').textContent = `${known} %`;
    for (const button of document.querySelectorAll<HTMLButtonElement>('#cheats button'))
      button.setAttribute('aria-pressed', String(button.dataset.cheat === (cheat === undefined ? '' : String(cheat))));

    this.#view.show(this.#chain, isRevealed);
    query('#chain-words').textContent = chainWords(this.#chain, isRevealed);
    if (this.#tags) drawTags(query('#tags'), this.#tags.rows, isRevealed);
    if (this.#lines) drawLines(query<HTMLTableElement>('#lines'), this.#lines);
    query('#cheat-words').textContent = cheatWords(this.#lines);
    drawCosts(query<HTMLTableElement>('#costs'), members, known / 100, this.#multiplicationUs);
    query('#cost-words').textContent = costWords(members, this.#multiplicationUs);
  }
}

function chainWords(report: ChainReport | undefined, isRevealed: boolean): string {
  if (report === undefined) return '';
  const { flaw, signer, changed, bytes } = report;
  if (flaw === 'stranger')
    return 'A non-member draws all values at random. The last challenge differs from the first, so the signature is refused. To close the chain, the non-member would need a member’s secret key or would have to guess one of 2²⁵² challenges.';
  if (changed !== undefined)
    return `One bit of member ${changed + 1}’s response was changed. All later challenges differ, and the chain does not close: the signature is refused.`;
  const maker = isRevealed
    ? ` Member ${signer + 1} signed. It started the chain at its own position with a secret random number, and drew the responses of all other members at random. Signatures of all eight members have the same distribution.`
    : '';
  return `The chain closes, so the signature is valid. One of the eight members made these ${count(bytes)} bytes.${maker}`;
}

function cheatWords(report: LinesReport | undefined): string {
  if (report === undefined) return '';
  if (report.named === undefined)
    return 'Three members made one registration each. No row has the same tag twice, so all three keys are accepted, and none of them reveals its owner. Select a number to let that member register twice.';
  return `Keys A and B have the same tag in row ${report.named + 1}, so member ${report.named + 1} registered both. Both keys are discarded, and the member is excluded from the next set-up. Key C has no tag in common with the other keys and does not reveal its owner.`;
}

function costWords(members: number, multiplicationUs: number | undefined): string {
  const speed =
    multiplicationUs === undefined
      ? 'The time of a multiplication in the group is being measured.'
      : `A multiplication in the group takes ${count(Math.round(multiplicationUs))} µs in this browser.`;
  return `${count(members)} members with traceable signatures. ${speed} Bars are logarithmic. The risk of identification is the probability that all other members of a signer’s ring reveal their keys. It assumes that these members are chosen before the rings are known.`;
}
