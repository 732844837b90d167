import type { Endpoint } from '@tutti/core';
import { concat } from '@tutti/core/input';
import { Channel, Counts, type CryptoSuite, MemberLink, type Refusal, type Transport } from '@tutti/transports';
import { maxCertificateBytes } from '../verification/certificate.ts';
import { announcementHeaderBytes, heightBytes } from './ask.ts';

/** Maximum length of a message to sign, bytes. */
export const maxStatementBytes = 65_536;

/** Options of an {@link Announcer}. */
interface AnnouncerOptions {
  readonly crypto: CryptoSuite;
  readonly session: Uint8Array;
  readonly index: number;
  readonly networkSecret: Uint8Array;
  readonly networkKeys: readonly Uint8Array[];
  readonly endpoints: readonly Endpoint[];
  /** Transport that carries only the packets of this session. */
  readonly transport: Transport;
  /** Called with each announcement from another member. */
  readonly onAnnounced: (from: number, kind: number, bytes: Uint8Array) => void;
}

/** Carries whole messages and certificates between members, over the authenticated channel. */
export class Announcer {
  readonly refused = new Counts<Refusal>();
  readonly #link: MemberLink;

  constructor(options: AnnouncerOptions) {
    const { crypto, session, index, networkSecret, networkKeys, endpoints, transport, onAnnounced } = options;
    this.#link = new MemberLink({
      endpoints,
      transport,
      channel: new Channel({
        crypto,
        session,
        self: index,
        secret: networkSecret,
        publicKeys: networkKeys,
        maxPacketBytes: transport.maxPacketBytes,
        // The session lasts as long as the registry, so it covers many restarts. A repeated announcement has no effect.
        forgetsIncarnations: true,
      }),
      // The longest message contains the kind, a height, and a request to sign or a certificate.
      maxMessageBytes:
        1 +
        heightBytes +
        Math.max(announcementHeaderBytes + maxStatementBytes, maxCertificateBytes(networkKeys.length)),
      counts: { bytesSent: 0, bytesReceived: 0 },
      refused: this.refused,
      // An empty message is treated as a message of kind 0, which no member sends.
      onMessage: (from, message) => onAnnounced(from, message[0] ?? 0, message.slice(1)),
    });
  }

  announce(to: number, kind: number, bytes: Uint8Array): void {
    this.#link.send(to, concat(Uint8Array.of(kind), bytes));
  }

  close(): void {
    void this.#link.close();
  }
}
