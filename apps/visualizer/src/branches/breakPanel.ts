import { type Fault, NodeRole, type RecordedWorld, type Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { write } from '../page.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { Branches } from './branches.ts';
import { regionNodes, whoWords } from './branchText.ts';

/** Faults that a user can inject in the middle of a run, in the order of their buttons. */
export const breaks = ['cut off', 'pause', 'stop', 'slow', 'invalid'] as const;
type Break = (typeof breaks)[number];

/** Factor by which the verifications of a slowed node take longer. */
const slowFactor = 10;

/**
 * Returns a copy of the scenario with an additional fault from a given moment on. Up to that moment, all events of the
 * new run except outputs are the same as in the original run, so a link can store a branch. Nodes that stop permanently
 * do not count as live, and the threshold is a share of the live nodes. A branch with stopped nodes therefore needs
 * fewer contributions from the beginning, and may reach the threshold earlier.
 *
 * @param nodes ids of the affected nodes, at least one. @param forMs duration of a pause or a partition, ms.
 */
export function forked(
  scenario: Scenario,
  what: Break,
  nodes: readonly number[],
  atUs: number,
  forMs: number,
): Scenario {
  const atMs = atUs / 1000;
  const faults = [...scenario.faults, faultOf(what, nodes, atMs, forMs)];
  // Authenticated channels are disabled, because they drop altered messages. An invalid contribution must arrive to be
  // detected.
  return what === 'invalid' ? { ...scenario, faults, authenticated: false } : { ...scenario, faults };
}

/** Returns whether a scenario's crashes leave an honest node of the world, without which no run is possible. */
export function leavesNode({ faults }: Scenario, { role: roles }: Pick<RecordedWorld, 'role'>): boolean {
  const stopped = new Set(
    faults.flatMap((fault) => (fault.kind === 'crash' && !('share' in fault.nodes) ? fault.nodes : [])),
  );
  return roles.some((role, id) => role === NodeRole.honest && !stopped.has(id));
}

/** Returns the scenario to which {@link forked} added the last fault. */
export function withoutLastFault(scenario: Scenario): Scenario {
  const faults = scenario.faults.slice(0, -1);
  const isCorruption = ({ kind }: Fault) => kind === 'corruption';
  const wasFirst = scenario.faults.slice(-1).some(isCorruption) && !faults.some(isCorruption);
  return { ...scenario, faults, authenticated: scenario.authenticated || wasFirst };
}

function faultOf(what: Break, nodes: readonly number[], atMs: number, forMs: number): Fault {
  switch (what) {
    case 'stop':
      return { kind: 'crash', nodes, atMs };
    case 'pause':
      return { kind: 'pause', nodes, atMs, forMs };
    case 'cut off':
      return { kind: 'partition', nodes, atMs, forMs };
    case 'slow':
      return { kind: 'slow-nodes', nodes, factor: slowFactor, atMs };
    case 'invalid':
      return { kind: 'corruption', share: 1, of: 'signature', from: nodes, atMs };
  }
}

interface BreakListener {
  /** Returns the moment that the page shows. */
  now(): number;
  /** Shows the branch and plays it from the moment at which the branch diverges from the run. */
  open(branch: Scenario, atUs: number): void;
}

const breakLabels: Readonly<Record<Break, string>> = {
  'cut off': 'cut off',
  stop: 'stop for good',
  pause: 'pause',
  slow: `check ${slowFactor} times slower`,
  invalid: 'send invalid contributions',
};

/** Durations offered for a temporary fault, ms. */
const lengths = [100, 500, 2000] as const;

/** Panel for choosing nodes and a fault at the shown moment. */
export class BreakPanel {
  readonly #root: HTMLElement;
  readonly #branches: Branches;
  readonly #on: BreakListener;
  #index: RunIndex | undefined;
  #node = 0;
  /** Nodes inside the line that the reader has drawn on the ring; undefined if there is no line. */
  #circled: readonly number[] | undefined;
  /** Selected chip: `node`, `circled`, or the index of a region. */
  #chosen: string = 'node';
  #forMs = 500;
  #timeUs = 0;
  /** Timer for updating the shown moment; undefined if none is running. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Scenario with the last fault until its run is shown. The next fault is added to this scenario. */
  #coming: Scenario | undefined;

  constructor(root: HTMLElement, branches: Branches, on: BreakListener) {
    this.#root = root;
    this.#branches = branches;
    this.#on = on;
    const length = this.#find<HTMLSelectElement>('#break-for');
    for (const one of lengths)
      length.add(new Option(`for ${count(one)} ms`, String(one), one === this.#forMs, one === this.#forMs));
    length.addEventListener('change', () => {
      this.#forMs = Number(length.value);
    });
    render(
      breaks.map(
        (what) =>
          html`<button type="button" data-testid="break-${what.replace(' ', '-')}" @click=${() => this.#break(what)}>${breakLabels[what]}</button>`,
      ),
      this.#find('#break-what'),
    );
  }

  /** Shows another run. */
  show(index: RunIndex): void {
    this.#index = index;
    this.#coming = undefined;
    this.#circled = undefined;
    if (this.#chosen === 'circled' || Number(this.#chosen) >= index.recording.world.regionNames.length)
      this.#chosen = 'node';
    this.#drawWho();
  }

  /** Sets the data of the shown run after the run has continued. */
  more(index: RunIndex): void {
    this.#index = index;
  }

  set node(node: number) {
    this.#node = node;
    this.#drawWho();
  }

  /** Permanently stops a node on which the user has pressed in the ring. */
  press(node: number): void {
    this.#break('stop', [node]);
  }

  /** Sets the nodes inside the line that the reader has drawn on the ring. */
  circle(ids: readonly number[]): void {
    this.#circled = ids.length === 0 ? undefined : ids;
    this.#chosen = this.#circled === undefined ? 'node' : 'circled';
    this.#drawWho();
    this.#root.scrollIntoView({ block: 'nearest' });
  }

  /** Updates the time of the fault with a delay, because writing it in every frame would cause a layout each time. */
  draw(timeUs: number): void {
    this.#timeUs = timeUs;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      write(this.#find('#break-when'), ms(this.#timeUs));
    }, 100);
  }

  #find<E extends HTMLElement = HTMLElement>(selector: string): E {
    return this.#root.querySelector<E>(selector)!;
  }

  #break(what: Break, chosen?: readonly number[]): void {
    if (!this.#index) return;
    const { world } = this.#index.recording;
    const scenario = this.#coming ?? this.#index.recording.scenario;
    const ids = (chosen ?? this.#chosenIds(world)).filter((id) => world.role[id] === NodeRole.honest);
    const note = this.#find('#break-note');
    note.textContent = '';
    if (ids.length === 0) {
      note.textContent = 'None of these nodes is honest and working. Choose other nodes.';
      return;
    }
    const atUs = Math.round(this.#on.now());
    if (this.#index.done && atUs >= this.#index.endUs) {
      note.textContent = 'The run is over at this time. Go back to an earlier time.';
      return;
    }
    const branch = forked(scenario, what, ids, atUs, this.#forMs);
    if (!leavesNode(branch, world)) {
      note.textContent = 'At least one honest node must continue. Choose fewer nodes.';
      return;
    }
    this.#coming = branch;
    this.#branches.add(branch, undefined, scenario);
    this.#on.open(branch, atUs);
  }

  #chosenIds(world: RecordedWorld): readonly number[] {
    if (this.#chosen === 'node') return [this.#node];
    if (this.#chosen === 'circled') return this.#circled ?? [];
    return regionNodes(world, Number(this.#chosen));
  }

  #drawWho(): void {
    const world = this.#index?.recording.world;
    if (world === undefined) return;
    const chips: [string, string][] = [['node', `node ${count(this.#node)}`]];
    if (this.#circled !== undefined) chips.push(['circled', `circled: ${whoWords(this.#circled, world)}`]);
    // A list of 200 cities is too long. With a circle on the ring, the user can select any nodes.
    if (world.regionNames.length > 1 && world.regionNames.length <= 24) {
      const there = new Uint32Array(world.regionNames.length);
      for (const place of world.region) there[place]!++;
      world.regionNames.forEach((name, place) => {
        if (there[place]! > 0) chips.push([String(place), `${name}, ${count(there[place]!)}`]);
      });
    }
    const chip = ([key, words]: readonly [string, string]) =>
      html`<button type="button" class="chip" aria-pressed=${key === this.#chosen} @click=${() => {
        this.#chosen = key;
        this.#drawWho();
      }}>${words}</button>`;
    render(chips.map(chip), this.#find('#break-who'));
  }
}
