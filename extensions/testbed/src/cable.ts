import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WorldError } from '@tutti/core/errors';
import type { NetworkNamespace } from './networkNamespace.ts';
import { mortal, runTool, toolFailed } from './tools.ts';

/** The buffer size requested for either side, bytes: a burst of all nodes of a host must fit. */
const bufferBytes = 4 * 1024 * 1024;

/** SOL_SOCKET and SO_RCVBUFFORCE: root may have a buffer over the system's limit. */
const forcedReceiveBuffer = `setsockopt=1:33:${bufferBytes}`;

/** Packets that wait in the device. */
const queuePackets = 10_000;

const loopback = '127.0.0.1';

/**
 * The cable of a host: what its namespace sends goes into a TUN device and comes out here, packet by packet, and the
 * other way round. Between the device and us, socat carries each packet in a datagram of its own over the machine's
 * loopback. The device is made outside and then moved into the namespace, where it is the only way out.
 */
export class Cable {
  readonly #socket: Socket;
  readonly #socat: ChildProcess;
  /** Of socat's side; 0 until it is known. */
  #farPort = 0;
  #closed = false;

  private constructor(socket: Socket, socat: ChildProcess) {
    this.#socket = socket;
    this.#socat = socat;
    // A packet that the system does not take is lost, as packets are.
    socket.on('error', () => {});
  }

  /**
   * @param network the address of the host with the length of the network's prefix, such as 198.18.0.1/15.
   * @throws WorldError `tool-failed`.
   */
  static async plug(namespace: NetworkNamespace, network: string): Promise<Cable> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: bufferBytes, sendBufferSize: bufferBytes });
    socket.bind(0, loopback);
    await once(socket, 'listening');
    // Unique in the machine for as long as the device is outside; 15 characters at most.
    const device = `tt${namespace.pid}`;
    const [program, ...args] = mortal([
      ...['socat', '-d', '-d', `TUN,tun-type=tun,tun-name=${device},iff-no-pi`],
      `UDP4:${loopback}:${socket.address().port},bind=${loopback},${forcedReceiveBuffer}`,
    ]);
    // Detached, so that the Ctrl-C of a terminal reaches us alone.
    const socat = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const cable = new Cable(socket, socat);
    try {
      cable.#farPort = await portOnceReady(socat);
      socket.connect(cable.#farPort, loopback);
      await once(socket, 'connect');
      await runTool(['ip', 'link', 'set', device, 'netns', String(namespace.pid), 'name', 'tun0']);
      await namespace.ip(
        [
          'link set lo up',
          'link set tun0 addrgenmode none',
          `link set tun0 txqueuelen ${queuePackets} up`,
          `addr add ${network} dev tun0\n`,
        ].join('\n'),
      );
    } catch (error) {
      await cable.close();
      throw error;
    }
    return cable;
  }

  /** Processor time that socat took so far is that of this process. */
  get pid(): number {
    return this.#socat.pid!;
  }

  /** The UDP ports on loopback that its packets pass. */
  get ports(): readonly number[] {
    return [this.#socket.address().port, this.#farPort];
  }

  /** Gives each packet that the host sends to `listener`. */
  onPacket(listener: (packet: Uint8Array) => void): void {
    this.#socket.on('message', listener);
  }

  /** Called when the cable breaks by itself. */
  onFailure(listener: (error: Error) => void): void {
    this.#socat.once('exit', (code, signal) => {
      if (!this.#closed)
        listener(new WorldError('process-died', `testbed: socat ended by ${signal ?? `code ${code}`}`));
    });
  }

  /** Gives the host a packet. */
  send(packet: Uint8Array): void {
    if (!this.#closed) this.#socket.send(packet, () => {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
    if (this.#socat.exitCode !== null || this.#socat.signalCode !== null) return;
    const exited = once(this.#socat, 'exit');
    this.#socat.kill('SIGKILL');
    await exited;
  }
}

/** Reads from what socat says when it carries packets, and from which port. */
async function portOnceReady(socat: ChildProcess): Promise<number> {
  let port = Number.NaN;
  let complaint = '';
  const lines = createInterface({ input: socat.stderr! });
  for await (const line of lines) {
    const [, kind = '', text = ''] = /\bsocat\[\d+\] ([A-Z]) (.*)/.exec(line) ?? [];
    if (kind === 'E') complaint = text;
    port = Number(/^successfully connected from local address AF=2 [\d.]+:(\d+)$/.exec(text)?.[1] ?? port);
    if (text.startsWith('starting data transfer loop') && port > 0) {
      lines.close();
      socat.stderr!.resume();
      return port;
    }
  }
  throw toolFailed('socat', complaint);
}
