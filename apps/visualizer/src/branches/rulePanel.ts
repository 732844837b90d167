import type { RecordedWorld, Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { createElement } from '../html.ts';
import { FieldForm, Fields } from '../links/fields.ts';
import { showConclusion } from '../page.ts';
import { changedRules, type EditedRules, factors, ruleFields, unedited } from '../rules/editedRules.ts';
import { hasSeeds, runRow, runSeeds } from '../strip/seedStrip.ts';
import type { BranchReport } from './branch.ts';
import { Branches } from './branches.ts';
import { orderWords, ruleConclusion, ruleWords, scoreWords } from './branchText.ts';

const fields = new Fields(ruleFields);

interface RulePanelListener {
  /** Called when the reader has changed a rule. */
  edited(): void;
  /** Called when the control of a rule receives the focus. */
  asked(rule: keyof EditedRules): void;
  /** Called when the compared runs, their results or the size of the drawings change. */
  changed(): void;
}

/**
 * Form for the rules of Handel that a reader can change. The form shows the run with the changed rules next to the run
 * with Handel's rules, and a conclusion from both runs.
 */
export class RulePanel {
  readonly #host: HTMLElement;
  readonly #form = createElement('form', { className: 'rule-form', noValidate: true });
  readonly #note = createElement('p', { className: 'sub' });
  readonly #said = createElement('p', { className: 'conclusion', dataset: { testid: 'rule-said' } });
  readonly #controls: FieldForm<EditedRules>;
  readonly #branches: Branches;
  readonly #seeds: ReturnType<typeof runSeeds>;
  /** Result of the changed rules, as shown in the strip of seeds; undefined if the strip is empty. */
  #reportInStrip: BranchReport | undefined;
  readonly #on: RulePanelListener;
  #edited = unedited;
  /** Scenario of the shown run; undefined if the panel is hidden. */
  #scenario: Scenario | undefined;

  constructor(host: HTMLElement, on: RulePanelListener) {
    this.#host = host;
    this.#on = on;
    this.#note.setAttribute('role', 'status');
    const factor = (name: 'expansion' | 'contraction', label: string) =>
      html`<label>${label} <input name=${name} data-testid="rule-${name}" type="number" min=${factors.min} max=${factors.max} step=${factors.step} /></label>`;
    const names = (name: 'order' | 'score', label: string) =>
      html`<label>${label} <select name=${name} data-testid="rule-${name}"></select></label>`;
    render(
      html`${factor('expansion', 'Window expansion ×')}${factor('contraction', 'Window contraction ÷')}${names('order', 'Level verified first')}${names('score', 'Score of an aggregate')}<button type="button" class="quiet" @click=${() => this.#choose(unedited)}>Handel’s rules</button>`,
      this.#form,
    );
    this.#controls = new FieldForm(this.#form, fields, {
      order: (order) => orderWords[order],
      score: (score) => scoreWords[score],
    });
    const runs = createElement('div', { className: 'side-by-side narrow', dataset: { testid: 'rule-branches' } });
    runs.hidden = true;
    const strip = createElement('div', { className: 'seed-strip' });
    host.replaceChildren(this.#form, this.#note, this.#said, strip, runs);
    this.#seeds = runSeeds(strip);
    this.#branches = new Branches(runs, { changed: () => this.#say() });
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    this.#form.addEventListener('focusin', ({ target }) => {
      const { name } = target as HTMLInputElement;
      if (name in ruleFields) on.asked(name as keyof EditedRules);
    });
    this.#form.addEventListener('change', () => {
      const { values, notices } = this.#controls.read(this.#edited);
      this.#choose(values);
      this.#note.textContent = notices.join(' ');
    });
    this.#controls.show(this.#edited);
  }

  get edited(): EditedRules {
    return this.#edited;
  }

  /** Sets the rules that a link contains. */
  set edited(edited: EditedRules) {
    const before = this.#edited;
    this.#edited = edited;
    this.#controls.show(edited);
    this.#compare(before);
  }

  /** Shows a run with Handel's rules, as the reference for runs with changed rules. Undefined hides the panel. */
  show(scenario: Scenario | undefined, world: RecordedWorld, digest: string | undefined): void {
    this.#host.hidden = scenario === undefined;
    this.#scenario = scenario;
    if (scenario === undefined) return;
    this.#branches.show(scenario, world, digest);
    this.#compare(unedited);
  }

  /** Moves the focus to the control of a rule. */
  focus(rule: keyof EditedRules): void {
    (this.#form.elements.namedItem(rule) as HTMLElement | null)?.focus();
  }

  /** End time of the run that ends last, µs; 0 if there is none. */
  get endUs(): number {
    return this.#branches.endUs;
  }

  draw(timeUs: number): void {
    this.#branches.draw(timeUs);
  }

  recolour(): void {
    this.#branches.recolour();
  }

  #choose(edited: EditedRules): void {
    this.#note.textContent = '';
    this.edited = edited;
    this.#on.edited();
  }

  /** Runs the scenario once with the changed rules, and removes the run with the earlier rules. */
  #compare(before: EditedRules): void {
    const scenario = this.#scenario;
    if (scenario === undefined) return;
    if (changedRules(before).length > 0) this.#branches.remove(scenario, before);
    if (changedRules(this.#edited).length > 0) this.#branches.add(scenario, this.#edited);
    else this.#branches.remove(scenario);
    this.#say();
  }

  /** Shows both runs with other seeds, as soon as both results are known. */
  #showSeeds(whole: BranchReport | undefined, other: BranchReport | undefined): void {
    if (other === this.#reportInStrip) return;
    this.#reportInStrip = other;
    const scenario = this.#scenario;
    const isCompared = scenario !== undefined && whole !== undefined && other !== undefined && hasSeeds(scenario);
    const rows = isCompared
      ? [
          runRow(scenario, whole, { name: 'Handel' }),
          runRow(scenario, other, { name: ruleWords(this.#edited), edited: this.#edited }),
        ]
      : [];
    this.#seeds.show(rows, scenario?.seed ?? 0);
  }

  #say(): void {
    const [whole, other] = [unedited, this.#edited].map(
      (edited) => this.#scenario && this.#branches.reportOf(this.#scenario, edited),
    );
    const isKnown = whole !== undefined && other !== undefined && whole !== other;
    showConclusion(this.#said, isKnown ? ruleConclusion(this.#edited, whole, other) : { said: '', facts: [] });
    this.#showSeeds(whole, isKnown ? other : undefined);
    this.#on.changed();
  }
}
