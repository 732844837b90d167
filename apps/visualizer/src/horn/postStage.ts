import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/ethereum';
import { originOfCommand } from '../files.ts';
import { count, seconds } from '../formatNumber.ts';
import type { FieldForm, OwnControl } from '../links/fields.ts';
import { query, say, showCommand, showNotices } from '../page.ts';
import { frames } from '../player/playback.ts';
import type { Exportable } from '../state/exportView.ts';
import { phases } from './clockView.ts';
import { ComparedSlots } from './comparedSlots.ts';
import type { FieldPlace } from './fieldLayout.ts';
import { contentOf, outcomeWords } from './postText.ts';
import { SlotRuns } from './runSlots.ts';
import { systemNames } from './slotChoice.ts';
import type { SlotIndex } from './slotIndex.ts';
import type { SlotPage, SlotStage } from './slotStage.ts';
import {
  choiceOf,
  firstSlotState,
  isSlotLink,
  type PostChoice,
  postFields,
  readSlotLink,
  sameSlot,
  slotCommand,
  slotLink,
  slotOf,
} from './slotState.ts';
import { VoteByVote } from './voteByVote.ts';

/**
 * Time at which the clock of the three systems pauses, µs. Today's system builds its next block at this time, and Horn
 * ten seconds later.
 */
const holdUs = 12_000_000;

/** Shows the three systems or the votes of one slot. A drawing must be visible when it measures the available space. */
function setView(view: 'three' | 'votes'): void {
  const { dataset } = document.documentElement;
  if (view === 'three') dataset.view = view;
  else delete dataset.view;
}

/** Returns the control of the system. The form has the name of a system, and a link has the name of its protocol. */
function systemControl(): OwnControl {
  const system = query<HTMLSelectElement>('#system');
  const field = postFields.table.system;
  return {
    read: () => field.write(system.value as HornSystem),
    show: (protocol) => {
      system.value = field.read(protocol!)!;
    },
  };
}

/** Stage for a slot under the assumptions of Horn's post: vote by vote, and with the three systems side by side. */
class PostStage implements SlotStage {
  readonly views = {
    'three-fields': 'three systems',
    field: 'all votes',
    'slot-clock': 'the slot’s clock',
    'slot-chart': 'the slot over time',
  };
  readonly #page: SlotPage;
  readonly #votes: VoteByVote;
  readonly #runs: SlotRuns;
  readonly #compared = new ComparedSlots();
  readonly #form: FieldForm<PostChoice>;
  /** Whether the page shows this stage. */
  #isOn = false;
  /** Slot that is shown vote by vote; undefined while the three systems are shown. */
  #index: SlotIndex | undefined;
  /** Position to show once the requested slot is loaded. */
  #goTo: { readonly place?: FieldPlace; readonly timeUs: number | undefined } | undefined;
  /** Requests a frame in which the table of the three systems is drawn. */
  readonly #wantTable = frames(() => {
    this.#drawTable();
    return false;
  });

  constructor(page: SlotPage) {
    this.#page = page;
    const { player } = page;
    this.#form = page.controls.form(postFields, {}, { protocol: systemControl() });
    this.#runs = new SlotRuns(page.controls, this.#wantTable);
    this.#votes = new VoteByVote({
      seek: (timeUs) => player.seek(timeUs),
      looked: () => {
        player.writeAddress();
        player.wantFrame();
      },
      now: () => player.timeUs,
    });
    query('#play-others').addEventListener('click', () => this.#runOthers());
    query('#play-here').addEventListener('click', () => {
      this.#start(firstSlotState.scenario);
      // The progress bar and the field are at the top of the page.
      scrollTo({ top: 0 });
    });
    void this.#compared.load().then(() => {
      if (this.#isOn) this.#showRecorded();
    });
  }

  open(hash: string): void {
    const showsThree = this.#isOn && this.#index === undefined && this.#runs.now === undefined;
    this.#begin();
    const { values, notices } = readSlotLink(hash);
    const { scenario, committee, subcommittee, timeUs } = values;
    if (isSlotLink(hash)) {
      showNotices(notices);
      this.#goTo = { place: { committee, subcommittee }, timeUs };
      this.#form.show(choiceOf(scenario));
      this.#start(scenario);
    } else if (!showsThree) {
      // The three systems stay as they are if a reader returns from an anchor within the page.
      this.#form.show(choiceOf(scenario));
      this.#openThree(timeUs);
    }
  }

  enter(timeUs: number | undefined): void {
    this.#begin();
    const scenario = this.#chosenSlot();
    if (sameSlot(firstSlotState.scenario, scenario) && !this.#runs.done.has(scenario.system)) this.#openThree(timeUs);
    else {
      this.#goTo = { timeUs };
      this.#start(scenario);
    }
  }

  leave(): void {
    this.#runs.end();
    this.#isOn = false;
    this.#index = undefined;
  }

  run(): void {
    this.#start(this.#chosenSlot());
  }

  stop(): void {
    if (!this.#runs.now) return;
    this.#runs.end();
    say('ready', this.#index ? 'Stopped. The page still shows the previous slot.' : 'Stopped.');
  }

  #begin(): void {
    this.#isOn = true;
    if (document.documentElement.dataset.view === 'network') setView('votes');
    this.#page.controls.offer(systemNames);
  }

  /** Returns the slot that the form describes. Rejected values in the form are replaced by accepted values. */
  #chosenSlot(): SlotScenario {
    return slotOf(this.#form.accept(postFields.first));
  }

  /** Shows the three systems without a simulation. @param timeUs moment to show; if undefined, `holdUs`. */
  #openThree(timeUs: number | undefined): void {
    this.#runs.end();
    this.#index = undefined;
    this.#goTo = { timeUs };
    setView('three');
    this.#showRecorded();
  }

  /**
   * Compares the three systems by means of the recorded slots. If the slots could not be loaded, says so, and simulates
   * the chosen slot unless the page already shows or simulates a slot.
   */
  #showRecorded(): void {
    this.#wantTable();
    const { failed } = this.#compared;
    if (failed === undefined) {
      this.#compare();
      return;
    }
    query('#three').hidden = false;
    query('#three-sub').textContent = failed;
    if (this.#index || this.#runs.now) return;
    setView('votes');
    this.#start(this.#chosenSlot());
  }

  /** Compares the three systems with the current slot if each of them was simulated or recorded. */
  #compare(): void {
    const about = this.#index?.result.scenario ?? this.#runs.now?.scenario ?? this.#compared.recorded;
    if (!this.#compared.compare(about, this.#runs.done)) return;
    query('#play-here').hidden = this.#index !== undefined;
    if (!this.#index) this.#showComparison();
    this.#page.player.wantFrame();
  }

  /** Shows the compared systems on the player's clock. */
  #showComparison(): void {
    setView('three');
    this.#compared.resize();
    const horn = this.#compared.horn!;
    const { player } = this.#page;
    query('#title').textContent = 'A million votes for one block.';
    document.title = 'Tutti: a million votes in one slot';
    player.show({ ...this.#compared.content(), holdUs });
    player.goTo(this.#goTo?.timeUs ?? holdUs);
    showCommand(query('#command'), slotCommand(horn.result.scenario));
    query('#digest').textContent = horn.result.digest;
    // The requested moment and the status belong to the slot that is being simulated.
    if (this.#runs.now) return;
    this.#goTo = undefined;
    const atWords = player.timeUs === holdUs ? ', when Ethereum’s current protocol proposes the next block' : '';
    say(
      'ready',
      `Paused at ${seconds(player.timeUs)}${atWords}. Press play to continue to Horn’s block at ${horn.result.slotEndMs / 1000} s.`,
    );
  }

  /** Simulates a slot, or shows the slot if it has already been simulated. */
  #start(scenario: SlotScenario): void {
    this.#runs.end();
    this.#runs.removeOthers(scenario);
    const done = this.#runs.done.get(scenario.system);
    if (done) {
      this.#show(done);
      return;
    }
    if (!this.#index && document.documentElement.dataset.view !== 'three') this.#votes.expect(scenario.parameters);
    this.#runs.run([scenario], (index) => this.#show(index));
  }

  /** Simulates the systems that the comparison still lacks. The page continues to show the same slot. */
  #runOthers(): void {
    if (!this.#index || this.#runs.now) return;
    const { scenario } = this.#index.result;
    const others = hornSystems.filter((system) => !this.#runs.done.has(system));
    this.#runs.run(
      others.map((system) => ({ ...scenario, system })),
      () => {
        this.#sayOutcome();
        this.#compare();
      },
    );
  }

  /**
   * Shows a simulated slot vote by vote. If the slot differs from the previous one only in its system, the moment stays
   * the same.
   */
  #show(index: SlotIndex): void {
    const { result, clock, blockReachUs } = index;
    const before = this.#index?.result.scenario ?? this.#compared.recorded;
    const isSame = before !== undefined && sameSlot(before, result.scenario);
    const { player } = this.#page;
    const beforeUs = player.timeUs;
    this.#index = index;
    setView('votes');
    this.#form.show(choiceOf(result.scenario));
    this.#page.dial.show({ phases: phases(index), endUs: clock.endUs, reachUs: blockReachUs });
    this.#votes.show(index);
    player.show(contentOf(index));
    showCommand(query('#command'), slotCommand(result.scenario));
    query('#digest').textContent = result.digest;
    this.#arrive(isSame ? beforeUs : undefined);
    this.#sayOutcome();
    this.#compare();
    this.#wantTable();
  }

  /**
   * Goes to the moment that the link names, or to `stayUs` if the link names none. If neither is defined, plays from
   * the beginning.
   */
  #arrive(stayUs: number | undefined): void {
    const timeUs = this.#goTo?.timeUs ?? stayUs;
    const place = this.#goTo?.place ?? this.#votes.place;
    this.#goTo = undefined;
    this.#page.player.begin(timeUs);
    this.#votes.look(place);
  }

  #sayOutcome(): void {
    say('ready', outcomeWords(this.#index!));
  }

  #drawTable(): void {
    this.#compared.drawTable(this.#index, this.#runs, (system, about) => {
      this.#start({ ...(about ?? this.#chosenSlot()), system });
    });
    const { now, done } = this.#runs;
    query<HTMLButtonElement>('#play-others').disabled =
      now !== undefined || done.size === hornSystems.length || done.size === 0;
  }

  draw(timeUs: number): void {
    this.#compared.draw(timeUs);
    if (this.#index) this.#votes.draw(timeUs);
  }

  resize(): void {
    this.#compared.resize();
    this.#votes.resize();
  }

  recolour(): void {
    this.#compared.recolour();
    this.#votes.recolour();
  }

  link(timeUs: number | undefined): string | undefined {
    if (this.#index) return slotLink({ scenario: this.#index.result.scenario, ...this.#votes.place, timeUs });
    // While a slot is being simulated, the address stays unchanged, because it may be the link to this slot.
    return this.#runs.now ? undefined : '';
  }

  exportable(timeUs: number): Exportable | undefined {
    const result = this.#index?.result ?? this.#compared.horn?.result;
    if (result === undefined) return undefined;
    const { parameters, system, seed } = result.scenario;
    const [shown, file] = this.#index === undefined ? ['three systems', 'slots'] : [systemNames[system], system];
    return {
      words: {
        title: `${count(parameters.validators)} validators, ${shown}, seed ${seed}, at ${seconds(timeUs)}`,
        origin: originOfCommand(slotCommand(result.scenario), { version: result.version, seed }),
        name: `tutti-${file}-${parameters.validators}-${seed}-${Math.round(timeUs / 1000)}ms`,
      },
      numbers: (view) => (view === 'three-fields' ? this.#compared.numbers : this.#votes.numbers(view, timeUs)),
    };
  }
}

export const postStage = (page: SlotPage): SlotStage => new PostStage(page);
