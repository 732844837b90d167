/** The subset of simple-peer 9.11 that this package uses. */
declare module '#simple-peer' {
  export interface SessionDescription {
    readonly type: string;
    readonly sdp: string;
  }

  /** A Node stream of objects. Each write is one message on the data channel. */
  export default class SimplePeer {
    constructor(options: {
      readonly initiator: boolean;
      readonly trickle: boolean;
      readonly objectMode: boolean;
      readonly wrtc?: unknown;
      readonly config: { readonly iceServers: readonly { readonly urls: string | readonly string[] }[] };
      readonly channelConfig: { readonly ordered: boolean; readonly maxRetransmits?: number };
      readonly iceCompleteTimeout: number;
    });
    on(event: 'signal', listener: (description: SessionDescription) => void): void;
    on(event: 'data', listener: (message: unknown) => void): void;
    on(event: 'connect' | 'drain' | 'close' | 'error', listener: () => void): void;
    signal(description: SessionDescription): void;
    /** Writes a message. Returns false if the caller should wait for the event `drain` before the next write. */
    write(message: Uint8Array): boolean;
    destroy(): void;
  }
}
