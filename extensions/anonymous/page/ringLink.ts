import { type Flaw, flaws, ringMembers } from './ringMessages.ts';

/** What the page shows, as a link holds it. Members are counted from 0 here, and from 1 in a link. */
export interface RingState {
  readonly signer: number;
  readonly flaw: Flaw;
  readonly isRevealed: boolean;
  readonly cheat: number | undefined;
  readonly members: number;
  /** Per cent of the others who tell. */
  readonly known: number;
}

export const memberChoices: readonly number[] = [64, 256, 1024];

export const firstState: RingState = {
  ...{ signer: 4, flaw: 'none', isRevealed: false, cheat: undefined, members: 1024, known: 50 },
};

/** @param hash as in a location; what is missing or invalid has its initial value. */
export function readRingLink(hash: string): RingState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const integer = (name: string, least: number, most: number): number | undefined => {
    const text = fields.get(name) ?? '';
    const value = Number(text);
    return /^\d{1,4}$/.test(text) && value >= least && value <= most ? value : undefined;
  };
  const place = (name: string): number | undefined => {
    const member = integer(name, 1, ringMembers);
    return member === undefined ? undefined : member - 1;
  };
  const members = integer('members', 1, 1024);
  return {
    signer: place('signer') ?? firstState.signer,
    flaw: flaws.find((flaw) => flaw === fields.get('flaw')) ?? firstState.flaw,
    isRevealed: fields.has('reveal'),
    cheat: place('cheat'),
    members: memberChoices.find((choice) => choice === members) ?? firstState.members,
    known: integer('known', 0, 100) ?? firstState.known,
  };
}

/** The part of a link behind #; what is as at first stays out. */
export function writeRingLink({ signer, flaw, isRevealed, cheat, members, known }: RingState): string {
  return [
    ...(signer === firstState.signer ? [] : [`signer=${signer + 1}`]),
    ...(flaw === firstState.flaw ? [] : [`flaw=${flaw}`]),
    ...(isRevealed ? ['reveal'] : []),
    ...(cheat === undefined ? [] : [`cheat=${cheat + 1}`]),
    ...(members === firstState.members ? [] : [`members=${members}`]),
    ...(known === firstState.known ? [] : [`known=${known}`]),
  ].join('&');
}
