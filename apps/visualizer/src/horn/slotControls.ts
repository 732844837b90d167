import { hornAttacks } from '@tutti/ethereum';
import { count } from '../numberWords.ts';
import { part } from '../page.ts';
import { foldOnPress } from '../views/fold.ts';
import { type SlotChoice, type SlotModel, slotLimits, validatorChoices } from './slotChoice.ts';

export interface ControlsListener {
  run(): void;
  stop(): void;
  model(model: SlotModel): void;
  /** Something else is chosen of the slot. */
  choose(): void;
}

/** The form in which a slot is chosen. */
export class SlotControls {
  readonly #form = part<HTMLFormElement>('#controls');
  readonly #validators = part<HTMLSelectElement>('#n');
  readonly #system = part<HTMLSelectElement>('#system');
  readonly #network = part<HTMLSelectElement>('#network');
  readonly #present = part<HTMLInputElement>('#present');
  readonly #attack = part<HTMLSelectElement>('#attack');
  readonly #byzantine = part<HTMLInputElement>('#byzantine');
  readonly #seed = part<HTMLInputElement>('#seed');

  constructor(on: ControlsListener) {
    for (const validators of validatorChoices) this.#validators.add(new Option(count(validators), String(validators)));
    this.#attack.add(new Option('stays away', ''));
    for (const { name, aim } of hornAttacks) {
      const option = new Option(name, name);
      option.title = aim;
      this.#attack.add(option);
    }
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const seed = Math.round(Number(this.#seed.value));
      this.#seed.value = String(Math.min(slotLimits.seed.max, Math.max(0, Number.isFinite(seed) ? seed : 1)));
      on.run();
    });
    part('#stop').addEventListener('click', on.stop);
    this.#form.addEventListener('input', () => this.#follow());
    this.#form.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === 'model') on.model(target.value as SlotModel);
      else on.choose();
    });
    part('#seed-next').addEventListener('click', () => {
      this.#seed.value = String((Number(this.#seed.value) + 1) % (slotLimits.seed.max + 1));
      this.#form.requestSubmit();
    });
    foldOnPress(part<HTMLButtonElement>('#controls-fold'), this.#form);
  }

  get choice(): SlotChoice {
    return {
      validators: Number(this.#validators.value),
      network: this.#network.value,
      dead: (100 - Number(this.#present.value)) / 100,
      seed: Number(this.#seed.value),
      attacks:
        this.#attack.value === '' ? [] : [{ name: this.#attack.value, share: Number(this.#byzantine.value) / 100 }],
    };
  }

  set choice({ validators, network, dead, seed, attacks }: SlotChoice) {
    this.#validators.value = String(validators);
    this.#network.value = network;
    this.#present.value = String(Math.round((1 - dead) * 100));
    this.#seed.value = String(seed);
    const [attack] = attacks;
    this.#attack.value = attack?.name ?? '';
    if (attack) this.#byzantine.value = String(Math.round(attack.share * 100));
    this.#follow();
  }

  get system(): string {
    return this.#system.value;
  }

  set system(system: string) {
    this.#system.value = system;
  }

  /** Has these systems in the form, by their names, and keeps the one that is chosen where it is among them. */
  offer(systems: Readonly<Record<string, string>>): void {
    const before = this.#system.value;
    this.#system.replaceChildren(...Object.entries(systems).map(([name, words]) => new Option(words, name)));
    if (before in systems) this.#system.value = before;
  }

  set model(model: SlotModel) {
    part<HTMLInputElement>(`#model [value="${model}"]`).checked = true;
  }

  set running(running: boolean) {
    part<HTMLButtonElement>('#run').disabled = running;
    part<HTMLButtonElement>('#stop').disabled = !running;
  }

  /** Brings what depends on other fields in line with them. */
  #follow(): void {
    const present = Number(this.#present.value);
    part('#present-value').textContent = present === 100 ? 'all' : `${present} %`;
    this.#byzantine.hidden = this.#attack.value === '';
    const share = Number(this.#byzantine.value);
    part('#byzantine-value').textContent = this.#byzantine.hidden
      ? ''
      : `${share} %, ${count(Math.floor((Number(this.#validators.value) * share) / 100))}`;
  }
}
