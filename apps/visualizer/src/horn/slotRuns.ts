import type { HornSystem } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/ethereum';
import { count } from '../formatNumber.ts';
import { query, say, sayError } from '../page.ts';
import { OneTask } from '../worker/oneTask.ts';
import { startSlot } from './runSlots.ts';
import type { SlotControls } from './slotControls.ts';
import type { SlotIndex } from './slotIndex.ts';
import { sameSlot } from './slotState.ts';
import { systemNames } from './words.ts';

/** Systems of one slot that have been simulated, with their results. */
export type DoneSystems = ReadonlyMap<HornSystem, SlotIndex>;

interface Run {
  readonly scenario: SlotScenario;
  progress: number;
}

/** Simulates slots in workers, one after another, and stores the result of each system of one slot. */
export class SlotRuns {
  readonly #onChange: () => void;
  readonly #task: OneTask;
  readonly #done = new Map<HornSystem, SlotIndex>();
  #now: Run | undefined;

  /** @param onChange called when a run starts, progresses or ends. */
  constructor(controls: SlotControls, onChange: () => void) {
    this.#onChange = onChange;
    this.#task = new OneTask(query<HTMLProgressElement>('#run-progress'), (isRunning) => {
      controls.running = isRunning;
      if (!isRunning) this.#now = undefined;
    });
  }

  get done(): DoneSystems {
    return this.#done;
  }

  get now(): Pick<Run, 'scenario' | 'progress'> | undefined {
    return this.#now;
  }

  /** Removes runs of other slots. */
  keepOnly(scenario: SlotScenario): void {
    const [any] = this.#done.values();
    if (any && !sameSlot(any.result.scenario, scenario)) this.#done.clear();
  }

  /**
   * Simulates scenarios one after another. @param onDone called with each result, before the next simulation starts.
   */
  run([scenario, ...others]: readonly SlotScenario[], onDone: (index: SlotIndex) => void): void {
    if (scenario === undefined) return;
    const { parameters, system } = scenario;
    say('running', `Simulating ${count(parameters.validators)} validators, ${systemNames[system]} …`);
    const task = startSlot(scenario, (share) => {
      this.#now!.progress = share;
      this.#task.progress = share;
      this.#onChange();
    });
    const done = (index: SlotIndex) => {
      this.#done.set(system, index);
      onDone(index);
      this.run(others, onDone);
      this.#onChange();
    };
    this.#task.wait(task, done, (error) => {
      sayError(error);
      this.#onChange();
    });
    this.#now = { scenario, progress: 0 };
    this.#onChange();
  }

  end(): void {
    this.#task.stop();
  }
}
