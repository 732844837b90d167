/**
 * What the two ends of a link tell each other before it is open: an offer and its answer, each whole, with all
 * addresses and the fingerprint of the certificate that the link's encryption will be checked against.
 */
export interface LinkSignal {
  readonly type: 'offer' | 'answer';
  /** Chosen by who offers, so that an answer finds its offer: an integer under 2^32. */
  readonly attempt: number;
  /** Session description (RFC 8866). */
  readonly sdp: string;
}

/** Session descriptions of one data channel are 1 to 3 kB; many network cards make them longer. */
export const maxSdpCharacters = 8_000;

const tcpCandidate = /^a=candidate:\S+ \d+ tcp .*\r?\n/gim;

/**
 * A description without the addresses at which its end would take TCP: they carry the packets one after another, which
 * is what Handel does without; and libwebrtc lists them anew for each connection of a process, until the description is
 * too long.
 */
export function withoutTcp(sdp: string): string {
  return sdp.replaceAll(tcpCandidate, '');
}

export function encodeLinkSignal({ type, attempt, sdp }: LinkSignal): string {
  return JSON.stringify({ type, attempt, sdp });
}

/** Reads a signal; undefined for anything else. Never throws. */
export function decodeLinkSignal(text: string): LinkSignal | undefined {
  if (text.length > 2 * maxSdpCharacters) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, attempt, sdp } = value as Record<string, unknown>;
  if (type !== 'offer' && type !== 'answer') return undefined;
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 0 || attempt >= 2 ** 32) return undefined;
  if (typeof sdp !== 'string' || sdp.length === 0 || sdp.length > maxSdpCharacters) return undefined;
  return { type, attempt, sdp };
}
