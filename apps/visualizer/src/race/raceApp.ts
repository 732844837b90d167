import { part } from '../page.ts';
import { themeSwitch } from '../state/theme.ts';
import { copyOnPress } from '../views/copy.ts';
import { readPalette } from '../views/palette.ts';
import { protocolTitles } from '../views/words.ts';
import { drawBars } from './raceBars.ts';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from './raceClock.ts';
import { RaceField } from './raceField.ts';
import { doneAt, type Race, type RaceFile, type RaceLane } from './raceFile.ts';
import { seconds, verdict } from './raceWords.ts';
import { replay } from './replay.ts';

/** One protocol's corner of the page. */
interface Lane {
  readonly field: RaceField;
  readonly count: HTMLElement;
  readonly again: HTMLElement;
}

/** The race: one clock, one seed, one network, and a field for each protocol. */
export class RaceApp {
  readonly #file: RaceFile;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #lanes: Lane[] = [];
  #race: Race;
  #storySecond = 0;
  #playing = false;
  #frame = 0;
  #drawnAt = 0;
  #replay: { stop(): void } | undefined;

  constructor(file: RaceFile) {
    this.#file = file;
    this.#race = file.races[0]!;
  }

  open(): void {
    themeSwitch(part<HTMLButtonElement>('#theme'), () => {
      for (const { field } of this.#lanes) field.palette = readPalette();
      this.#wantFrame();
    });
    const host = part('#fields');
    for (const lane of this.#race.lanes) this.#lanes.push(addLane(host, lane));
    part('#play').addEventListener('click', () => this.#toggle());
    part('#again').addEventListener('click', () => this.#replayHere());
    part('#race-dead').addEventListener('change', () => this.#chooseDead());
    part('#race-n').addEventListener('input', () => this.#showOutcomes());
    const scrub = part<HTMLInputElement>('#race-scrub');
    scrub.max = String(storySeconds * 1000);
    scrub.addEventListener('input', () => {
      this.#pause();
      this.#seek(Number(scrub.value) / 1000);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || (event.target as Element).closest?.('button, input, select, a')) return;
      event.preventDefault();
      this.#toggle();
    });
    copyOnPress(part<HTMLButtonElement>('#copy-link'), () => this.#link());
    globalThis.addEventListener('hashchange', () => this.#openLink());
    new ResizeObserver(() => {
      for (const { field } of this.#lanes) field.resize();
      this.#wantFrame();
    }).observe(host);
    const sizes = this.#sizes();
    const handle = part<HTMLInputElement>('#race-n');
    handle.max = String(sizes.length - 1);
    handle.value = String(sizes.indexOf(this.#file.nodes));
    this.#openLink();
    document.documentElement.dataset.state = 'ready';
  }

  #openLink(): void {
    const fields = new URLSearchParams(location.hash.slice(1));
    const dead = Number(fields.get('dead') ?? 0);
    part<HTMLInputElement>('#race-dead').checked = dead > 0;
    this.#chooseDead();
    const atMs = fields.get('t');
    if (atMs !== null && Number.isFinite(Number(atMs))) {
      this.#pause();
      this.#seek(storySecondAt(Number(atMs), this.#endMs()));
    } else if (this.#still.matches) this.#seek(0);
    else this.#play(0);
  }

  #link(): string {
    const fields = new URLSearchParams();
    if (this.#race.dead > 0) fields.set('dead', String(this.#race.dead));
    if (!this.#playing) fields.set('t', String(Math.round(this.#timeMs())));
    return new URL(`#${fields}`, location.href).href;
  }

  #sizes(): readonly number[] {
    return [...new Set(this.#file.outcomes.map(({ nodes }) => nodes))];
  }

  #chooseDead(): void {
    const wanted = part<HTMLInputElement>('#race-dead').checked;
    this.#race = this.#file.races.find(({ dead }) => dead > 0 === wanted) ?? this.#race;
    this.#replay?.stop();
    this.#race.lanes.forEach((lane, place) => {
      this.#lanes[place]!.field.lane = lane;
      this.#lanes[place]!.again.textContent = '';
    });
    part<HTMLButtonElement>('#again').disabled = false;
    this.#showOutcomes();
    if (this.#storySecond >= storySeconds && !this.#still.matches) this.#play(0);
    else this.#wantFrame();
  }

  #showOutcomes(): void {
    const nodes = this.#sizes()[Number(part<HTMLInputElement>('#race-n').value)]!;
    const outcomes = this.#file.outcomes.filter((one) => one.nodes === nodes && one.dead === this.#race.dead);
    part('#race-n-value').textContent = nodes.toLocaleString('en');
    drawBars(part('#bars'), outcomes);
    part('#verdict').textContent = verdict(outcomes);
  }

  #endMs(): number {
    const ends = this.#file.outcomes
      .filter(({ nodes, dead }) => nodes === this.#file.nodes && dead === this.#race.dead)
      .map(({ lastMs }) => lastMs);
    return Math.max(500, ...ends);
  }

  #timeMs(): number {
    return raceTimeMs(this.#storySecond, this.#endMs());
  }

  #toggle(): void {
    if (this.#playing) this.#pause();
    else this.#play(this.#storySecond >= storySeconds ? 0 : this.#storySecond);
    this.#wantFrame();
  }

  #play(fromSecond: number): void {
    this.#storySecond = fromSecond;
    this.#playing = true;
    this.#drawnAt = 0;
    this.#wantFrame();
  }

  #pause(): void {
    this.#playing = false;
  }

  #seek(storySecond: number): void {
    this.#storySecond = Math.min(storySeconds, Math.max(0, storySecond));
    this.#wantFrame();
  }

  #wantFrame(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#playing) {
        const elapsed = this.#drawnAt === 0 ? 0 : Math.min(100, now - this.#drawnAt);
        this.#drawnAt = now;
        this.#seek(this.#storySecond + elapsed / 1000);
        if (this.#storySecond >= storySeconds) this.#pause();
      }
      this.#draw();
      if (this.#playing) this.#wantFrame();
    });
  }

  #draw(): void {
    const timeMs = this.#timeMs();
    const atUnits = (timeMs * 1000) / this.#file.unitUs;
    part('#race-clock').textContent = seconds(timeMs);
    part('#pace').textContent = paceWords(this.#storySecond, this.#endMs());
    part<HTMLInputElement>('#race-scrub').value = String(Math.round(this.#storySecond * 1000));
    part('#race-scrub').setAttribute('aria-valuetext', seconds(timeMs));
    part('#play').textContent = this.#playing ? 'Pause' : this.#storySecond >= storySeconds ? 'Play again' : 'Play';
    this.#race.lanes.forEach((lane, place) => {
      const { field, count } = this.#lanes[place]!;
      field.draw(atUnits);
      const live = lane.alive.reduce((sum, one) => sum + one, 0);
      const done = doneAt(lane, atUnits);
      const outcome = this.#file.outcomes.find(
        (one) => one.protocol === lane.protocol && one.nodes === this.#file.nodes && one.dead === this.#race.dead,
      )!;
      const words =
        done === live
          ? `all ${live.toLocaleString('en')} after ${seconds(outcome.lastMs)}`
          : `${done.toLocaleString('en')} of ${live.toLocaleString('en')} hold 99 %`;
      count.textContent = words;
      count.classList.toggle('done', done === live);
      field.label = `${protocolTitles[lane.protocol]} at ${seconds(timeMs)}: ${words}`;
    });
  }

  #replayHere(): void {
    const button = part<HTMLButtonElement>('#again');
    button.disabled = true;
    this.#replay = replay(this.#race, this.#file.nodes, {
      lane: (place, words, state) => {
        this.#lanes[place]!.again.textContent = words;
        this.#lanes[place]!.again.dataset.state = state;
      },
      ended: () => {
        button.disabled = false;
      },
    });
  }
}

function addLane(host: HTMLElement, lane: RaceLane): Lane {
  const figure = document.createElement('figure');
  figure.className = 'lane';
  figure.dataset.protocol = lane.protocol;
  const caption = document.createElement('figcaption');
  const title = document.createElement('h2');
  const link = document.createElement('a');
  link.href = `./#protocol=${lane.protocol}&n=64&scheme=counting`;
  link.textContent = protocolTitles[lane.protocol];
  link.title = 'Watch one run of it, message by message';
  title.append(link);
  const count = document.createElement('p');
  count.className = 'count';
  caption.append(title, count);
  const canvasHost = document.createElement('div');
  canvasHost.className = 'field-host';
  const again = document.createElement('p');
  again.className = 'sub again-line';
  figure.append(caption, canvasHost, again);
  host.append(figure);
  return { field: new RaceField(canvasHost, lane, readPalette()), count, again };
}
