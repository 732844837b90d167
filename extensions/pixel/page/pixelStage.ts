import { count } from '@tutti/visualizer/formatNumber';
import { createElement } from '@tutti/visualizer/html';
import { Fields, whole, word } from '@tutti/visualizer/links/fields';
import { query, say, sayError } from '@tutti/visualizer/page';
import type { PageStage } from '@tutti/visualizer/player/player';
import { present } from '@tutti/visualizer/player/present';
import { TaskWorker } from '@tutti/visualizer/worker/task';
import { blockText, type KeyAnswer, type KeyRequest, type PeriodReport, type TheftReport } from './keyMessages.ts';
import { drawnNodes, heldNodes, timeNodes } from './timeLayout.ts';
import { TimeView } from './timeView.ts';

/** Content of a link to this page: the period, and whether the key is stolen at that period. */
const fields = new Fields({ period: whole({ min: 1, max: drawnNodes }, 4), stolen: word });

/**
 * Page of one Pixel key: its tree of time, its signatures, and the capabilities of a thief. The page's clock counts
 * periods, not time.
 */
export class PixelStage implements PageStage {
  readonly #scrub = query<HTMLInputElement>('#period');
  readonly #steal = query<HTMLButtonElement>('#steal');
  readonly #view = new TimeView(query('#time-tree'), (number) => this.#go(number));
  readonly #periods: PeriodReport[] = [];
  readonly #worker = new TaskWorker<KeyRequest, KeyAnswer, PeriodReport>(
    new Worker(new URL('./keyWorker.ts', import.meta.url), { type: 'module', name: 'tutti-pixel' }),
    'The key',
  );
  #now = 1;
  #theft: TheftReport | undefined;
  /** Whether the link or the button requests a theft. */
  #wantsTheft = false;

  open(): void {
    present(this);
    this.#scrub.max = String(drawnNodes);
    this.#scrub.addEventListener('input', () => this.#go(Number(this.#scrub.value)));
    query('#update').addEventListener('click', () => this.#go(this.#now + 1));
    this.#steal.addEventListener('click', () => this.#askTheft());
    say('running', 'Generating a key and updating it through fifteen periods …');
    this.#worker
      .ask({ ask: 'live' }, { progress: (report) => this.#addPeriod(report) })
      .then(() => say('ready', ''), fail);
    this.follow(location.hash);
  }

  follow(hash: string): void {
    const { period, stolen } = fields.read(hash).values;
    this.#go(period, stolen);
  }

  link(): string {
    return fields.write({ period: this.#now, stolen: this.#wantsTheft }, true);
  }

  recolour(): void {
    this.#draw();
  }

  #addPeriod(report: PeriodReport): void {
    this.#periods.push(report);
    if (report.number === this.#now && this.#wantsTheft) this.#askTheft();
    this.#draw();
  }

  /** Moves to a period. @param wantsTheft whether to show a theft at this period. */
  #go(number: number, wantsTheft = false): void {
    this.#now = Math.min(drawnNodes, Math.max(1, number));
    this.#theft = undefined;
    this.#wantsTheft = wantsTheft;
    if (wantsTheft && this.#periods.length >= this.#now) this.#askTheft();
    this.#draw();
  }

  #askTheft(): void {
    this.#wantsTheft = true;
    this.#worker.ask({ ask: 'steal', number: this.#now }).then(
      (theft) => {
        if (theft?.number === this.#now && this.#wantsTheft) this.#theft = theft;
        this.#draw();
      },
      (error: Error) => {
        this.#wantsTheft = false;
        this.#draw();
        fail(error);
      },
    );
    this.#draw();
  }

  #draw(): void {
    const { number, last } = timeNodes[this.#now - 1]!;
    const report = this.#periods[this.#now - 1];
    this.#scrub.value = String(number);
    this.#scrub.setAttribute('aria-valuetext', `period ${number}`);
    query('#period-now').textContent = `period ${number} of ${drawnNodes}`;
    query<HTMLButtonElement>('#update').disabled = number === drawnNodes;
    const isStealing = this.#wantsTheft && this.#theft === undefined;
    this.#steal.disabled = report === undefined || this.#wantsTheft;
    this.#steal.textContent = isStealing ? 'Trying to forge …' : 'Steal the key';
    this.#view.draw({ now: number, signed: this.#periods.length, theft: this.#theft });
    query('#key-words').textContent = keyWords(number, last, report);
    query('#real').textContent = realWords(number, report);
    drawVerified(query<HTMLTableElement>('#verified'), number, report);
    query('#thief-words').textContent = thiefWords(number, this.#theft);
  }
}

const fail = (error: Error): void => sayError(error, 'The computation with the key failed');

function keyWords(number: number, last: number, report: PeriodReport | undefined): string {
  const held = heldNodes(number);
  const others = held.slice(1);
  const derived = last > number ? `, from which the sub-keys of nodes ${number + 1} to ${last} can be derived` : '';
  const further =
    others.length === 0
      ? ''
      : ` It also contains the ${others.length === 1 ? 'sub-key of node' : 'sub-keys of nodes'} ${others.join(', ')} for later periods.`;
  const erased =
    number === 1
      ? 'No sub-key is erased yet.'
      : number === 2
        ? 'The sub-key of period 1 is erased.'
        : `The sub-keys of periods 1 to ${number - 1} are erased.`;
  const bytes = report === undefined ? '' : ` The key has ${count(report.keyBytes)} bytes.`;
  return `In period ${number}, the key contains the sub-key of node ${number}${derived}.${further} ${erased}${bytes}`;
}

function realWords(number: number, report: PeriodReport | undefined): string {
  const { period } = timeNodes[number - 1]!;
  const times =
    report === undefined
      ? ''
      : ` The key contains the sub-keys of periods ${report.subkeyTimes.map(count).join(', ')}.`;
  return `In the real tree with 32 levels, this node is period ${count(period)} of 4,294,967,295.${times}`;
}

function drawVerified(table: HTMLTableElement, number: number, report: PeriodReport | undefined): void {
  table.hidden = report === undefined;
  if (report === undefined) return;
  const { asSigned, atNextPeriod, onOtherMessage } = report.verified;
  const rows: readonly (readonly [string, boolean])[] = [
    [`“${blockText(number)}” in period ${number}`, asSigned],
    [`“${blockText(number)}” in the next period`, atNextPeriod],
    [`“${blockText(number, 'other')}” in period ${number}`, onOtherMessage],
  ];
  table.tBodies[0]!.replaceChildren(
    ...rows.map(([against, isValid]) => {
      const verdict = createElement('td', { textContent: isValid ? '✓ valid' : '✗ refused' });
      return createElement('tr', {}, createElement('td', { textContent: against }), verdict);
    }),
  );
}

function thiefWords(number: number, theft: TheftReport | undefined): string {
  if (theft === undefined) return '';
  const attempts = theft.earlier.reduce((sum, one) => sum + one.attempts, 0);
  const forged = theft.earlier.filter((one) => one.forged).length;
  const later = `The thief can sign any block from period ${number} on.`;
  if (theft.earlier.length === 0) return `${later} Period 1 has no earlier period.`;
  const periods = theft.earlier.length === 1 ? 'the previous period' : `the ${theft.earlier.length} previous periods`;
  const result = forged === 0 ? 'all failed' : `${forged} of these periods forged`;
  return `${later} It made ${count(attempts)} attempts to sign for ${periods}: ${result}. A BLS key never changes, so a thief can sign new blocks for every period.`;
}
