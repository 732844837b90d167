import { describe, it, onTestFinished } from 'vitest';
import { type TransportFactory, transportChecks } from '../src/compliance.ts';
import type { Transport } from '../src/transport/transport.ts';

export type { Stranger, TransportFactory } from '../src/compliance.ts';

/** Resolves at the first turn of the event loop in which `condition` holds, or at the test's end. */
export async function until(condition: () => boolean): Promise<void> {
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  while (!over && !condition()) await new Promise((turn) => setImmediate(turn));
}

/** Closes a resource when the running test ends. @returns the resource. */
export function closing<Resource extends { close(): unknown }>(resource: Resource): Resource {
  onTestFinished(async () => void (await resource.close()));
  return resource;
}

export function rethrow(error: Error): never {
  throw error;
}

/** Returns the transport with a listener whose return value for each packet is added to `answers`. */
export function listenedTo(transport: Transport, answers: unknown[]): Transport {
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    send: (to, bytes) => transport.send(to, bytes),
    close: () => transport.close(),
    onPacket: (listener) => transport.onPacket((bytes, from) => answers.push(listener(bytes, from))),
  };
}

/** Defines the tests that every transport must pass. */
export function describeTransport(name: string, factory: TransportFactory): void {
  describe(`${name} keeps the transport's contract`, () => {
    for (const { name: title, run } of transportChecks(factory)) it(title, run);
  });
}
