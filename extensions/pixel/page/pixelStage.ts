import { count } from '@tutti/visualizer/formatNumber';
import { fieldsOf, whole, word } from '@tutti/visualizer/links/fields';
import { made } from '@tutti/visualizer/made';
import { part, say, sayError } from '@tutti/visualizer/page';
import { present } from '@tutti/visualizer/player/present';
import type { PageStage } from '@tutti/visualizer/player/stage';
import { TaskWorker } from '@tutti/visualizer/worker/task';
import type { KeyAnswer, KeyRequest, PeriodReport, TheftReport } from './keyMessages.ts';
import { drawnNodes, heldNodes, timeNodes } from './timeLayout.ts';
import { TimeView } from './timeView.ts';

/** Content of a link: the period, and whether the key is stolen at it. */
const fields = fieldsOf({ period: whole({ min: 1, max: drawnNodes }, 4), stolen: word });

/**
 * One Pixel key: its tree of time, its signatures, and the capabilities of a thief. Its clock counts periods, not time.
 */
export class PixelStage implements PageStage {
  readonly #scrub = part<HTMLInputElement>('#period');
  readonly #steal = part<HTMLButtonElement>('#steal');
  readonly #view = new TimeView(part('#time-tree'), (number) => this.#go(number));
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
    part('#update').addEventListener('click', () => this.#go(this.#now + 1));
    this.#steal.addEventListener('click', () => this.#askTheft());
    say('running', 'Making a key, and moving it through fifteen periods …');
    this.#worker
      .ask({ ask: 'live' }, { progress: (report) => this.#addPeriod(report) })
      .then(() => say('ready', ''), fail);
    this.follow(location.hash);
  }

  follow(hash: string): void {
    const { period, stolen } = fields.read(hash).values;
    this.#wantsTheft = stolen;
    this.#go(period, stolen);
  }

  link(): string {
    return fields.write({ period: this.#now, stolen: this.#theft !== undefined }, true);
  }

  recolour(): void {
    this.#draw();
  }

  #addPeriod(report: PeriodReport): void {
    this.#periods.push(report);
    if (report.number === this.#now && this.#wantsTheft) this.#askTheft();
    this.#draw();
  }

  /** Moves to a period. @param keepsTheft whether to show a theft at the new period too. */
  #go(number: number, keepsTheft = false): void {
    this.#now = Math.min(drawnNodes, Math.max(1, number));
    this.#theft = undefined;
    this.#wantsTheft = keepsTheft;
    if (keepsTheft && this.#periods.length >= this.#now) this.#askTheft();
    this.#draw();
  }

  #askTheft(): void {
    this.#wantsTheft = true;
    this.#worker.ask({ ask: 'steal', number: this.#now }).then((theft) => {
      if (theft?.number === this.#now && this.#wantsTheft) this.#theft = theft;
      this.#draw();
    }, fail);
    this.#draw();
  }

  #draw(): void {
    const { number, last } = timeNodes[this.#now - 1]!;
    const report = this.#periods[this.#now - 1];
    this.#scrub.value = String(number);
    this.#scrub.setAttribute('aria-valuetext', `period ${number}`);
    part('#period-now').textContent = `period ${number} of ${drawnNodes}`;
    part<HTMLButtonElement>('#update').disabled = number === drawnNodes;
    const isStealing = this.#wantsTheft && this.#theft === undefined;
    this.#steal.disabled = report === undefined || isStealing || this.#theft !== undefined;
    this.#steal.textContent = isStealing ? 'The thief is trying …' : 'Steal the key now';
    this.#view.draw({ now: number, signed: this.#periods.length, looked: number, theft: this.#theft });
    part('#key-words').textContent = keyWords(number, last, report);
    part('#real').textContent = realWords(number, report);
    drawVerified(part<HTMLTableElement>('#verified'), number, report);
    part('#thief-words').textContent = thiefWords(number, this.#theft);
  }
}

const fail = (error: Error): void => sayError(error, 'The key could not be made');

function keyWords(number: number, last: number, report: PeriodReport | undefined): string {
  const held = heldNodes(number);
  const others = held.slice(1);
  const reach = last > number ? `its own, which makes those of ${number + 1} to ${last}` : 'its own';
  const further = others.length === 0 ? '' : `; and of ${others.join(', ')}, for what comes after`;
  const gone =
    number === 1 ? 'Nothing is gone yet' : number === 2 ? 'Period 1 is gone' : `Periods 1 to ${number - 1} are gone`;
  const bytes = report === undefined ? '' : ` The key is ${count(report.keyBytes)} bytes.`;
  return `At period ${number} the key holds a sub-key of node ${number}, ${reach}${further}. ${gone}.${bytes}`;
}

function realWords(number: number, report: PeriodReport | undefined): string {
  const { period } = timeNodes[number - 1]!;
  const times = report === undefined ? '' : ` Its sub-keys are those of ${report.subkeyTimes.map(count).join(', ')}.`;
  return `In the real tree of 32 levels this node is period ${count(period)} of 4,294,967,295.${times}`;
}

function drawVerified(table: HTMLTableElement, number: number, report: PeriodReport | undefined): void {
  table.hidden = report === undefined;
  if (report === undefined) return;
  const { asSigned, atNextPeriod, onOtherMessage } = report.verified;
  const rows: readonly (readonly [string, boolean])[] = [
    [`the public key, this period, “true block ${number}”`, asSigned],
    ['the public key, the period after it', atNextPeriod],
    [`the public key, this period, “other block ${number}”`, onOtherMessage],
  ];
  table.tBodies[0]!.replaceChildren(
    ...rows.map(([against, isValid]) => {
      const verdict = made('td', { textContent: isValid ? '✓ valid' : '✗ refused' });
      return made('tr', {}, made('td', { textContent: against }), verdict);
    }),
  );
}

function thiefWords(number: number, theft: TheftReport | undefined): string {
  if (theft === undefined) return '';
  const attempts = theft.earlier.reduce((sum, one) => sum + one.attempts, 0);
  const forged = theft.earlier.filter((one) => one.forged).length;
  const later = `From period ${number} on the thief signs whatever it likes.`;
  if (theft.earlier.length === 0) return `${later} There is nothing before period 1.`;
  const before = `${count(attempts)} attempts on the ${theft.earlier.length === 1 ? 'period' : `${theft.earlier.length} periods`} before: ${forged === 0 ? 'all failed' : `${forged} periods were forged`}.`;
  return `${later} ${before} With a BLS key, which stays the same, every period’s block can be signed again.`;
}
