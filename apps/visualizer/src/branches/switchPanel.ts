import type { Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { type Switch, switches } from '../rules/editedRules.ts';
import type { Branches } from './branches.ts';

/**
 * Panel with a switch for each mechanism of Handel. Each switch compares the run with the same run without the switch's
 * mechanism.
 */
export class SwitchPanel {
  readonly #root: HTMLElement;
  readonly #branches: Branches;
  readonly #choose: ((id: string | undefined) => void) | undefined;

  /**
   * @param root element that contains `#switches` and is hidden for other protocols.
   * @param choose called instead of a comparison if at most one mechanism is off at a time; receives the mechanism that
   * the reader switches off, or undefined for none.
   */
  constructor(root: HTMLElement, branches: Branches, choose?: (id: string | undefined) => void) {
    this.#root = root;
    this.#branches = branches;
    this.#choose = choose;
  }

  /**
   * Shows the switches for a run. The owner calls this method again when the compared runs change.
   *
   * @param chosen mechanism that is switched off if at most one is off at a time; undefined for none.
   */
  show(scenario: Scenario, chosen?: string): void {
    this.#root.hidden = scenario.protocol !== 'handel';
    if (scenario.protocol !== 'handel') return;
    const chip = ({ id, words, section, off, isOff }: Switch) => {
      const without = off(scenario);
      const isOn = !isOff(scenario) && (this.#choose === undefined ? !this.#branches.has(without) : id !== chosen);
      const toggle = () => {
        if (this.#choose !== undefined) this.#choose(isOn ? id : undefined);
        else if (isOn) this.#branches.add(without);
        else this.#branches.remove(without);
      };
      return html`<button type="button" class="chip switch-chip" role="switch" title=${section} data-testid="off-${id}" aria-checked=${isOn} ?disabled=${isOff(scenario)} @click=${toggle}>${words}</button>`;
    };
    render(switches.map(chip), this.#root.querySelector<HTMLElement>('#switches')!);
  }
}
