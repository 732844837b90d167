import { type Scenario, type ScenarioField, scenarioFields, validateScenario } from '@tutti/simulation';
import { made } from '../made.ts';

/** Fields that the form has a control of its own for; faults are made where a run is broken. */
const withControl = ['protocol', 'nodes', 'network', 'dead', 'scheme', 'seed', 'attack', 'fault'];

/** Lists, which are written as words with spaces between them. */
const lists: Readonly<Record<string, keyof Scenario>> = { without: 'without' };

/** Every other field of a scenario as its flag writes it, made from core's one list of them. */
export class OtherFields {
  readonly #host: HTMLElement;
  readonly #onChange: (scenario: Scenario) => void;
  readonly #inputs = new Map<ScenarioField, HTMLInputElement>();
  readonly #error = made('p', { className: 'field-error' });
  #scenario: Scenario | undefined;

  constructor(host: HTMLElement, onChange: (scenario: Scenario) => void) {
    this.#host = host;
    this.#onChange = onChange;
    this.#error.setAttribute('role', 'alert');
    for (const field of scenarioFields.filter(({ name }) => !withControl.includes(name))) this.#add(field);
    host.append(this.#error);
  }

  show(scenario: Scenario): void {
    this.#scenario = scenario;
    this.#error.textContent = '';
    for (const [field, input] of this.#inputs) {
      input.value = field.write(scenario).join(' ');
      input.removeAttribute('aria-invalid');
      input.closest<HTMLElement>('.other-field')!.hidden =
        field.owner !== undefined && field.owner !== scenario.protocol;
    }
  }

  #add(field: ScenarioField): void {
    const label = made('label', { className: 'other-field', title: field.about });
    const name = made('span', { textContent: field.name });
    const input = made('input', {
      type: 'text',
      spellcheck: false,
      autocomplete: 'off',
      placeholder: field.form,
      dataset: { testid: `field-${field.name}` },
    });
    input.addEventListener('change', (event) => {
      // The text is parsed here; only what can be played goes to the form.
      event.stopPropagation();
      this.#read(field, input);
    });
    label.append(name, input);
    this.#inputs.set(field, input);
    this.#host.append(label);
  }

  #read(field: ScenarioField, input: HTMLInputElement): void {
    if (this.#scenario === undefined) return;
    try {
      const scenario = withText(this.#scenario, field, input.value);
      validateScenario(scenario);
      input.removeAttribute('aria-invalid');
      this.#error.textContent = '';
      this.#onChange(scenario);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      input.setAttribute('aria-invalid', 'true');
      this.#error.textContent = `${error.message}.`;
    }
  }
}

/**
 * A scenario with the value of a field's text.
 *
 * @throws RangeError with the field's name, what was expected and what came.
 */
export function withText(scenario: Scenario, field: ScenarioField, text: string): Scenario {
  const list = lists[field.name];
  if (list === undefined) return field.read(field.name, text.trim(), scenario);
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.reduce<Scenario>((read, word) => field.read(field.name, word, read), { ...scenario, [list]: [] });
}
