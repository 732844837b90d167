import type { Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import type { Branches } from './branches.ts';
import { switches } from './branchText.ts';

/**
 * Panel with a switch for each mechanism of Handel. A switch compares the run with the same run without the mechanism.
 */
export class SwitchPanel {
  readonly #root: HTMLElement;
  readonly #branches: Branches;
  /** Called with the run that is now compared; undefined when one is removed. */
  readonly #switched: (without: Scenario | undefined, words: string) => void;

  /** @param root element that contains `#switches` and is hidden for other protocols. */
  constructor(
    root: HTMLElement,
    branches: Branches,
    switched: (without: Scenario | undefined, words: string) => void = () => {},
  ) {
    this.#root = root;
    this.#branches = branches;
    this.#switched = switched;
  }

  show(scenario: Scenario): void {
    this.#root.hidden = scenario.protocol !== 'handel';
    if (scenario.protocol !== 'handel') return;
    const chip = ({ id, words, section, off, isOff }: (typeof switches)[number]) => {
      const without = off(scenario);
      const isOn = !isOff(scenario) && !this.#branches.has(without);
      const toggle = () => {
        if (isOn) this.#branches.add(without);
        else this.#branches.remove(without);
        this.show(scenario);
        this.#switched(isOn ? without : undefined, words);
      };
      return html`<button type="button" class="chip switch-chip" role="switch" title=${section} data-testid="off-${id}" aria-checked=${isOn} ?disabled=${isOff(scenario)} @click=${toggle}>${words}</button>`;
    };
    render(switches.map(chip), this.#root.querySelector<HTMLElement>('#switches')!);
  }
}
