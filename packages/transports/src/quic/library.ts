import { createHmac, randomBytes, timingSafeEqual, webcrypto } from 'node:crypto';
import type Logger from '@matrixai/logger';
import type { QUICConnectionMap, QUICServerConfigInput, QUICSocket } from '@matrixai/quic';
import { plain } from '../plain.ts';
import { WorldError } from '../worldError.ts';

/** The QUIC library and what it wants to be given. */
export interface QuicLibrary {
  readonly quic: typeof import('@matrixai/quic');
  /** Says nothing. */
  readonly logger: Logger;
  /** A self-signed certificate, made anew: QUIC demands one, and the channel authenticates. */
  readonly credentials: Pick<QUICServerConfigInput, 'key' | 'cert'>;
}

let loading: Promise<QuicLibrary> | undefined;

/**
 * Loads the library, which is native code and optional: not every platform has it.
 *
 * @throws WorldError `quic-unavailable`.
 */
export function loadQuic(): Promise<QuicLibrary> {
  loading ??= load().catch((cause) => {
    loading = undefined;
    throw new WorldError(
      'quic-unavailable',
      'QUIC: expected the optional packages @matrixai/quic, @matrixai/logger and selfsigned, and a build for this platform; install them, or choose udp or tcp',
      { cause },
    );
  });
  return loading;
}

async function load(): Promise<QuicLibrary> {
  const [quic, { default: Logger, LogLevel }, { generate }] = await Promise.all([
    import('@matrixai/quic'),
    import('@matrixai/logger'),
    import('selfsigned'),
  ]);
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'tutti' }], {
    keyType: 'ec',
    curve: 'P-256',
  });
  return { quic, logger: new Logger('quic', LogLevel.SILENT, []), credentials: { key, cert } };
}

/**
 * A socket that lets no datagram of a stranger end the process. The library (2.0.9) rejects a promise that nobody holds
 * when, for one, a 0-RTT packet of an unknown connection comes in, and Node ends a process for that.
 *
 * @param onMalformed called for each datagram that is of no connection and opens none.
 */
export function guardedSocket({ quic, logger }: QuicLibrary, onMalformed: () => void): QUICSocket {
  const { QUICConnectionId, QUICSocket, native } = quic;
  const { Header, MAX_CONN_ID_LEN, Type } = native.quiche;

  class GuardedSocket extends QUICSocket {
    /** The library's, which its types leave out. */
    declare readonly connectionMap: QUICConnectionMap;

    constructor() {
      super({ logger });
      const handle = this.handleSocketMessage;
      this.handleSocketMessage = async (datagram, from) => {
        try {
          const { dcid, ty } = Header.fromSlice(datagram, MAX_CONN_ID_LEN);
          if (ty === Type.Initial || this.connectionMap.has(new QUICConnectionId(dcid))) await handle(datagram, from);
          else onMalformed();
        } catch {
          onMalformed();
        }
      };
    }
  }
  return new GuardedSocket();
}

/** The tokens with which a server lets a client show that it is where it says: authenticated under a key of the server's own. */
export function serverCrypto() {
  const key = plain(randomBytes(32)).slice().buffer as ArrayBuffer;
  const tag = (key: ArrayBuffer, data: ArrayBuffer) =>
    createHmac('sha256', new Uint8Array(key)).update(new Uint8Array(data)).digest();
  return {
    key,
    ops: {
      sign: async (key: ArrayBuffer, data: ArrayBuffer) => plain(tag(key, data)).slice().buffer as ArrayBuffer,
      verify: async (key: ArrayBuffer, data: ArrayBuffer, signature: ArrayBuffer) => {
        const expected = tag(key, data);
        return expected.length === signature.byteLength && timingSafeEqual(expected, new Uint8Array(signature));
      },
    },
  };
}

export function clientCrypto() {
  return {
    ops: {
      randomBytes: async (data: ArrayBuffer) => {
        webcrypto.getRandomValues(new Uint8Array(data));
      },
    },
  };
}
