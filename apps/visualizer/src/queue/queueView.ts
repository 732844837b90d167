import { levelCount } from '@tutti/core';
import type { QueueItem, QueueLevel, QueuePlace, RecordedWorld, Scenario, VerificationQueue } from '@tutti/simulation';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { RulePanel } from '../branches/rulePanel.ts';
import { count, counted, ms } from '../formatNumber.ts';
import { sentence } from '../guide/explanation.ts';
import { query } from '../page.ts';
import { changedRules, type EditedRules, unedited } from '../rules/editedRules.ts';
import type { Fate } from './codeLines.ts';
import { CodePanel } from './codePanel.ts';
import { QueueFinder } from './queueFinder.ts';
import { checkingWords, isSenderChecked, stamp, why, whyThisOne } from './queueText.ts';

/** Maximum number of nodes for which a queue is shown. With more nodes, a replay up to a moment takes too long. */
const maxNodesWithQueue = 1024;
/** Maximum number of entries drawn for each level. The row ends with the number of other entries. */
const maxItems = 24;

interface QueueListener {
  /** Goes to a moment at which a line of the code is executed. */
  seek(timeUs: number): void;
  /** Called when the reader has changed a rule. */
  edited(): void;
  /** Called when the run with changed rules has more results. */
  changed(): void;
}

/**
 * Verification queue of one node: one row per level with waiting contributions by rank, the window as a bracket, the
 * claimed gain as a length, and the verification in progress.
 */
export class QueueView {
  readonly #figure = query('#queue-figure');
  readonly #rows = query('#queue-rows');
  readonly #checking = query('#queue-checking');
  readonly #chosen = query('#queue-chosen');
  readonly #stamps = query('#queue-stamps');
  readonly #why = query('#queue-why');
  readonly #finder = new QueueFinder({
    found: ({ queue, digest }) => this.#found(queue, digest),
    failed: (message) => {
      this.#checking.textContent = `The queue could not be reconstructed: ${message}`;
      this.#endRequest();
    },
  });
  #scenario: Scenario | undefined;
  /** Whether the shown run has a queue; true before the first run is shown. */
  #hasQueue = true;
  #node = 0;
  #digest: string | undefined;
  #asked = '';
  /** Entry that the user has asked about, stored so that the answer remains while time advances. */
  #about: { readonly level: number; readonly sender: number } | undefined;
  #isSeen = false;
  #timeUs = 0;
  /** Shown verification queue. */
  #queue: VerificationQueue | undefined;
  /** Resolve the promises of the callers that wait for the queue that was requested last. */
  readonly #waiting: (() => void)[] = [];

  readonly #code: CodePanel;
  readonly #rules: RulePanel;

  constructor(on: QueueListener) {
    this.#code = new CodePanel(query('#queue-code'), {
      seek: (timeUs) => on.seek(timeUs),
      edit: (rule) => this.#rules.focus(rule),
    });
    this.#rules = new RulePanel(query('#queue-rules'), {
      edited: () => {
        this.#code.edited = this.#rules.edited;
        on.edited();
      },
      asked: (rule) => this.#code.showRule(rule),
      changed: () => on.changed(),
    });
    // A queue requires a replay, so the view waits until it is visible.
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)!.isIntersecting;
      this.draw(this.#timeUs);
    }).observe(this.#figure);
    for (const host of [this.#rows, this.#stamps])
      host.addEventListener('click', (event) => {
        const item = (event.target as Element).closest<HTMLElement>('[data-fate]');
        if (item === null) return;
        this.#about = { level: Number(item.dataset.level), sender: Number(item.dataset.sender) };
        this.#asked = '';
        this.draw(this.#timeUs);
        this.#code.showContribution(this.#about, [item.dataset.fate as Fate]);
      });
  }

  /** Shows the queue of a run. @param digest digest of the run; undefined if it is still in progress. */
  show(scenario: Scenario, world: RecordedWorld, digest: string | undefined): void {
    const isOf = scenario.protocol === 'handel' && scenario.nodes <= maxNodesWithQueue;
    this.#figure.hidden = !isOf;
    this.#scenario = isOf ? scenario : undefined;
    this.#hasQueue = isOf;
    this.#digest = digest;
    this.#asked = '';
    this.#about = undefined;
    this.#finder.forget();
    this.#queue = undefined;
    this.#endRequest();
    this.#drawRows(undefined);
    this.#showCode();
    this.#rules.show(this.#scenario, world, digest);
    this.#rows.style.setProperty('--levels', String(levelCount(scenario.nodes, scenario.branching)));
    this.#checking.textContent = isOf ? 'Repeating the run up to this moment …' : '';
  }

  /** Rules that the reader has changed; Handel's rules if no queue is shown. */
  get edited(): EditedRules {
    return this.#hasQueue ? this.#rules.edited : unedited;
  }

  set edited(edited: EditedRules) {
    this.#rules.edited = edited;
    this.#code.edited = edited;
    const folded = query('#queue-rules').closest('details');
    if (folded !== null && changedRules(edited).length > 0) folded.open = true;
  }

  /** End time of the run with changed rules, µs; 0 if there is no such run. */
  get endUs(): number {
    return this.#rules.endUs;
  }

  recolour(): void {
    this.#rules.recolour();
  }

  set node(node: number) {
    this.#node = node;
    this.#about = undefined;
    query('#queue-node').textContent = count(node);
    this.#showCode();
  }

  #showCode(): void {
    if (this.#scenario !== undefined) this.#code.show(this.#scenario, this.#node, this.#digest);
  }

  draw(timeUs: number): void {
    this.#timeUs = timeUs;
    this.#code.draw(timeUs);
    this.#rules.draw(timeUs);
    if (this.#isSeen) this.#ask();
  }

  /** Requests the queue at the drawn moment. @returns whether an answer will follow. */
  #ask(): boolean {
    const scenario = this.#scenario;
    const timeUs = Math.round(this.#timeUs);
    const asked = `${this.#node} ${timeUs}`;
    if (scenario === undefined || asked === this.#asked) return false;
    this.#asked = asked;
    this.#finder.ask({ scenario, node: this.#node, timeUs });
    return true;
  }

  /**
   * Resolves to the queue at the moment that was drawn last, even if the queue is not visible; undefined if the node
   * has no queue.
   */
  async found(): Promise<VerificationQueue | undefined> {
    const isOld = () => this.#queue?.node !== this.#node || this.#queue.timeUs !== Math.round(this.#timeUs);
    if (isOld()) {
      // The pending request may be about another moment.
      this.#asked = '';
      if (this.#ask()) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    return isOld() ? undefined : this.#queue;
  }

  #endRequest(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #found(queue: VerificationQueue | undefined, digest: string): void {
    if (this.#digest === undefined || this.#digest === digest) {
      this.#draw(queue);
      return;
    }
    this.#draw(undefined);
    this.#checking.textContent =
      'This recording was made by another version of Tutti, whose runs differ, so its queue cannot be reconstructed.';
  }

  #draw(queue: VerificationQueue | undefined): void {
    this.#figure.dataset.at = queue === undefined ? '' : String(queue.timeUs);
    this.#queue = queue;
    // If another request was made during the reconstruction, the view waits for the answer to that request.
    if (queue === undefined || this.#asked === `${queue.node} ${queue.timeUs}`) this.#endRequest();
    if (queue === undefined) {
      this.#drawRows(undefined);
      render('', this.#why);
      this.#chosen.textContent = '';
      this.#checking.textContent = 'This node has no queue: it has failed or does not follow the protocol.';
      return;
    }
    this.#checking.textContent = `Being verified: ${checkingWords(queue)}.`;
    this.#chosen.textContent = whyThisOne(queue);
    // The entry that has the focus gets it again after the drawing.
    const focused =
      document.activeElement instanceof HTMLElement && this.#rows.contains(document.activeElement)
        ? { ...document.activeElement.dataset }
        : undefined;
    // The first drawing provides the width of a row, which limits the number of drawn contributions.
    if (this.#rows.childElementCount === 0) this.#drawRows(queue);
    this.#drawRows(queue);
    if (focused !== undefined)
      this.#rows
        .querySelector<HTMLElement>(`[data-level="${focused.level}"][data-sender="${focused.sender}"]`)
        ?.focus({ preventScroll: true });
    this.#explain(queue);
  }

  /** Draws the levels of a queue, with stamps on verified contributions. */
  #drawRows(queue: VerificationQueue | undefined): void {
    const rows = queue?.levels.toReversed().filter(({ size }) => size > 0) ?? [];
    render(
      rows.map((level) => this.#row(level, queue!)),
      this.#rows,
    );
    const stamps = (queue?.verdicts ?? []).map(
      (verdict) =>
        html`<li class=${verdict.valid ? (verdict.adds > 0 ? 'taken' : 'idle') : 'invalid'}><time>${ms(verdict.timeUs)}</time><b>${stamp(verdict)}</b> <button type="button" class="term" data-level=${verdict.level} data-sender=${verdict.sender} data-fate=${verdict.valid ? 'taken' : 'dropped'}>node ${count(verdict.sender)}, level ${verdict.level}</button></li>`,
    );
    render(stamps, this.#stamps);
  }

  #row(level: QueueLevel, queue: VerificationQueue): TemplateResult {
    const { checking, next } = queue;
    const isDone = level.inWeight === level.size;
    const first = next.next.find((one) => one.level === level.level);
    const queued = level.items.filter(({ place }) => place !== 'dormant');
    const dormant = level.items.slice(queued.length);
    const isInWindow = ({ place }: QueueItem) => place === 'window';
    const isNext = (item: QueueItem) =>
      isInWindow(item) && item.sender === first?.sender && !isSenderChecked(item, level, queue);
    const shown = fitting(queued, isNext, this.#capacity(queued.length, dormant.length > 0));
    const [from, to] = [shown.findIndex(isInWindow), shown.findLastIndex(isInWindow) + 1];
    const hidden = queued.length - shown.length;
    const isCut = to > 0 && queued.findLast(isInWindow) !== shown[to - 1];
    const items = (some: readonly QueueItem[]) => some.map((item) => this.#item(item, level, isNext(item)));
    const bracket = html`<span class="queue-bracket" ?data-cut=${isCut} title="the window: ${Number.isFinite(level.counted) ? count(level.counted) : 'all'} ranks">${items(shown.slice(Math.max(0, from), to))}</span>`;
    const size = isDone ? '' : windowSize(level);
    return html`<li class="queue-row" ?data-done=${isDone}>
      <p class="queue-name">level ${level.level}<span>${isDone ? '✓ ' : ''}${count(level.inWeight)} of ${count(level.size)}</span></p>
      <span class="queue-checking">${checking
        .filter((one) => one.level === level.level)
        .map(
          (check) =>
            html`<button type="button" class="queue-item checking" data-level=${check.level} data-sender=${check.sender} data-fate="chosen" aria-label="node ${check.sender}, being verified: why?">${bar(check.sender, '', Math.min(level.size, check.weight) / level.size, 'checking')}</button>`,
        )}</span>
      <span class="queue-waiting">${items(shown.slice(0, Math.max(0, from)))}${from < 0 ? nothing : bracket}${items(shown.slice(to))}${hidden > 0 ? `and ${count(hidden)} more` : nothing}${dormant.length > 0 ? this.#aside(dormant, level) : nothing}</span>
      <span class="queue-window">${size}</span>
    </li>`;
  }

  /** Returns the number of waiting contributions that fit in a row. */
  #capacity(queued: number, hasReserve: boolean): number {
    const row = this.#rows.querySelector('.queue-waiting');
    if (row === null) return maxItems;
    // The sizes are those in queue.css, in the unit of the row.
    const unit = Number.parseFloat(getComputedStyle(row).fontSize) / 1.08;
    const room = row.clientWidth - 20 - (hasReserve ? 8 * unit : 0);
    const itemPx = 2.9 * unit + 15;
    const fits = Math.floor(room / itemPx);
    return Math.max(2, Math.min(maxItems, queued <= fits ? fits : Math.floor((room - 6 * unit) / itemPx)));
  }

  #item(item: QueueItem, level: QueueLevel, isNext: boolean): TemplateResult {
    const rank = item.place === 'dormant' ? '' : count(item.rank);
    const ranked = rank === '' ? '' : `, rank ${rank}`;
    return this.#button(item, level, {
      isNext,
      title: `node ${count(item.sender)}${ranked}: ${placeWords[item.place]}`,
      label: `node ${count(item.sender)}${ranked}, ${placeWords[item.place]}: why?`,
      content: bar(item.sender, rank, item.adds / level.size, item.place),
    });
  }

  /**
   * Returns one button for all set-aside entries of a level, because none of these entries currently has a rank or a
   * gain.
   */
  #aside(dormant: readonly QueueItem[], level: QueueLevel): TemplateResult {
    return this.#button(dormant[0]!, level, {
      isNext: false,
      title: `in reserve: nodes ${dormant.map(({ sender }) => count(sender)).join(', ')}`,
      label: `level ${level.level}, ${counted(dormant.length, 'contribution')} in reserve: why?`,
      content: `${count(dormant.length)} in reserve`,
    });
  }

  #button(
    { place, sender }: QueueItem,
    { level }: QueueLevel,
    has: { readonly isNext: boolean; readonly title: string; readonly label: string; readonly content: unknown },
  ): TemplateResult {
    const isAbout = this.#about?.level === level && this.#about.sender === sender;
    return html`<button type="button" class="queue-item ${place}" data-level=${level} data-sender=${sender} data-fate=${fateAt[place]} ?data-next=${has.isNext} aria-pressed=${isAbout} title=${has.title} aria-label=${has.label}>${has.content}</button>`;
  }

  #explain(queue: VerificationQueue): void {
    const about = this.#about;
    this.#why.toggleAttribute('data-not-exported', about === undefined);
    const level = queue.levels.find((one) => one.level === about?.level);
    const item = level?.items.find(({ sender }) => sender === about?.sender);
    if (about === undefined) render('Select a waiting contribution to see why it waits.', this.#why);
    else if (level === undefined || item === undefined) {
      const verdict = queue.verdicts.find((one) => one.sender === about.sender && one.level === about.level);
      const isUnder = queue.checking.some((one) => one.sender === about.sender && one.level === about.level);
      const words = isUnder
        ? `Node ${count(about.sender)}’s contribution is being verified now.`
        : verdict
          ? `Node ${count(about.sender)}’s contribution was verified at ${ms(verdict.timeUs)}: ${stamp(verdict)}.`
          : `No contribution from node ${count(about.sender)} is waiting on level ${about.level} now.`;
      const droppedUs = verdict || isUnder ? undefined : this.#code.droppedUs(about);
      const dropped =
        droppedUs === undefined
          ? nothing
          : html` It was <button type="button" class="term" @click=${() => this.#code.showContribution(about, ['dropped', 'aside'])}>dropped at ${ms(droppedUs)}</button>.`;
      render(html`${words}${dropped}`, this.#why);
    } else render(sentence(why(item, level, queue)), this.#why);
  }
}

/** Returns as many entries as fit: the first ones, and the entry that is verified next. */
function fitting(
  queued: readonly QueueItem[],
  isNext: (item: QueueItem) => boolean,
  capacity: number,
): readonly QueueItem[] {
  const next = queued.find(isNext);
  const first = queued.slice(0, capacity);
  return next === undefined || first.includes(next) ? first : [...first.slice(0, -1), next];
}

/** Describes a window in ranks, and under attack the part of the window that counts. */
function windowSize({ window, counted }: QueueLevel): string {
  if (!Number.isFinite(window)) return 'window off';
  const share = counted < window ? `${count(counted)} of ` : '';
  return `window: ${share}${count(window)}\u00a0${window === 1 ? 'rank' : 'ranks'}`;
}

/** Outcome with which a contribution gets to each place. */
const fateAt: Readonly<Record<QueuePlace, Fate>> = {
  window: 'queued',
  waits: 'queued',
  pruned: 'queued',
  aside: 'queued',
  dormant: 'aside',
};

const placeWords = {
  window: 'in the window',
  waits: 'waits',
  pruned: 'adds nothing and will be pruned',
  aside: 'adds nothing now and will be kept in reserve',
  dormant: 'in reserve',
} as const;

/**
 * Draws the rank and the number of a sender, with the number of signatures that the sender claims to add as a length.
 */
function bar(sender: number, rank: string, share: number, kind: string): TemplateResult {
  const width = share > 0 ? `width: ${Math.max(6, 100 * Math.min(1, share))}%` : '';
  return html`<span class="queue-bar ${kind}"><i .style=${width}></i><b>${rank}</b><span class="queue-from">n${count(sender)}</span></span>`;
}
