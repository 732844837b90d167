import {
  attackNamed,
  attacks,
  encodeScenario,
  linkedScenario,
  protocolNames,
  protocols,
  type Scenario,
} from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import { query } from '../page.ts';
import { isToEveryone, maxNodesWithMessages } from '../timeline/runIndex.ts';
import { OtherFields } from './otherFields.ts';
import { limits, maxNodesOf, sameRun } from './pageState.ts';

/** Form with the settings of a run. */
export class Controls {
  readonly #form = query<HTMLFormElement>('#controls');
  readonly #protocol = query<HTMLSelectElement>('#protocol');
  readonly #nodes = query<HTMLInputElement>('#n');
  readonly #scheme = query<HTMLSelectElement>('#scheme');
  readonly #network = query<HTMLSelectElement>('#network');
  readonly #constant = query<HTMLInputElement>('#constant');
  readonly #dead = query<HTMLInputElement>('#dead');
  readonly #attack = query<HTMLSelectElement>('#attack');
  readonly #byzantine = query<HTMLInputElement>('#byzantine');
  readonly #seed = query<HTMLInputElement>('#seed');
  readonly #run = query<HTMLButtonElement>('#run');
  readonly #stop = query<HTMLButtonElement>('#stop');
  /**
   * Scheme and share of dead nodes that the user chose. The choices return when their controls become available again.
   */
  #wantedScheme: Scenario['scheme'] = 'bls';
  #wantedDead = '0';
  /**
   * Scenario from which the form was filled. The scenario has fields without a control, and values that are more
   * precise than those of a control.
   */
  #base: Scenario = linkedScenario;
  #shown: Scenario | undefined;
  readonly #words = [...document.querySelectorAll<HTMLButtonElement>('#sentence button')];
  readonly #others = new OtherFields(query('#field-other'), (scenario) => {
    this.#base = scenario;
    this.#follow();
    this.#form.requestSubmit();
  });

  constructor(on: { run: (scenario: Scenario) => void; stop: () => void }) {
    for (const name of protocolNames) this.#protocol.add(new Option(protocols[name].title, name));
    this.#attack.add(new Option('none', ''));
    for (const { name, aim } of attacks) {
      const option = new Option(name.replaceAll('-', ' '), name);
      option.title = aim;
      this.#attack.add(option);
    }
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#clamp(this.#nodes, { min: limits.nodes.min, max: maxNodesOf(this.#protocolNow) });
      this.#clamp(this.#seed, limits.seed);
      this.#clamp(this.#constant, limits.constantMs);
      this.#follow();
      this.#others.show(this.scenario);
      on.run(this.scenario);
    });
    this.#stop.addEventListener('click', on.stop);
    this.#scheme.addEventListener('change', () => {
      this.#wantedScheme = this.#scheme.value as Scenario['scheme'];
    });
    this.#dead.addEventListener('input', () => {
      this.#wantedDead = this.#dead.value;
    });
    this.#form.addEventListener('input', () => this.#follow());
    const scale = (button: string, by: number) =>
      query(button).addEventListener('click', () => {
        const next = Math.round(Number(this.#nodes.value) * by);
        this.#nodes.value = String(Math.min(maxNodesOf(this.#protocolNow), Math.max(limits.nodes.min, next)));
        this.#submitUnlessLong();
      });
    scale('#n-half', 0.5);
    scale('#n-double', 2);
    for (const word of this.#words) {
      word.dataset.testid = `word-${word.dataset.word}`;
      word.setAttribute('aria-expanded', 'false');
      word.setAttribute('aria-controls', `field-${word.dataset.word}`);
      word.addEventListener('click', () =>
        this.#open(word.getAttribute('aria-expanded') === 'true' ? undefined : word),
      );
    }
    this.#form.addEventListener('change', () => this.#submitUnlessLong());
    const runOnPress = (button: string, set: () => void) =>
      query(button).addEventListener('click', () => {
        set();
        this.#follow();
        this.#form.requestSubmit();
      });
    runOnPress('#dead-fifth', () => {
      this.#wantedDead = '20';
    });
    runOnPress('#third-byzantine', () => {
      this.#attack.value = 'invalid';
      this.#byzantine.value = '33';
    });
    runOnPress('#seed-next', () => {
      this.#seed.value = String((Number(this.#seed.value) + 1) % (limits.seed.max + 1));
    });
  }

  get scenario(): Scenario {
    const base = this.#base;
    const network = this.#network.value;
    const [first, ...others] = base.attacks;
    const name = this.#attack.value;
    const share = percentOr(this.#byzantine.value, first?.share);
    return {
      ...base,
      protocol: this.#protocol.value as Scenario['protocol'],
      nodes: Number(this.#nodes.value),
      scheme: this.#scheme.value as Scenario['scheme'],
      network: network === 'constant' ? `constant:${this.#constant.value}` : network,
      dead: percentOr(this.#dead.value, base.dead),
      seed: Number(this.#seed.value),
      attacks: name === '' ? [] : [first?.name === name ? { ...first, share } : { name, share }, ...others],
    };
  }

  set scenario(scenario: Scenario) {
    this.#base = scenario;
    this.#others.show(scenario);
    this.#protocol.value = scenario.protocol;
    this.#nodes.value = String(scenario.nodes);
    this.#wantedScheme = scenario.scheme;
    const [form, ms] = scenario.network.split(':') as [string, string?];
    const network = form === 'constant' ? form : scenario.network;
    if (![...this.#network.options].some(({ value }) => value === network)) this.#network.add(new Option(network));
    this.#network.value = network;
    if (form === 'constant') this.#constant.value = ms!;
    this.#wantedDead = String(Math.round(scenario.dead * 100));
    extendTo(this.#dead, limits.dead, scenario.dead);
    this.#seed.value = String(scenario.seed);
    const [attack] = scenario.attacks;
    this.#attack.value = attack?.name ?? '';
    if (attack !== undefined) {
      extendTo(this.#byzantine, limits.byzantine, attack.share);
      this.#byzantine.value = String(Math.round(attack.share * 100));
    }
    this.#follow();
  }

  /** Sets the run that the page shows, so that the form can detect differences from its settings. */
  set shown(scenario: Scenario) {
    this.#shown = scenario;
    this.#follow();
  }

  set running(running: boolean) {
    this.#run.disabled = running;
    this.#stop.disabled = !running;
  }

  /** Opens the control for a word of the sentence, and closes the previously open control. */
  #open(chosen: HTMLButtonElement | undefined): void {
    for (const word of this.#words) {
      const isOpen = word === chosen;
      word.setAttribute('aria-expanded', String(isOpen));
      const field = query(`#field-${word.dataset.word}`);
      field.hidden = !isOpen;
      if (isOpen) field.querySelector<HTMLElement>('input, select')?.focus();
    }
  }

  /** Writes the settings in the form as a sentence. */
  #say(): void {
    const others = fieldsWithoutControl(this.#base);
    const { protocol, nodes, scheme, dead, seed, attacks, faults } = this.scenario;
    const [attack] = attacks;
    const words: Readonly<Record<string, string>> = {
      nodes: count(nodes),
      protocol: protocols[protocol].title,
      network: networkWords(this.#network.value, this.#constant.value),
      dead: dead === 0 ? 'no' : `${Math.round(dead * 100)} %`,
      attack:
        attack === undefined
          ? 'no attackers'
          : `${Math.round(attack.share * 100)} % attackers (${attack.name.replaceAll('-', ' ')})`,
      scheme: scheme === 'bls' ? 'real signatures' : 'simulated signatures, which are only counted',
      seed: String(seed),
      other: others === '' ? 'default values for all other settings' : others,
    };
    for (const word of this.#words) {
      const text = words[word.dataset.word!]!;
      if (word.textContent !== text) word.textContent = text;
    }
    query('#word-faults').textContent =
      faults.length === 0
        ? 'no faults'
        : faults.length === 1
          ? `one fault: ${faults[0]!.kind}`
          : `${faults.length} faults`;
  }

  #submitUnlessLong(): void {
    this.#follow();
    if (!this.#isLong) this.#form.requestSubmit();
  }

  /** Updates the sentence, the notes and the controls that depend on other fields. */
  #follow(): void {
    const size = Number(this.#nodes.value);
    const tooMany = size > limits.blsNodes;
    query<HTMLOptionElement>('#scheme option[value="bls"]').disabled = tooMany;
    this.#scheme.value = tooMany ? 'counting' : this.#wantedScheme;
    this.#dead.disabled = size > limits.deadNodes;
    this.#dead.value = this.#dead.disabled ? '0' : this.#wantedDead;
    query('#constant-field').hidden = this.#network.value !== 'constant';
    const dead = Number(this.#dead.value);
    query('#dead-value').textContent = dead === 0 ? 'none' : `${dead} %, ${Math.floor((size * dead) / 100)}`;
    for (const option of this.#attack.options)
      option.disabled = option.value !== '' && !attackNamed(option.value)!.against.includes(this.#protocolNow);
    if (this.#attack.selectedOptions[0]?.disabled) this.#attack.value = '';
    this.#attack.disabled = this.#dead.disabled;
    if (this.#attack.disabled) this.#attack.value = '';
    const share = Number(this.#byzantine.value);
    this.#byzantine.hidden = this.#attack.value === '';
    query('#byzantine-value').textContent = this.#byzantine.hidden
      ? ''
      : `${share} %, ${Math.floor((size * share) / 100)}`;
    this.#say();
    query('#scheme-note').textContent = this.#notes(size).join(' ');
  }

  /** Returns notes about the limits and the duration of a run with the settings in the form. */
  #notes(size: number): readonly string[] {
    const notes: string[] = [];
    if (size > limits.blsNodes)
      notes.push(
        `Real signatures are available only for up to ${count(limits.blsNodes)} nodes; with more, verification would take minutes. With counted signatures, the run has the same events.`,
      );
    const drawn = maxNodesWithMessages(this.#protocolNow);
    if (size > drawn) notes.push(`Messages are drawn only for up to ${count(drawn)} nodes.`);
    if (this.#dead.disabled)
      notes.push(
        `With more than ${count(limits.deadNodes)} nodes, all nodes must be live and honest. Otherwise, their sets of signers would exceed the memory of a browser tab.`,
      );
    if (isToEveryone(this.#protocolNow) && this.#isLong)
      notes.push(
        `Each node sends its contribution to all nodes, so the limit is ${count(limits.nodesToEveryone)} nodes. A run of that size takes almost a minute.`,
      );
    else if (this.#isLong)
      notes.push(
        `A run with ${count(size)} nodes takes about ${effort(size)}${this.#dead.disabled ? '' : ', and several times longer with dead nodes'}.`,
      );
    if (this.#shown !== undefined && !sameRun(this.#shown, this.scenario))
      notes.push('The page still shows the previous run. Press Run to use these settings.');
    return notes;
  }

  get #protocolNow(): Scenario['protocol'] {
    return this.#protocol.value as Scenario['protocol'];
  }

  /** Whether the run takes so long that the user must submit the form to start it. */
  get #isLong(): boolean {
    return Number(this.#nodes.value) >= (isToEveryone(this.#protocolNow) ? longRunToEveryone : longRunNodes);
  }

  /** Sets an input to the nearest integer in a range. The default value replaces a text that is not a number. */
  #clamp(input: HTMLInputElement, range: { min: number; max: number }): void {
    const read = Math.round(input.value.trim() === '' ? Number.NaN : Number(input.value));
    const whole = Number.isFinite(read) ? read : Number(input.defaultValue || range.min);
    input.value = String(Math.min(range.max, Math.max(range.min, whole)));
  }
}

/**
 * Minimum number of nodes of a long run, which starts only when the user submits the form. `longRunToEveryone` applies
 * to protocols that send every contribution to all nodes.
 */
const longRunNodes = 16_384;
const longRunToEveryone = 1025;

/**
 * Describes the cost of a run without dead nodes in a browser, with some margin. 16,384 nodes take 4 s and 0.3 GB;
 * 131,072 nodes take 41 s and 1.3 GB.
 */
function effort(nodes: number): string {
  const doublings = Math.log2(nodes / longRunNodes);
  const seconds = Math.max(1, Math.round((4.5 * 2.2 ** doublings) / 5)) * 5;
  const gigabytes = Math.max(0.3, nodes / 100_000).toFixed(1);
  return `${seconds} seconds and ${gigabytes} GB of memory on a laptop`;
}

/**
 * Converts the percentage of a slider to a share; returns the previous exact share if the slider still shows that
 * share.
 */
function percentOr(percent: string, share: number | undefined): number {
  return share !== undefined && String(Math.round(share * 100)) === percent ? share : Number(percent) / 100;
}

/**
 * Sets the range of a control that shows a share in percent. A share from a link may exceed the usual range, and the
 * control then includes this share.
 */
function extendTo(
  control: HTMLInputElement,
  usual: { readonly min: number; readonly max: number },
  share: number,
): void {
  const percents = [usual.min, usual.max, share].map((one) => Math.round(one * 100));
  control.min = String(Math.min(...percents));
  control.max = String(Math.max(...percents));
}

/** Returns the scenario's fields without a control in the form, as flags. */
function fieldsWithoutControl(scenario: Scenario): string {
  return encodeScenario({ ...scenario, faults: [], attacks: scenario.attacks.slice(1) })
    .filter(([name]) => !['protocol', 'n', 'scheme', 'network', 'dead', 'seed'].includes(name))
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}

function networkWords(network: string, constantMs: string): string {
  if (network === 'aws') return 'AWS';
  if (network === 'cities') return '218 cities';
  if (network === 'distance') return 'the globe';
  return network === 'constant' ? `links of ${constantMs} ms` : network;
}
