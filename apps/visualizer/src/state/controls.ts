import { defaultScenario, type Scenario } from '@tutti/core';
import { part } from '../page.ts';
import { limits } from './pageState.ts';

/** The form in which a run is chosen. */
export class Controls {
  readonly #form = part<HTMLFormElement>('#controls');
  readonly #nodes = part<HTMLInputElement>('#n');
  readonly #scheme = part<HTMLSelectElement>('#scheme');
  readonly #network = part<HTMLSelectElement>('#network');
  readonly #constant = part<HTMLInputElement>('#constant');
  readonly #dead = part<HTMLInputElement>('#dead');
  readonly #seed = part<HTMLInputElement>('#seed');
  readonly #run = part<HTMLButtonElement>('#run');
  readonly #stop = part<HTMLButtonElement>('#stop');
  /** What the reader asked for, kept while it cannot be had. */
  #wantedScheme: Scenario['scheme'] = 'bls';

  constructor(on: { run: (scenario: Scenario) => void; stop: () => void }) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#clamp(this.#nodes, limits.nodes);
      this.#clamp(this.#seed, limits.seed);
      this.#clamp(this.#constant, limits.constantMs);
      this.#follow();
      on.run(this.scenario);
    });
    this.#stop.addEventListener('click', on.stop);
    this.#scheme.addEventListener('change', () => {
      this.#wantedScheme = this.#scheme.value as Scenario['scheme'];
    });
    this.#form.addEventListener('input', () => this.#follow());
    const scale = (button: string, by: number) =>
      part(button).addEventListener('click', () => {
        const next = Math.round(Number(this.#nodes.value) * by);
        this.#nodes.value = String(Math.min(limits.nodes.max, Math.max(limits.nodes.min, next)));
        this.#follow();
      });
    scale('#n-half', 0.5);
    scale('#n-double', 2);
    const fold = part<HTMLButtonElement>('#controls-fold');
    fold.addEventListener('click', () => {
      const open = this.#form.classList.toggle('open');
      fold.setAttribute('aria-expanded', String(open));
    });
    part('#seed-next').addEventListener('click', () => {
      this.#seed.value = String((Number(this.#seed.value) + 1) % (limits.seed.max + 1));
      this.#form.requestSubmit();
    });
  }

  get scenario(): Scenario {
    const network = this.#network.value;
    return {
      ...defaultScenario,
      nodes: Number(this.#nodes.value),
      scheme: this.#scheme.value as Scenario['scheme'],
      network: network === 'constant' ? `constant:${this.#constant.value}` : network,
      dead: Number(this.#dead.value) / 100,
      seed: Number(this.#seed.value),
    };
  }

  set scenario(scenario: Scenario) {
    this.#nodes.value = String(scenario.nodes);
    this.#wantedScheme = scenario.scheme;
    const [network, ms] = scenario.network.split(':') as [string, string?];
    this.#network.value = network;
    if (ms !== undefined) this.#constant.value = ms;
    this.#dead.value = String(Math.round(scenario.dead * 100));
    this.#seed.value = String(scenario.seed);
    this.#follow();
  }

  set running(running: boolean) {
    this.#run.disabled = running;
    this.#stop.disabled = !running;
  }

  /** Brings what depends on other fields in line with them. */
  #follow(): void {
    const tooMany = Number(this.#nodes.value) > limits.blsNodes;
    part<HTMLOptionElement>('#scheme option[value="bls"]').disabled = tooMany;
    this.#scheme.value = tooMany ? 'counting' : this.#wantedScheme;
    part('#scheme-note').textContent = tooMany
      ? `Real signatures for up to ${limits.blsNodes} nodes: beyond, a browser would check them for minutes. Counted, the run is the same, event by event.`
      : '';
    part('#constant-field').hidden = this.#network.value !== 'constant';
    const dead = Number(this.#dead.value);
    const nodes = Math.floor((Number(this.#nodes.value) * dead) / 100);
    part('#dead-value').textContent = dead === 0 ? 'none' : `${dead} %, ${nodes}`;
  }

  #clamp(input: HTMLInputElement, range: { min: number; max: number }): void {
    const read = Math.round(input.value.trim() === '' ? Number.NaN : Number(input.value));
    const whole = Number.isFinite(read) ? read : Number(input.defaultValue || range.min);
    input.value = String(Math.min(range.max, Math.max(range.min, whole)));
  }
}
