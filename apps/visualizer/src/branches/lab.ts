import type { Scenario } from '@tutti/simulation';
import { query } from '../page.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { Branches, maxNodesOfBranches } from './branches.ts';
import { BreakPanel } from './breakPanel.ts';
import { SwitchPanel } from './switchPanel.ts';

interface LabListener {
  /** Returns the moment that the page shows. */
  now(): number;
  /** Called when the compared branches, their results or the size of the drawings change. */
  changed(): void;
  /** Shows a branch of the run at a moment, and plays the branch from this moment if `plays` is set. */
  open(
    scenario: Scenario,
    at: { readonly timeUs: number; readonly node: number | undefined; readonly plays: boolean },
  ): void;
}

/** Panel for injecting a fault at the current moment, or for switching off a mechanism, and for comparing both runs. */
export class Lab {
  readonly #branches: Branches;
  readonly #break: BreakPanel;
  readonly #switches: SwitchPanel;
  #index: RunIndex | undefined;

  constructor(on: LabListener) {
    this.#branches = new Branches(query('#branches'), {
      open: (scenario, at) => {
        const { scheme } = this.#index!.recording.scenario;
        on.open({ ...scenario, scheme }, { timeUs: at?.timeUs ?? on.now(), node: at?.node, plays: false });
      },
      changed: () => {
        if (this.#index) this.#switches.show(this.#index.recording.scenario);
        on.changed();
      },
    });
    this.#break = new BreakPanel(query('#break'), this.#branches, {
      now: () => on.now(),
      open: (branch, timeUs) => on.open(branch, { timeUs, node: undefined, plays: true }),
    });
    this.#switches = new SwitchPanel(query('#switch-off'), this.#branches);
  }

  /** Shows another run. */
  show(index: RunIndex): void {
    this.#index = index;
    const { scenario, world } = index.recording;
    query('#lab').hidden = world.nodes > maxNodesOfBranches;
    this.#branches.show(scenario, world, index.done ? index.recording.result.digest : undefined);
    this.#break.show(index);
  }

  /** Sets the data of the shown run after the run has continued. */
  more(index: RunIndex): void {
    this.#index = index;
    this.#break.more(index);
  }

  set node(node: number) {
    this.#break.node = node;
  }

  /** Sets the nodes inside the line that the reader has drawn on the ring. */
  circle(ids: readonly number[]): void {
    this.#break.circle(ids);
  }

  /** Latest end time of the branches, µs; 0 if there are none. */
  get endUs(): number {
    return this.#branches.endUs;
  }

  recolour(): void {
    this.#branches.recolour();
  }

  /** Updates the time of the fault, and draws the branches at that moment. */
  draw(timeUs: number): void {
    this.#break.draw(timeUs);
    this.#branches.draw(timeUs);
  }
}
