import { hornAttacks } from '@tutti/ethereum';
import { count } from '../formatNumber.ts';
import { FieldForm, type Fields, type OwnControl } from '../links/fields.ts';
import { foldOnPress, query } from '../page.ts';
import type { ClockStage, PageStage, Player } from '../player/player.ts';
import type { ClockView } from './clockView.ts';
import { type SlotChoice, type SlotModel, slotLimits } from './slotChoice.ts';

/** Parts of a slot's page that both models share: the player, the form, and the drawing of the slot's clock. */
export interface SlotPage {
  readonly player: Player;
  readonly controls: SlotControls;
  readonly dial: ClockView;
}

/** Stage for a slot in one model: the chapters and the drawings. */
export interface SlotStage
  extends Pick<ClockStage, 'draw'>,
    Required<Pick<PageStage, 'link' | 'recolour' | 'resize' | 'exportable'>> {
  /** Titles of the views that can be exported, by view name. */
  readonly views: Readonly<Record<string, string>>;
  /** Shows the state that a link describes, or the state of a first visit. */
  open(hash: string): void;
  /** Shows the slot of the form. @param timeUs moment to show, µs; undefined if there is none. */
  enter(timeUs: number | undefined): void;
  /** Called when another model is chosen. Stops all running simulations. */
  leave(): void;
  /** Simulates the slot that the form describes. */
  run(): void;
  /** Stops the running simulation. */
  stop(): void;
  /** Called when the form changes. If this callback is missing, changes take effect with the Run button. */
  choose?(): void;
}

interface ControlsListener {
  run(): void;
  stop(): void;
  model(model: SlotModel): void;
  /** Called when a setting other than the model changes. */
  choose(): void;
}

/** Form for the settings of a slot. */
export class SlotControls {
  readonly #form = query<HTMLFormElement>('#controls');
  readonly #validators = query<HTMLSelectElement>('#n');
  readonly #system = query<HTMLSelectElement>('#system');
  readonly #present = query<HTMLInputElement>('#present');
  readonly #attack = query<HTMLSelectElement>('#attack');
  readonly #byzantine = query<HTMLInputElement>('#byzantine');
  readonly #seed = query<HTMLInputElement>('#seed');

  /** Controls whose value differs from the text of their field: the share of online validators, and Eve's attack. */
  readonly #own: Readonly<Record<string, OwnControl>> = {
    dead: {
      read: () => String((100 - Number(this.#present.value)) / 100),
      show: (dead) => {
        this.#present.value = String(Math.round((1 - Number(dead)) * 100));
      },
    },
    attack: {
      read: () =>
        this.#attack.value === '' ? undefined : `${this.#attack.value}:${Number(this.#byzantine.value) / 100}`,
      show: (attack) => {
        const [name = '', share] = attack?.split(':') ?? [];
        this.#attack.value = name;
        if (share !== undefined) this.#byzantine.value = String(Math.round(Number(share) * 100));
        this.#updateTexts();
      },
    },
  };

  constructor(on: ControlsListener) {
    this.#attack.add(new Option('stays away', ''));
    for (const { name, aim } of hornAttacks) {
      const option = new Option(name, name);
      option.title = aim;
      this.#attack.add(option);
    }
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      on.run();
    });
    query('#stop').addEventListener('click', on.stop);
    this.#form.addEventListener('input', () => this.#updateTexts());
    this.#form.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === 'model') on.model(target.value as SlotModel);
      else on.choose();
    });
    query('#seed-next').addEventListener('click', () => {
      this.#seed.value = String((Number(this.#seed.value) + 1) % (slotLimits.seed.max + 1));
      this.#form.requestSubmit();
    });
    foldOnPress(query<HTMLButtonElement>('#controls-fold'), this.#form);
  }

  /** Returns the form for the given fields. The parameters are those of {@link FieldForm}. */
  form<Values extends SlotChoice>(
    fields: Fields<Values>,
    words: ConstructorParameters<typeof FieldForm<Values>>[2] = {},
    own: Readonly<Record<string, OwnControl>> = {},
  ): FieldForm<Values> {
    return new FieldForm(this.#form, fields, { validators: count, ...words }, { ...this.#own, ...own });
  }

  /** Updates the texts and controls that depend on other controls. */
  #updateTexts(): void {
    const present = Number(this.#present.value);
    query('#present-value').textContent = present === 100 ? 'all' : `${present} %`;
    this.#byzantine.hidden = this.#attack.value === '';
    const share = Number(this.#byzantine.value);
    query('#byzantine-value').textContent = this.#byzantine.hidden
      ? ''
      : `${share} %, ${count(Math.floor((Number(this.#validators.value) * share) / 100))}`;
  }

  /** Offers the given systems by name. The chosen system stays chosen if it is offered. */
  offer(systems: Readonly<Record<string, string>>): void {
    const before = this.#system.value;
    this.#system.replaceChildren(...Object.entries(systems).map(([name, words]) => new Option(words, name)));
    if (before in systems) this.#system.value = before;
  }

  set model(model: SlotModel) {
    query<HTMLInputElement>(`#model [value="${model}"]`).checked = true;
  }

  set running(running: boolean) {
    query<HTMLButtonElement>('#run').disabled = running;
    query<HTMLButtonElement>('#stop').disabled = !running;
  }
}

/**
 * Writes the numbers at the current moment into the three cells of a table row. Undefined values are shown as a dash.
 */
export function writeMoment(line: string, values: readonly (number | undefined)[]): void {
  [...query<HTMLTableRowElement>(`#at-${line}`).cells].slice(1).forEach((cell, place) => {
    const value = values[place];
    cell.textContent = value === undefined ? '–' : count(value);
  });
}
