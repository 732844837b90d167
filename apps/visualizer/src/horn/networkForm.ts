import { linkPresetNames, machineNames, type VotingSystemName } from '@tutti/ethereum';
import { part } from '../page.ts';
import { firstNetworkChoice, type NetworkChoice } from './networkState.ts';
import { votingNames } from './networkWords.ts';
import type { SlotControls } from './slotControls.ts';

/** Fields that only this model has. */
const own = ['links', 'machine', 'distribution'] as const;

/** The form as it is for a slot on a network with bandwidth. */
export class NetworkForm {
  readonly #controls: SlotControls;

  constructor(controls: SlotControls) {
    this.#controls = controls;
    for (const name of linkPresetNames) field('links').add(new Option(name, name));
    for (const name of machineNames) field('machine').add(new Option(name, name));
    this.#writeOwn(firstNetworkChoice);
  }

  /** Offers this model's systems. */
  begin(): void {
    this.#controls.offer(votingNames);
  }

  get choice(): NetworkChoice {
    const { choice, system } = this.#controls;
    const chosen = Object.fromEntries(own.map((name) => [name, field(name).value]));
    return { ...firstNetworkChoice, ...choice, ...chosen, system: system as VotingSystemName };
  }

  set choice(choice: NetworkChoice) {
    this.#controls.choice = choice;
    this.#controls.system = choice.system;
    this.#writeOwn(choice);
  }

  set running(isRunning: boolean) {
    this.#controls.running = isRunning;
  }

  #writeOwn(choice: NetworkChoice): void {
    for (const name of own) field(name).value = choice[name];
  }
}

function field(name: (typeof own)[number]): HTMLSelectElement {
  return part<HTMLSelectElement>(`#${name}`);
}
