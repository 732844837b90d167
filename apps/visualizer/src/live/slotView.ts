import { Duty, hornSizes } from '@tutti/core/horn';
import type { RoomSlot } from '@tutti/transports/rooms';
import { counted } from '../formatNumber.ts';
import { ClockView, type Phase, phaseAt, phasesUntil } from '../horn/clockView.ts';
import { type FieldSlot, type VoteTimes, votesOfPlaces } from '../horn/fieldSlot.ts';
import { FieldView } from '../horn/fieldView.ts';
import { query } from '../page.ts';
import { Tip } from '../views/drawing.ts';

/** Draws a slot of a live room like a simulated slot: every vote in the field, and the clock of the slot. */
export class SlotView {
  readonly #field: FieldView;
  readonly #clock = new ClockView(query('#slot-clock'));
  #slot: RoomSlot | undefined;
  /** The slot in the form that the field draws. */
  #drawn: FieldSlot | undefined;
  #timeUs = 0;
  /** Time at which the member had received enough votes in collections, µs; undefined before this time. */
  #reachUs: number | undefined;

  /**
   * Adds the drawings to the page. @param nameAt returns the name of the member whose validator is at a given place.
   */
  constructor(nameAt: (place: number) => string) {
    this.#field = new FieldView(query('#field'), (place) => {
      this.#field.choice = place;
      this.draw(this.#timeUs);
    });
    new Tip().follow(query('#field'), (x, y) => {
      const [at, drawn] = [this.#field.placeUnder(x, y), this.#drawn];
      if (at === undefined || drawn === undefined) return undefined;
      const { committee, subcommittee } = drawn;
      const from = at.committee * committee + at.subcommittee * subcommittee;
      const votes = votesOfPlaces(drawn, from, from + subcommittee, this.#timeUs)!;
      const names = new Set(Array.from({ length: subcommittee }, (_, vote) => nameAt(from + vote)));
      return `committee ${at.committee}, subcommittee ${at.subcommittee}: ${votes.reach} of ${subcommittee} votes in a collection; validators run by ${[...names].join(', ')}`;
    });
  }

  /** Name of the phase that is drawn; undefined at the end of the slot. */
  get phase(): string | undefined {
    return this.#slot && phaseAt(phasesOf(this.#slot), this.#timeUs)?.name;
  }

  show(slot: RoomSlot): void {
    this.#slot = slot;
    this.#drawn = fieldOf(slot);
    this.#field.show(this.#drawn);
    this.#reachUs = undefined;
    this.#showClock(slot);
    query('#slot-sub').textContent = dutyWords(slot);
  }

  /**
   * Draws a moment. @param reachedMs time at which the member had received enough votes in collections, ms; null or
   * undefined before this time.
   */
  draw(timeUs: number, reachedMs?: number | null): void {
    if (this.#drawn === undefined) return;
    this.#timeUs = timeUs;
    if (reachedMs != null && this.#reachUs === undefined) {
      this.#reachUs = reachedMs * 1000;
      this.#showClock(this.#slot!);
    }
    this.#field.draw(timeUs);
    this.#clock.draw(timeUs);
  }

  #showClock(slot: RoomSlot): void {
    this.#clock.show({ phases: phasesOf(slot), endUs: slot.clock.endUs, reachUs: this.#reachUs });
  }

  resize(): void {
    this.#field.resize();
    this.draw(this.#timeUs);
  }

  recolour(): void {
    this.#field.recolour();
    this.draw(this.#timeUs);
  }
}

/**
 * Converts a slot to the data of the field. The times are those that the member itself has measured, and change during
 * the slot.
 */
function fieldOf({ plan, clock, votes }: RoomSlot): FieldSlot {
  const { parameters } = plan;
  return {
    result: { scenario: { system: 'horn', parameters } },
    clock,
    votingCommittees: parameters.committees,
    ...hornSizes(parameters),
    times: votes,
    roles: new Uint8Array(parameters.validators),
    get sorted(): VoteTimes {
      const { castUs, seenUs, reachUs } = votes;
      return { castUs: castUs.toSorted(), seenUs: seenUs.toSorted(), reachUs: reachUs.toSorted() };
    },
  };
}

/** Describes the sizes in a slot, and the duties of the page's validators. */
function dutyWords({ plan, places }: RoomSlot): string {
  const { validators, committees, subcommittees } = plan.parameters;
  const elected = (duty: number) => places.filter((place) => (plan.duties[place]! & duty) !== 0).length;
  const groups = [
    committees === 1 ? 'one committee' : `${committees} committees`,
    `${subcommittees} subcommittees${committees === 1 ? '' : ' each'}`,
  ];
  const duties = `${counted(elected(Duty.aggregator), 'aggregator')} and ${counted(elected(Duty.collector), 'collector')}`;
  return `Each square shows the state of one vote, as far as this page knows it. There are ${validators} validators in ${groups.join(' of ')}. This page has ${places.length} validators, including ${duties}.`;
}

/** Returns the phases of a slot in a live room. The pages connect to each other in the first phase. */
function phasesOf({ clock: { attestUs, aggregateUs, collectUs, endUs } }: RoomSlot): readonly Phase[] {
  return phasesUntil(endUs, [
    { fromUs: 0, name: 'links' },
    { fromUs: attestUs, name: 'votes' },
    { fromUs: aggregateUs, name: 'aggregates' },
    { fromUs: collectUs, name: 'collections' },
  ]);
}
