import type { Endpoint } from '@tutti/core/registry';
import type { Refusal, Transport } from '@tutti/transports';
import type { CryptoSuite } from '@tutti/transports/parts';
import { Channel, Counts, Reassembly, splitMessage, vouchesFor } from '@tutti/transports/parts';
import { announcementHeaderBytes, heightBytes } from './ask.ts';

/**
 * What members tell each other besides rounds: a message to sign, and the certificate of one. Both may have a height in
 * front, 8 bytes.
 */
export const AnnouncedKind = { message: 1, certificate: 2, messageOfHeight: 3, certificateOfHeight: 4 } as const;

/** The longest message that is signed, bytes. */
export const longestStatementBytes = 65_536;

interface AnnouncerOptions {
  readonly crypto: CryptoSuite;
  readonly session: Uint8Array;
  readonly index: number;
  readonly networkSecret: Uint8Array;
  readonly networkKeys: readonly Uint8Array[];
  readonly endpoints: readonly Endpoint[];
  /** Of the session alone. */
  readonly transport: Transport;
  /** Told of what a member said. */
  readonly onTold: (from: number, kind: number, bytes: Uint8Array) => void;
}

/** Carries messages and certificates between members, over the authenticated channel, whole. */
export class Announcer {
  readonly refused = new Counts<Refusal>();
  readonly #options: AnnouncerOptions;
  readonly #channel: Channel;
  readonly #reassembly: Reassembly;

  constructor(options: AnnouncerOptions) {
    const { crypto, session, index, networkSecret, networkKeys, transport } = options;
    this.#options = options;
    this.#channel = new Channel({
      crypto,
      session,
      self: index,
      secret: networkSecret,
      publicKeys: networkKeys,
      maxPacketBytes: transport.maxPacketBytes,
      // The session is that of the registry. What members tell each other does no harm when it comes twice.
      forgetsLives: true,
    });
    this.#reassembly = new Reassembly({
      // The kind, a height, and a request.
      maxMessageBytes: 1 + heightBytes + announcementHeaderBytes + longestStatementBytes,
      onRefused: (code) => this.refused.add(code),
    });
    transport.onPacket((bytes, from) => this.#onPacket(bytes, from));
  }

  tell(to: number, kind: number, bytes: Uint8Array): void {
    const { endpoints, transport } = this.#options;
    const message = new Uint8Array(bytes.length + 1);
    message[0] = kind;
    message.set(bytes, 1);
    for (const payload of splitMessage(message, this.#channel.maxPayloadBytes, this.#channel.nextNumber(to)))
      transport.send(endpoints[to]!, this.#channel.seal(to, payload));
  }

  close(): void {
    void this.#options.transport.close();
  }

  #onPacket(bytes: Uint8Array, address: Endpoint): boolean {
    const { endpoints, transport, onTold } = this.#options;
    const opened = this.#channel.open(bytes);
    if (!opened.ok) {
      this.refused.add(opened.code);
      if (opened.answer !== undefined) transport.send(endpoints[opened.answer.to]!, opened.answer.packet);
      return false;
    }
    const message = opened.payload.length > 0 ? this.#reassembly.take(opened.from, opened.payload) : undefined;
    if (message !== undefined && message.length > 0) onTold(opened.from, message[0]!, message.slice(1));
    return vouchesFor(endpoints, opened.from, bytes, address);
  }
}
