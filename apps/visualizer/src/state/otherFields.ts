import {
  defaultScenario,
  type Scenario,
  type ScenarioField,
  scenarioFields,
  validateScenario,
} from '@tutti/simulation';
import { html, noChange, nothing, render } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

/**
 * Fields that have their own controls elsewhere in the form. Faults are set by the controls with which the user breaks
 * a run.
 */
const withControl = ['protocol', 'nodes', 'network', 'dead', 'scheme', 'seed', 'attack', 'fault'];

/**
 * Form with the other fields of a scenario, written like their flags. The form is generated from the simulation's list
 * of fields.
 */
export class OtherFields {
  readonly #host: HTMLElement;
  readonly #onChange: (scenario: Scenario) => void;
  /** Shown scenario; undefined until the first call of `show`. */
  #scenario: Scenario | undefined;

  constructor(host: HTMLElement, onChange: (scenario: Scenario) => void) {
    this.#host = host;
    this.#onChange = onChange;
    this.#render(defaultScenario);
  }

  show(scenario: Scenario): void {
    this.#scenario = scenario;
    this.#render(scenario);
  }

  /**
   * Renders the form.
   *
   * @param refused field with an invalid text, and the reason for its rejection.
   */
  #render(scenario: Scenario, refused?: { readonly field: ScenarioField; readonly message: string }): void {
    const others = scenarioFields.filter(({ name }) => !withControl.includes(name));
    const labels = others.map((field) => {
      const isHidden = field.owners?.includes(scenario.protocol) === false;
      // A rejected text stays in its input.
      const isRefused = refused?.field === field;
      return html`<label class="other-field" title=${field.about} ?hidden=${isHidden}><span>${field.name}</span><input type="text" spellcheck="false" autocomplete="off" placeholder=${field.form} data-testid="field-${field.name}" aria-invalid=${isRefused ? 'true' : nothing} .value=${isRefused ? noChange : live(field.write(scenario).join(' '))} @change=${(event: Event) => this.#read(field, event)}></label>`;
    });
    render(html`${labels}<p class="field-error" role="alert">${refused ? `${refused.message}.` : ''}</p>`, this.#host);
  }

  /** Reads the text of a control. Only a valid scenario is passed on. */
  #read(field: ScenarioField, event: Event): void {
    event.stopPropagation();
    if (this.#scenario === undefined) return;
    let scenario: Scenario;
    try {
      scenario = withText(this.#scenario, field, (event.target as HTMLInputElement).value);
      validateScenario(scenario);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#render(this.#scenario, { field, message: error.message });
      return;
    }
    this.show(scenario);
    this.#onChange(scenario);
  }
}

/**
 * Returns a scenario with one field set from a text. The text of `without` is a list of words, which replaces the
 * previous list.
 *
 * @throws RangeError with the field's name, the expected value and the actual value.
 */
export function withText(scenario: Scenario, field: ScenarioField, text: string): Scenario {
  if (field.name !== 'without') return field.read(field.name, text.trim(), scenario);
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.reduce<Scenario>((read, word) => field.read(field.name, word, read), { ...scenario, without: [] });
}
