import type { HornSystem } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/simulation/slots';
import { part, say } from '../page.ts';
import { count } from '../words.ts';
import type { Task } from '../worker/task.ts';
import type { SlotControls } from './slotControls.ts';
import type { SlotIndex } from './slotIndex.ts';
import { sameSlot } from './slotState.ts';
import { startSlot } from './startSlot.ts';
import { systemNames } from './words.ts';

/** Of one slot, each system that has been played. */
export type PlayedSystems = ReadonlyMap<HornSystem, SlotIndex>;

interface Run {
  readonly scenario: SlotScenario;
  readonly task: Task<SlotIndex>;
  progress: number;
}

/** Plays slots in workers, one after another, and keeps each system of one slot. */
export class SlotRuns {
  readonly #controls: SlotControls;
  readonly #onChange: () => void;
  readonly #bar = part<HTMLProgressElement>('#run-progress');
  readonly #played = new Map<HornSystem, SlotIndex>();
  #now: Run | undefined;

  /** @param onChange called when one begins, has got further, or has ended. */
  constructor(controls: SlotControls, onChange: () => void) {
    this.#controls = controls;
    this.#onChange = onChange;
  }

  get played(): PlayedSystems {
    return this.#played;
  }

  get now(): Pick<Run, 'scenario' | 'progress'> | undefined {
    return this.#now;
  }

  /** What was played of another slot is forgotten. */
  keepOnly(scenario: SlotScenario): void {
    const [any] = this.#played.values();
    if (any && !sameSlot(any.result.scenario, scenario)) this.#played.clear();
  }

  /** @param onDone called with each as it is done; what comes after it is still to be played then. */
  play([scenario, ...others]: readonly SlotScenario[], onDone: (index: SlotIndex) => void): void {
    if (scenario === undefined) return;
    this.#bar.classList.add('busy');
    this.#bar.value = 0;
    this.#controls.running = true;
    const { parameters, system } = scenario;
    say('running', `Playing ${count(parameters.validators)} validators, ${systemNames[system]}, in a worker …`);
    const task = startSlot(scenario, (share) => {
      this.#now!.progress = share;
      this.#bar.value = share;
      this.#onChange();
    });
    this.#now = { scenario, task, progress: 0 };
    task.result.then(
      (index) => {
        this.end();
        this.#played.set(system, index);
        onDone(index);
        this.play(others, onDone);
        this.#onChange();
      },
      (error: Error) => {
        this.end();
        say('error', error.message);
        this.#onChange();
      },
    );
    this.#onChange();
  }

  end(): void {
    this.#now?.task.stop();
    this.#now = undefined;
    this.#controls.running = false;
    this.#bar.classList.remove('busy');
  }
}
