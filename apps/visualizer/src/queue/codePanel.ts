import type { Scenario } from '@tutti/simulation';
import { html, nothing, render } from 'lit-html';
import { valueWords } from '../branches/branchText.ts';
import { count, ms } from '../formatNumber.ts';
import { changedRules, type EditedRules, unedited } from '../rules/editedRules.ts';
import { type Task, task } from '../worker/task.ts';
import {
  decisionAbout,
  type Fate,
  firstLine,
  focusOf,
  isReadable,
  type Lit,
  litLines,
  nextAt,
  ruleLines,
  sectionOf,
  shownLines,
  type TracedEvent,
  type TracedRun,
} from './codeLines.ts';

const kinds: Readonly<Record<TracedEvent['kind'], string>> = {
  start: 'The node starts',
  message: 'A message arrives',
  timer: 'A timer ends',
  verified: 'A check is done',
};

/** Request for a run that traces the events of one node. */
export interface CodeRequest {
  readonly scenario: Scenario;
  readonly node: number;
}

interface CodePanelListener {
  /** Goes to a moment at which a line is executed by the node. */
  seek(timeUs: number): void;
  /** Goes to the control for a rule. */
  edit(rule: keyof EditedRules): void;
}

/**
 * Shows the source of the readable Handel and highlights the lines that a node has just executed. The highlighted lines
 * come from a run of this source file.
 */
export class CodePanel {
  readonly #host: HTMLElement;
  readonly #on: CodePanelListener;
  #edited = unedited;
  #task: Task<TracedRun> | undefined;
  #key = '';
  #isSeen = false;
  /** Run that the panel still has to repeat; undefined if there is none. */
  #wanted: CodeRequest | undefined;
  /** Digest of the shown run; undefined if the run was still in progress when it was shown. */
  #digest: string | undefined;
  #events: readonly TracedEvent[] = [];
  #node = 0;
  #timeUs = 0;
  #shown: number | undefined;
  /** Index of the event that the reader chose; undefined if the last event of the moment is shown. */
  #asked: number | undefined;
  /** Text about a contribution in the head of the panel; empty if there is none. */
  #decided = '';

  constructor(host: HTMLElement, on: CodePanelListener) {
    this.#host = host;
    this.#on = on;
    host.addEventListener('click', (event) => {
      const { line, rule } = (event.target as Element).closest<HTMLElement>('[data-line], [data-rule]')?.dataset ?? {};
      if (line !== undefined) this.#goTo(Number(line));
      else if (rule !== undefined) on.edit(rule as keyof EditedRules);
    });
    // The panel needs a repetition of the run, so it waits until it is visible.
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)!.isIntersecting;
      this.#load();
    }).observe(host);
  }

  /** Sets the rules that the reader has changed. Buttons in the lines of changed rules show the rules' values. */
  set edited(edited: EditedRules) {
    this.#edited = edited;
    this.#render(this.#decided);
  }

  /** Scrolls to the line of a rule. */
  showRule(rule: keyof EditedRules): void {
    this.#scrollTo(ruleLines[rule][0]);
  }

  /**
   * Shows the code that a node runs in a scenario.
   *
   * @param digest digest of the shown run, which the traced run must match; undefined if the run is still in progress.
   */
  show(scenario: Scenario, node: number, digest: string | undefined): void {
    this.#digest = digest;
    const key = JSON.stringify([scenario, node]);
    if (key === this.#key) return;
    this.#key = key;
    this.#task?.stop();
    this.#wanted = { scenario, node };
    this.#events = [];
    this.#shown = undefined;
    this.#asked = undefined;
    this.#say('');
    this.#load();
  }

  #load(): void {
    if (!this.#isSeen || this.#wanted === undefined) return;
    const { scenario, node } = this.#wanted;
    this.#wanted = undefined;
    this.#node = node;
    if (!isReadable(scenario)) {
      this.#say(
        'The readable implementation of Handel supports neither batches nor disabled rules, so it cannot run this scenario.',
      );
      return;
    }
    this.#say('Repeating the run with the readable implementation of Handel …');
    const worker = new Worker(new URL('./queueWorker.ts', import.meta.url), { type: 'module', name: 'tutti-code' });
    this.#task = task<CodeRequest, TracedRun>(worker, 'The code', { scenario, node });
    this.#task.result.then(
      ({ digest, events }) => {
        if (this.#digest !== undefined && digest !== this.#digest)
          this.#say('The readable implementation of Handel produced a different run, so its code is not shown.');
        else if (events.length === 0) this.#say(`Node ${count(node)} has failed or does not follow the protocol.`);
        else {
          this.#events = events;
          this.draw(this.#timeUs);
        }
      },
      (error: Error) => this.#say(error.message),
    );
  }

  /** Shows the last event at or before a moment, µs. Before the first event, shows the first event. */
  draw(timeUs: number): void {
    if (timeUs !== this.#timeUs) this.#asked = undefined;
    this.#timeUs = timeUs;
    if (this.#events.length === 0) return;
    const place =
      this.#asked ??
      Math.max(
        0,
        this.#events.findLastIndex((event) => event.timeUs <= timeUs),
      );
    if (place === this.#shown) return;
    this.#shown = place;
    this.#scrollTo(this.#render());
  }

  /**
   * Draws the lines of the shown event.
   *
   * @param decided text about a contribution. @returns the line to scroll to, or undefined if there is no event.
   */
  #render(decided = ''): number | undefined {
    this.#decided = decided;
    const event = this.#events[this.#shown ?? -1];
    if (event === undefined) return undefined;
    const lit = litLines(event);
    const focus = focusOf(lit);
    const section = focus === undefined ? '' : sectionOf(focus);
    render(
      html`<p class="code-head"><b>${kinds[event.kind]}${event.from < 0 ? '' : ` from node ${count(event.from)}, level ${event.level},`}</b> at ${ms(event.timeUs)}, node ${count(this.#node)}${decided}${section ? html`<br />${/^\d/.test(section) ? `Handel v1.03, section ${section}` : section}` : nothing}</p><div class="code-scroll" tabindex="0" role="region" aria-label="Lines of handel.ts"><ol class="code-lines" start=${firstLine + 1}>${shownLines.map((text, at) => this.#line(text, firstLine + at, lit.get(firstLine + at)))}</ol></div>`,
      this.#host,
    );
    return focus;
  }

  #line(text: string, line: number, lit: Lit | undefined) {
    const isHeading = /^ {2}\/\/ \d/.test(text);
    const kind = lit ?? (isHeading ? 'heading' : /^ *(\/\/|\/?\*)/.test(text) ? 'comment' : '');
    const words = text.replace(/^ {2}/, '');
    // Executed lines can be reached with the keyboard; all other lines can be reached only with a pointer.
    const content =
      lit === undefined
        ? html`<span data-line=${line}>${words}</span>`
        : html`<button type="button" data-line=${line} aria-label="line ${line + 1}, ${lit === 'ran' ? 'has just run' : 'condition was false'}: ${words.trim()}">${words}</button>`;
    return html`<li class=${kind || nothing} value=${line + 1}>${content}${this.#marks(line)}</li>`;
  }

  /** Returns buttons for the rules in a line that a reader can change, with the rules' current values. */
  #marks(line: number) {
    const rules = (Object.keys(ruleLines) as (keyof EditedRules)[]).filter((rule) => ruleLines[rule].includes(line));
    const changed = changedRules(this.#edited);
    const words = valueWords(this.#edited);
    return rules.map(
      (rule) =>
        html`<button type="button" class="rule-mark" data-rule=${rule} aria-pressed=${changed.includes(rule)}>change ${words[rule]}</button>`,
    );
  }

  /**
   * Shows the lines that decided about a contribution: the lines of the last event up to this moment with one of the
   * given outcomes. The clock stays at the same time.
   */
  showContribution(about: { readonly level: number; readonly sender: number }, fates: readonly Fate[]): void {
    const found = decisionAbout(this.#events, about, fates, this.#timeUs);
    if (found === undefined) return;
    this.#asked = found.place;
    this.#shown = found.place;
    this.#render(
      `: node ${count(about.sender)}’s contribution on level ${about.level} is ${found.fate === 'aside' ? 'kept in reserve' : found.fate}`,
    );
    this.#scrollTo(found.line);
  }

  /** Returns the time at which a contribution was dropped or set aside, µs, or undefined if neither happened. */
  droppedUs(about: { readonly level: number; readonly sender: number }): number | undefined {
    const found = decisionAbout(this.#events, about, ['dropped', 'aside'], this.#timeUs);
    return found && this.#events[found.place]!.timeUs;
  }

  #goTo(line: number): void {
    const next = nextAt(this.#events, line, this.#shown ?? -1);
    if (next === undefined) return;
    const { timeUs } = this.#events[next]!;
    this.#timeUs = timeUs;
    this.#asked = next;
    this.#on.seek(timeUs);
    this.draw(timeUs);
  }

  /** Scrolls the panel to a line. The page does not scroll. */
  #scrollTo(line: number | undefined): void {
    const box = this.#host.querySelector<HTMLElement>('.code-scroll');
    const target = line === undefined ? null : this.#host.querySelector<HTMLElement>(`li[value="${line + 1}"]`);
    if (box === null || target === null) return;
    box.scrollTop += target.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }

  #say(words: string): void {
    render(html`<p class="code-head">${words}</p>`, this.#host);
  }
}
