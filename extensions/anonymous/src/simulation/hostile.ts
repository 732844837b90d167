import { RandomStream } from '@tutti/core';
import { type PlainRegistration, type SetupConfig, SetupMessage } from '../setup.ts';

/** Message that a hostile member sends to some of the other members at one time. */
type HostileAct = { readonly atMs: number; readonly to: readonly number[] } & (
  | {
      readonly level: typeof SetupMessage.register | typeof SetupMessage.relay;
      readonly registration: PlainRegistration;
    }
  | { readonly level: typeof SetupMessage.list; readonly names: readonly string[] }
);

/** Acts of one hostile member. */
export interface Hostility {
  /** Time from which the hostile member receives, sends lists and relays, ms; undefined if it never does. */
  readonly speaksMs: number | undefined;
  readonly acts: readonly HostileAct[];
}

/** Maximum number of different contents per hostile member. */
const maxContents = 3;
/** Exclusive upper bound of the number of repeats per content. */
const repeatsBound = 50;
/**
 * Exclusive upper bounds, per hostile member, of the number of invalid registrations and of the number of false lists.
 */
const othersBound = 3;
/** Time after which a registration has arrived at all receivers, ms. */
const arrivalMs = 2500;

/**
 * Draws the acts of a set-up's hostile members at random. Hostile members repeat a registration, send several
 * registrations to some members each, send no registration at all, send invalid registrations under their names or by
 * the anonymous route, or send false lists.
 *
 * Assumption: each member's registration reaches its receivers before the receivers can end. Members end early only
 * when all members have sent the same list. If all hostile members send lists, they therefore do so after their
 * registrations have arrived. If one hostile member is silent, all members end at the time limit, and registrations are
 * sent at any time while they are collected.
 *
 * @param ids ids of the hostile members.
 * @param members total number of members.
 */
export function hostilities(ids: readonly number[], members: number, config: SetupConfig, seed: number): Hostility[] {
  const random = new RandomStream(seed, 'hostile members');
  const chance = (share: number) => random.nextUnit() < share;
  const silent = ids.map(() => chance(0.4));
  const isPatient = silent.includes(true);
  const someOf = (id: number): number[] => {
    const share = random.nextUnit();
    return Array.from({ length: members }, (_, to) => to).filter((to) => to !== id && chance(share));
  };
  const anyTimeMs = () => random.nextUnit() * config.collectMs;
  const route = () => (chance(0.5) ? SetupMessage.register : SetupMessage.relay);
  return ids.map((id, place) => {
    const acts: HostileAct[] = [];
    const leavesMs = Math.min(1000, config.collectMs) * random.nextUnit();
    const contents = random.nextBelow(maxContents + 1);
    for (let i = 0; i < contents; i++) {
      const text = id + i * members;
      const repeats = chance(0.5) ? 0 : random.nextBelow(repeatsBound);
      for (let copy = 0; copy <= repeats; copy++)
        acts.push({
          atMs: isPatient ? anyTimeMs() : leavesMs,
          to: someOf(id),
          level: route(),
          registration: { author: id, text, copy },
        });
    }
    for (let i = random.nextBelow(othersBound); i > 0; i--)
      acts.push({
        atMs: anyTimeMs(),
        to: someOf(id),
        level: route(),
        registration: { author: random.nextBelow(members), text: -1 - acts.length, valid: false },
      });
    for (let i = random.nextBelow(othersBound); i > 0; i--)
      acts.push({
        atMs: anyTimeMs(),
        to: someOf(id),
        level: SetupMessage.list,
        names: Array.from({ length: random.nextBelow(3 * members) }, (_, at) => `no registration ${at}`),
      });
    return { speaksMs: silent[place] ? undefined : isPatient ? 0 : leavesMs + arrivalMs, acts };
  });
}
