import { levelMessages } from '@tutti/core';
import { wireAttacks, wireSetting } from '@tutti/simulation/attacks';
import { handelProtocol, type RoundProtocol } from '@tutti/transports';
import { HostilePort } from '@tutti/transports/browser';
import type { SlotAttack } from '@tutti/transports/rooms';
import type { Bls } from '@tutti/wasm-bls';

/** Name of a Byzantine member in the room. */
export const byzantineLabel = 'Mallory';

const seed = 1;

/**
 * Protocol of a Byzantine member's page, instead of Handel: the simulator's attack with invalid contributions, by a
 * single node.
 */
export const invalidProtocol: RoundProtocol = {
  messages: levelMessages,
  createNode(place, port) {
    const { id, round, own, config } = place;
    const { scheme, priorities } = round;
    const attack = wireAttacks.find(({ name }) => name === 'invalid')!;
    const setting = wireSetting({
      protocol: 'handel',
      scheme,
      priorities,
      config,
      seed,
      purpose: `round ${round.number}`,
      members: [id],
      victims: Array.from(round.placement.keys()).filter((other) => other !== id),
      isByzantine: (other) => other === id,
      individual() {
        scheme.retain(own);
        return own;
      },
      honest: (_, inner) => handelProtocol.createNode(place, inner),
    });
    return attack.form(setting).join(id, new HostilePort(place, port, levelMessages));
  },
};

/** Returns a Byzantine member's part in a slot: each message of its validators has an invalid last signature. */
export function slotAttackOf(bls: Bls): SlotAttack {
  const secretKey = bls.keyGen(crypto.getRandomValues(new Uint8Array(32)));
  return () => ({
    falsify(bytes) {
      const wrong = bls.sign(secretKey, bytes);
      const copy = bytes.slice();
      copy.set(wrong, bytes.length - wrong.length);
      return copy;
    },
  });
}
