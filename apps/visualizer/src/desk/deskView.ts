import { levelCount } from '@tutti/core';
import type { Desk, DeskItem, DeskLevel, Scenario } from '@tutti/simulation';
import { writeSentence } from '../guide/explanation.ts';
import { made } from '../made.ts';
import { part } from '../page.ts';
import { figure, ms } from '../words.ts';
import { DeskFinder } from './deskFinder.ts';
import { lensWords, stamp, why, whyThisOne } from './deskWords.ts';

/** Beyond this many nodes a replay up to a moment takes longer than a reader waits. */
const mostNodesOfDesks = 1024;
/** The most items of a level that are drawn; a larger bracket is given as a number. */
const mostItems = 24;

/**
 * One node's inbox: a row a level, what waits in order of rank, the window as a bracket, what it claims to add as a
 * length, and the CPU as a lens.
 */
export class DeskView {
  readonly #figure = part('#desk-figure');
  readonly #rows = part('#desk-rows');
  readonly #lens = part('#desk-lens');
  readonly #chosen = part('#desk-chosen');
  readonly #stamps = part('#desk-stamps');
  readonly #why = part('#desk-why');
  readonly #finder = new DeskFinder({
    found: ({ desk, digest }) => this.#found(desk, digest),
    failed: (message) => {
      this.#lens.textContent = `The desk could not be found: ${message}`;
      this.#tell();
    },
  });
  #scenario: Scenario | undefined;
  #node = 0;
  #digest: string | undefined;
  #asked = '';
  /** What the reader asked about, so that the answer stays as time goes on. */
  #about: { readonly level: number; readonly sender: number } | undefined;
  #isSeen = false;
  #timeUs = 0;
  /** What is shown. */
  #desk: Desk | undefined;
  /** Who waits for the desk that was asked for last. */
  #told: (() => void) | undefined;

  constructor() {
    // Finding a desk is a replay: nobody waits for one that nobody sees.
    new IntersectionObserver(([entry]) => {
      this.#isSeen = entry!.isIntersecting;
      this.draw(this.#timeUs);
    }).observe(this.#figure);
    this.#rows.addEventListener('click', (event) => {
      const item = (event.target as Element).closest<HTMLElement>('.desk-item');
      if (item === null) return;
      this.#about = { level: Number(item.dataset.level), sender: Number(item.dataset.sender) };
      this.#asked = '';
      this.draw(this.#timeUs);
    });
  }

  /** @param digest of the run; undefined until it is over. */
  show(scenario: Scenario, digest: string | undefined): void {
    const isOf = scenario.protocol === 'handel' && scenario.nodes <= mostNodesOfDesks;
    this.#figure.hidden = !isOf;
    this.#scenario = isOf ? scenario : undefined;
    this.#digest = digest;
    this.#asked = '';
    this.#about = undefined;
    this.#finder.forget();
    this.#desk = undefined;
    this.#tell();
    this.#rows.replaceChildren();
    this.#rows.style.setProperty('--levels', String(levelCount(scenario.nodes, scenario.branching)));
    this.#stamps.replaceChildren();
    this.#lens.textContent = isOf ? 'Playing the run again up to this moment …' : '';
  }

  set node(node: number) {
    this.#node = node;
    this.#about = undefined;
    part('#desk-node').textContent = figure(node);
  }

  draw(timeUs: number): void {
    this.#timeUs = timeUs;
    if (this.#isSeen) this.#ask();
  }

  /** @returns whether an answer is to come. */
  #ask(): boolean {
    const scenario = this.#scenario;
    const timeUs = Math.round(this.#timeUs);
    const asked = `${this.#node} ${timeUs}`;
    if (scenario === undefined || asked === this.#asked) return false;
    this.#asked = asked;
    this.#finder.ask({ scenario, node: this.#node, timeUs });
    return true;
  }

  /** The desk at the moment drawn last, even if it is out of sight; undefined if the node has none. */
  async found(): Promise<Desk | undefined> {
    const isOld = () => this.#desk?.node !== this.#node || this.#desk.timeUs !== Math.round(this.#timeUs);
    if (isOld()) {
      // The one under way may be for another moment.
      this.#asked = '';
      const answered = new Promise<void>((resolve) => {
        this.#told = resolve;
      });
      if (this.#ask()) await answered;
    }
    return isOld() ? undefined : this.#desk;
  }

  #tell(): void {
    this.#told?.();
    this.#told = undefined;
  }

  #found(desk: Desk | undefined, digest: string): void {
    if (this.#digest === undefined || this.#digest === digest) {
      this.#draw(desk);
      return;
    }
    this.#draw(undefined);
    this.#lens.textContent =
      'This recording was made by another version of Tutti, which played the run differently: its desk cannot be found again.';
  }

  #draw(desk: Desk | undefined): void {
    this.#figure.dataset.at = desk === undefined ? '' : String(desk.timeUs);
    this.#desk = desk;
    // What was asked for meanwhile gets an answer of its own.
    if (desk === undefined || this.#asked === `${desk.node} ${desk.timeUs}`) this.#tell();
    if (desk === undefined) {
      this.#rows.replaceChildren();
      this.#stamps.replaceChildren();
      this.#why.textContent = '';
      this.#chosen.textContent = '';
      this.#lens.textContent = 'This node keeps no desk: it is dead, or does not follow the protocol.';
      return;
    }
    this.#lens.textContent = `Under the lens: ${lensWords(desk)}.`;
    this.#chosen.textContent = whyThisOne(desk);
    // The focus stays with what the reader is looking at.
    const focused =
      document.activeElement instanceof HTMLElement && this.#rows.contains(document.activeElement)
        ? document.activeElement.dataset
        : undefined;
    this.#rows.replaceChildren(
      ...desk.levels
        .toReversed()
        .filter(({ size }) => size > 0)
        .map((level) => this.#row(level, desk)),
    );
    if (focused !== undefined)
      this.#rows
        .querySelector<HTMLElement>(`[data-level="${focused.level}"][data-sender="${focused.sender}"]`)
        ?.focus({ preventScroll: true });
    this.#stamps.replaceChildren(
      ...desk.verdicts.map((verdict) => {
        const item = made('li', { className: verdict.valid ? (verdict.adds > 0 ? 'taken' : 'idle') : 'lie' });
        const time = made('time', { textContent: ms(verdict.timeUs) });
        const mark = made('b', { textContent: stamp(verdict) });
        item.append(time, mark, ` node ${figure(verdict.sender)}, level ${verdict.level}`);
        return item;
      }),
    );
    this.#explain(desk);
  }

  #row(level: DeskLevel, { checking, next }: Desk): HTMLElement {
    const row = made('li', { className: 'desk-row' });
    const isDone = level.inWeight === level.size;
    row.toggleAttribute('data-done', isDone);
    const name = made(
      'p',
      { className: 'desk-name', textContent: `level ${level.level}` },
      made('span', { textContent: `${isDone ? '✓ ' : ''}${figure(level.inWeight)} of ${figure(level.size)}` }),
    );
    const lens = made('span', { className: 'desk-lens' });
    for (const check of checking.filter((one) => one.level === level.level))
      lens.append(bar(check.sender, '', Math.min(level.size, check.weight) / level.size, 'checking'));
    const queue = made('span', { className: 'desk-queue' });
    const inWindow = level.items.filter(({ place }) => place === 'window');
    const bracket = made('span', {
      className: 'desk-bracket',
      title: `the window: ${Number.isFinite(level.counted) ? figure(level.counted) : 'all'} ranks`,
    });
    const first = next.next.find((one) => one.level === level.level);
    const queued = level.items.filter(({ place }) => place !== 'dormant');
    const shown = queued.slice(0, mostItems);
    const lastInWindow = shown.findLastIndex(({ place }) => place === 'window');
    const firstInWindow = shown.findIndex(({ place }) => place === 'window');
    shown.forEach((item, place) => {
      const button = this.#item(item, level);
      button.toggleAttribute('data-next', item.place === 'window' && item.sender === first?.sender);
      if (inWindow.length > 0 && place >= firstInWindow && place <= lastInWindow) bracket.append(button);
      if (place === lastInWindow) queue.append(bracket);
      if (firstInWindow < 0 || place < firstInWindow || place > lastInWindow) queue.append(button);
    });
    if (queued.length > mostItems) queue.append(`and ${figure(queued.length - mostItems)} more`);
    const dormant = level.items.slice(queued.length);
    if (dormant.length > 0) queue.append(this.#aside(dormant, level));
    const size = made('span', {
      className: 'desk-window',
      textContent: isDone ? '' : `window ${Number.isFinite(level.window) ? figure(level.window) : 'off'}`,
    });
    if (!isDone && level.counted < level.window)
      size.append(document.createElement('br'), `${figure(level.counted)} count`);
    row.append(name, lens, queue, size);
    return row;
  }

  #item(item: DeskItem, level: DeskLevel): HTMLButtonElement {
    const button = made('button', {
      type: 'button',
      className: `desk-item ${item.place}`,
      dataset: { level: String(level.level), sender: String(item.sender) },
    });
    const isAbout = this.#about?.level === level.level && this.#about.sender === item.sender;
    button.setAttribute('aria-pressed', String(isAbout));
    const rank = item.place === 'dormant' ? '' : figure(item.rank);
    const ranked = rank === '' ? '' : `, rank ${rank}`;
    button.title = `node ${figure(item.sender)}${ranked}: ${placeWords[item.place]}`;
    button.setAttribute('aria-label', `node ${item.sender}${ranked}, ${placeWords[item.place]}: why?`);
    button.append(bar(item.sender, rank, item.adds / level.size, item.place));
    return button;
  }

  /** What lies aside on a level: one button for all, since none of it has a rank or anything to add now. */
  #aside(dormant: readonly DeskItem[], level: DeskLevel): HTMLButtonElement {
    const button = this.#item(dormant[0]!, level);
    button.textContent = `${figure(dormant.length)} aside`;
    button.title = `kept aside: nodes ${dormant.map(({ sender }) => figure(sender)).join(', ')}`;
    button.setAttribute('aria-label', `level ${level.level}, ${figure(dormant.length)} kept aside: why?`);
    return button;
  }

  #explain(desk: Desk): void {
    const about = this.#about;
    this.#why.toggleAttribute('data-unkept', about === undefined);
    const level = desk.levels.find((one) => one.level === about?.level);
    const item = level?.items.find(({ sender }) => sender === about?.sender);
    if (about === undefined) this.#why.textContent = 'Press anything that waits, and it says why.';
    else if (level === undefined || item === undefined) {
      const verdict = desk.verdicts.find((one) => one.sender === about.sender && one.level === about.level);
      const isUnder = desk.checking.some((one) => one.sender === about.sender && one.level === about.level);
      this.#why.textContent = isUnder
        ? `Node ${figure(about.sender)}’s is under the lens now.`
        : verdict
          ? `Node ${figure(about.sender)}’s was checked at ${ms(verdict.timeUs)}: ${stamp(verdict)}.`
          : `Nothing of node ${figure(about.sender)} waits on level ${about.level} at this moment.`;
    } else writeSentence(this.#why, why(item, level, desk));
  }
}

const placeWords = {
  window: 'in the window',
  waits: 'waits',
  pruned: 'adds nothing, to be pruned',
  aside: 'adds nothing now, to be kept aside',
  dormant: 'kept aside',
} as const;

/** A sender's rank and number, with what it claims to add as a length. */
function bar(sender: number, rank: string, share: number, kind: string): HTMLElement {
  const item = made('span', { className: `desk-bar ${kind}` });
  const fill = document.createElement('i');
  if (share > 0) fill.style.width = `${Math.max(6, 100 * Math.min(1, share))}%`;
  const ranked = made('b', { textContent: rank });
  const name = made('span', { className: 'desk-from', textContent: `n${figure(sender)}` });
  item.append(fill, ranked, name);
  return item;
}
