import { type AttackSetting, type Coalition, type ProtocolName, wireAttacks, wireSetting } from '@tutti/simulation';
import type { NodePlace, Round, RoundProtocol } from '@tutti/transports';
import { HostilePort } from '@tutti/transports/raw';
import type { ByzantineGroup, ClusterCast } from './cast.ts';

/** Members of a Byzantine group in one round: their places by position, and their coalition. */
interface RoundMembers {
  readonly places: Map<number, NodePlace>;
  readonly coalition: Coalition;
}

/**
 * Returns the protocol of a Byzantine group: an attack of the simulator on real sockets. All members of the group must
 * be in this process, because they share state.
 *
 * @param name name of the attacked protocol. @param seed seed of the cluster.
 */
export function attackingProtocol(
  group: ByzantineGroup,
  cast: ClusterCast,
  protocol: RoundProtocol,
  name: ProtocolName,
  seed: number,
): RoundProtocol {
  const attack = wireAttacks.find((one) => one.name === group.attack)!;
  const formed = new WeakMap<Round, RoundMembers>();
  const membersOf = (place: NodePlace): RoundMembers => {
    const { round } = place;
    const known = formed.get(round);
    if (known !== undefined) return known;
    const places = new Map<number, NodePlace>();
    const members = { places, coalition: attack.form(settingOf(place, places)) };
    formed.set(round, members);
    return members;
  };
  const settingOf = ({ round, config }: NodePlace, places: ReadonlyMap<number, NodePlace>): AttackSetting => {
    const { scheme, priorities } = round;
    const positions = (first: number, end: number) => [...round.positions.subarray(first, end)].sort((a, b) => a - b);
    return wireSetting({
      protocol: name,
      scheme,
      priorities,
      config,
      seed,
      purpose: `attack ${attack.name}, round ${round.number}`,
      members: positions(group.first, group.end),
      victims: positions(0, cast.honest),
      isByzantine: (id) => {
        const index = round.placement[id]!;
        return cast.liars.some(({ first, end }) => index >= first && index < end);
      },
      individual(id) {
        const { own } = places.get(id)!;
        scheme.retain(own);
        return own;
      },
      honest: (id, port) => protocol.createNode(places.get(id)!, port),
    });
  };
  return {
    messages: protocol.messages,
    createNode(place, port) {
      const { places, coalition } = membersOf(place);
      // Other members of the group use the contribution until the end of the round.
      place.round.scheme.retain(place.own);
      places.set(place.id, place);
      return coalition.join(place.id, new HostilePort(place, port, protocol.messages));
    },
  };
}
