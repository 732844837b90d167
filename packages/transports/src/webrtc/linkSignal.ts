import { parseObject } from '../signalling/messages.ts';

/**
 * A message that one end of a link sends before the link is open: the offer or the answer. The message is complete: it
 * contains all addresses, and the fingerprint of the certificate, which is used to check the link's encryption.
 */
export interface LinkSignal {
  readonly type: 'offer' | 'answer';
  /** Number chosen by the offering end to match an answer with its offer: an integer less than 2^32. */
  readonly attempt: number;
  /** Session description (RFC 8866). */
  readonly sdp: string;
}

/**
 * Maximum length of a session description, characters. The description for one data channel has 1 to 3 kB, or more with
 * many network interfaces.
 */
export const maxSdpCharacters = 8_000;

const tcpCandidate = /^a=candidate:\S+ \d+ tcp .*\r?\n/gim;

/**
 * Returns a session description without TCP addresses. TCP would deliver packets in order, which Handel does not need.
 * In addition, libwebrtc repeats these addresses for each connection of a process, until the description is too long.
 */
export function withoutTcp(sdp: string): string {
  return sdp.replaceAll(tcpCandidate, '');
}

export function encodeLinkSignal({ type, attempt, sdp }: LinkSignal): string {
  return JSON.stringify({ type, attempt, sdp });
}

/** Decodes a signal, or returns undefined for any other text. The function never throws. */
export function decodeLinkSignal(text: string): LinkSignal | undefined {
  const value = text.length > 2 * maxSdpCharacters ? undefined : parseObject(text);
  if (value === undefined) return undefined;
  const { type, attempt, sdp } = value;
  if (type !== 'offer' && type !== 'answer') return undefined;
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 0 || attempt >= 2 ** 32) return undefined;
  if (typeof sdp !== 'string' || sdp.length === 0 || sdp.length > maxSdpCharacters) return undefined;
  return { type, attempt, sdp };
}
