import type { Endpoint } from '@tutti/core/registry';
import { isBoundToLife } from './channel.ts';

/** By registry: the addresses that several of its entries have. Registries are shared by the runtimes of a process. */
const shared = new WeakMap<readonly Endpoint[], ReadonlySet<string>>();

/**
 * Whether a packet that the channel opened proves that its sender is at `address`; see `PacketListener`. It does where
 * the registry has the sender, and nobody else, at that address, and the packet is no recording of what an earlier life
 * of this node was sent.
 *
 * Nobody proves that an address is theirs when they register it. If entries that share one were vouched for, a member
 * could register another's address and have the connection that leads there replaced by its own.
 *
 * @param endpoints where each registry entry listens; does not change. @param from the sender's registry index.
 */
export function vouchesFor(
  endpoints: readonly Endpoint[],
  from: number,
  packet: Uint8Array,
  { host, port }: Endpoint,
): boolean {
  const own = endpoints[from]!;
  if (!isBoundToLife(packet) || own.host !== host || own.port !== port) return false;
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

/** As transports with connections tell addresses apart. */
function placeOf({ host, port }: Endpoint): string {
  return `${host} ${port}`;
}
