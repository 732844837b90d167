import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { EnvironmentError } from '@tutti/core/input';
import type { NetworkNamespace } from './networkNamespace.ts';
import { endingWithParent, hasEnded, runTool, toolFailed } from './tools.ts';

/** Requested size of the send and receive buffers, bytes; a burst from all nodes of a host must fit. */
const bufferBytes = 4 * 1024 * 1024;

/**
 * Option of socat that sets the socket option SO_RCVBUFFORCE (33) at the level SOL_SOCKET (1). With this option, root
 * exceeds the system's limit for receive buffers.
 */
const forcedReceiveBuffer = `setsockopt=1:33:${bufferBytes}`;

/** Maximum number of packets that may wait in the TUN device. */
const queuePackets = 10_000;

const loopback = '127.0.0.1';

/**
 * The virtual network link of a host: a TUN device in the host's namespace, and a socket of this process. Packets from
 * the namespace go into the device and are received here one by one, and vice versa. Between the device and the socket,
 * socat carries each packet in a datagram over the machine's loopback. The device is created outside the namespace and
 * then moved into the namespace, where it is the only route out.
 */
export class TunLink {
  readonly #socket: Socket;
  readonly #socat: ChildProcess;
  /** UDP port of socat; 0 until the port is known. */
  #socatPort = 0;
  #closed = false;

  private constructor(socket: Socket, socat: ChildProcess) {
    this.#socket = socket;
    this.#socat = socat;
    // A packet that the system rejects counts as lost.
    socket.on('error', () => {});
    // A program that cannot be started prints nothing, and `portOnceReady` then throws.
    socat.on('error', () => {});
  }

  /**
   * Creates a link.
   *
   * @param network address of the host, with the prefix length of the network, such as 198.18.0.1/15.
   * @throws EnvironmentError `tool-failed`.
   */
  static async open(namespace: NetworkNamespace, network: string): Promise<TunLink> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: bufferBytes, sendBufferSize: bufferBytes });
    socket.bind(0, loopback);
    await once(socket, 'listening').catch((cause: Error) => {
      socket.close();
      throw toolFailed('UDP socket', cause.message);
    });
    // The device's name is unique on the machine while the device is outside the namespace, and has at most 15
    // characters.
    const device = `tt${namespace.pid}`;
    const [program, ...args] = endingWithParent([
      ...['socat', '-d', '-d', `TUN,tun-type=tun,tun-name=${device},iff-no-pi`],
      `UDP4:${loopback}:${socket.address().port},bind=${loopback},${forcedReceiveBuffer}`,
    ]);
    // The process is detached, so that a terminal's Ctrl-C reaches only this process.
    const socat = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const link = new TunLink(socket, socat);
    try {
      link.#socatPort = await portOnceReady(socat);
      socket.connect(link.#socatPort, loopback);
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
      await link.close();
      throw error;
    }
    return link;
  }

  /** Id of the socat process, for measuring its CPU time. */
  get pid(): number {
    return this.#socat.pid!;
  }

  /** UDP ports on loopback that carry the link's packets. */
  get ports(): readonly number[] {
    return [this.#socket.address().port, this.#socatPort];
  }

  /** Sets the function to call with each packet from the host. */
  onPacket(listener: (packet: Uint8Array) => void): void {
    this.#socket.on('message', listener);
  }

  /** Sets the function to call when the link fails, or calls it immediately if the link has failed already. */
  onFailure(listener: (error: Error) => void): void {
    const report = () => {
      const { signalCode, exitCode } = this.#socat;
      if (!this.#closed)
        listener(new EnvironmentError('process-died', `testbed: socat ended by ${signalCode ?? `code ${exitCode}`}`));
    };
    if (hasEnded(this.#socat)) report();
    else this.#socat.once('exit', report);
  }

  /** Sends a packet to the host. */
  send(packet: Uint8Array): void {
    if (!this.#closed) this.#socket.send(packet, () => {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
    if (hasEnded(this.#socat)) return;
    const exited = once(this.#socat, 'exit');
    this.#socat.kill('SIGKILL');
    await exited;
  }
}

/** Waits until socat reports that it is ready to carry packets, and returns socat's port. */
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
