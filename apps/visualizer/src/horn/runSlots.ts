import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { NetworkScenario, SlotScenario } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { count } from '../formatNumber.ts';
import { query, say, sayError } from '../page.ts';
import { OneTask, type Task, task } from '../worker/task.ts';
import { systemNames } from './slotChoice.ts';
import type { SlotLane } from './slotFile.ts';
import type { SlotIndex } from './slotIndex.ts';
import type { SlotControls } from './slotStage.ts';
import { sameSlot } from './slotState.ts';

/** Request to the worker that simulates a slot. */
export type SlotRequest =
  /** Request for a slot, or for only the number of honest votes that Eve excludes from the slot's block. */
  | { readonly kind: 'slot' | 'lost votes'; readonly scenario: SlotScenario }
  /** Request for Handel on one committee of the slot, with a maximum number of nodes. */
  | { readonly kind: 'committee'; readonly scenario: SlotScenario; readonly maxNodes: number }
  /** Request for the slot on a network with limited links and machines. */
  | { readonly kind: 'network'; readonly scenario: NetworkScenario };

/** Starts a worker that simulates slots. */
export function slotWorker(): Worker {
  return new Worker(new URL('./slotWorker.ts', import.meta.url), { type: 'module', name: 'tutti-slot' });
}

/** Starts the simulation of one slot in a separate worker. @param progress receives the progress, 0 to 1. */
function startSlot(scenario: SlotScenario, progress: (share: number) => void): Task<SlotIndex> {
  return task<SlotRequest, SlotIndex, number>(slotWorker(), 'The slot', { kind: 'slot', scenario }, { progress });
}

interface SlotsListener {
  /** Called during the simulation of a system's slot. @param share progress of this simulation, 0 to 1. */
  progress(system: HornSystem, share: number): void;
  /** Called with the results of all three systems, in the order of `hornSystems`. */
  slots(lanes: readonly SlotLane[]): void;
  /** Called last, with the result of the Handel run on one of the committees. */
  committee(run: CommitteeRun): void;
  failed(message: string): void;
}

/**
 * Simulates one slot with each system, and then Handel on one of the slot's committees, one after another, each in a
 * separate worker.
 *
 * @param maxNodes maximum number of nodes that run Handel.
 */
export function simulateSystems(scenario: SlotScenario, maxNodes: number, listener: SlotsListener): { stop(): void } {
  let now: Task<unknown> | undefined;
  const run = <Result>(started: Task<Result>): Promise<Result> => {
    now = started;
    return started.result;
  };
  const runAll = async (): Promise<void> => {
    const lanes: SlotLane[] = [];
    for (const system of hornSystems) {
      const started = startSlot({ ...scenario, system }, (share) => listener.progress(system, share));
      const { result, steps } = await run(started);
      lanes.push({ result, steps });
    }
    listener.slots(lanes);
    listener.committee(
      await run(task<SlotRequest, CommitteeRun>(slotWorker(), 'Handel', { kind: 'committee', scenario, maxNodes })),
    );
  };
  runAll().catch((error: Error) => listener.failed(error.message));
  return { stop: () => now?.stop() };
}

/** Systems with which one slot has been simulated, with their results. */
export type DoneSystems = ReadonlyMap<HornSystem, SlotIndex>;

interface Run {
  readonly scenario: SlotScenario;
  progress: number;
}

/** Simulates slots in workers, one after another, and stores the results of one slot for each system. */
export class SlotRuns {
  readonly #onChange: () => void;
  readonly #task: OneTask;
  readonly #done = new Map<HornSystem, SlotIndex>();
  #now: Run | undefined;

  /** @param onChange called when a run starts, makes progress or ends. */
  constructor(controls: SlotControls, onChange: () => void) {
    this.#onChange = onChange;
    this.#task = new OneTask(query<HTMLProgressElement>('#run-progress'), (isRunning) => {
      controls.running = isRunning;
      if (!isRunning) this.#now = undefined;
      onChange();
    });
  }

  /** Results of the last simulated slot. */
  get done(): DoneSystems {
    return this.#done;
  }

  /** Current run, with its progress, 0 to 1; undefined if there is none. */
  get now(): Readonly<Run> | undefined {
    return this.#now;
  }

  /** Removes all results if they belong to another slot. */
  removeOthers(scenario: SlotScenario): void {
    const [any] = this.#done.values();
    if (any && !sameSlot(any.result.scenario, scenario)) this.#done.clear();
  }

  /**
   * Simulates scenarios that differ only in their systems, one after another.
   *
   * @param onDone called with each result, before the next simulation begins.
   */
  run([scenario, ...others]: readonly SlotScenario[], onDone: (index: SlotIndex) => void): void {
    if (scenario === undefined) return;
    const { parameters, system } = scenario;
    say('running', `Simulating ${count(parameters.validators)} validators, ${systemNames[system]} …`);
    const started = startSlot(scenario, (share) => {
      this.#now!.progress = share;
      this.#task.progress = share;
      this.#onChange();
    });
    const done = (index: SlotIndex) => {
      this.#done.set(system, index);
      onDone(index);
      this.run(others, onDone);
    };
    this.end();
    this.#now = { scenario, progress: 0 };
    this.#task.wait(started, done, sayError);
  }

  /** Stops the current run, if there is one. */
  end(): void {
    this.#task.stop();
  }
}
