import type { Endpoint } from '@tutti/core';
import { isBoundToIncarnation } from './channel.ts';

/** Addresses shared by several entries, for each registry. The runtimes of a process share registries. */
const shared = new WeakMap<readonly Endpoint[], ReadonlySet<string>>();

/**
 * Returns whether a packet that the channel opened proves that its sender is at `address`; see `PacketListener`. Two
 * conditions must hold: the registry lists the sender, and no other member, at that address, and the packet is not a
 * recording for an earlier incarnation of this node.
 *
 * Registration does not prove the ownership of an address. With shared addresses, a member could register another
 * member's address and replace its connection.
 *
 * @param endpoints address of each registry entry; constant. @param from the sender's registry index.
 */
export function vouchesFor(
  endpoints: readonly Endpoint[],
  from: number,
  packet: Uint8Array,
  { host, port }: Endpoint,
): boolean {
  const own = endpoints[from]!;
  if (!isBoundToIncarnation(packet) || own.host !== host || own.port !== port) return false;
  let places = shared.get(endpoints);
  if (places === undefined) {
    places = sharedPlaces(endpoints);
    shared.set(endpoints, places);
  }
  return !places.has(placeOf(own));
}

function sharedPlaces(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const places = new Set<string>();
  for (const endpoint of endpoints) {
    const place = placeOf(endpoint);
    if (seen.has(place)) places.add(place);
    seen.add(place);
  }
  return places;
}

/** Returns an address in the form in which connection-oriented transports compare addresses. */
function placeOf({ host, port }: Endpoint): string {
  return `${host} ${port}`;
}
