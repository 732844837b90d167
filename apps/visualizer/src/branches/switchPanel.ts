import type { Scenario } from '@tutti/simulation';
import { made } from '../made.ts';
import type { Branches } from './branches.ts';
import { switches } from './branchWords.ts';

/** A switch for each mechanism of Handel, which plays the same run without it beside the one with it. */
export class SwitchPanel {
  readonly #root: HTMLElement;
  readonly #branches: Branches;
  /** Called with the run that is now compared; undefined when one is removed. */
  readonly #switched: (without: Scenario | undefined, words: string) => void;

  /** @param root holds `#switches`, and is hidden for other protocols. */
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
    this.#root.querySelector('#switches')!.replaceChildren(
      ...switches.map(({ id, words, section, off, isOff }) => {
        const without = off(scenario);
        const button = made('button', {
          type: 'button',
          className: 'chip switch-chip',
          textContent: words,
          title: section,
          disabled: isOff(scenario),
          dataset: { testid: `off-${id}` },
        });
        button.setAttribute('role', 'switch');
        button.setAttribute('aria-checked', String(!button.disabled && !this.#branches.has(without)));
        button.addEventListener('click', () => {
          const isOn = button.getAttribute('aria-checked') === 'true';
          button.setAttribute('aria-checked', String(!isOn));
          if (isOn) this.#branches.add(without);
          else this.#branches.remove(without);
          this.#switched(isOn ? without : undefined, words);
        });
        return button;
      }),
    );
  }
}
