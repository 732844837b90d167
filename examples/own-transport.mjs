/** A group on a custom transport, which delivers packets as events in this process and drops every tenth packet. */

import { joinGroup } from '@tutti/certificates/groups';
import { networkKey, nobleCrypto } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';

const ends = new Map();
const maxPacketBytes = 1200;
let packets = 0;

/** Opens a transport with the members that `joinGroup` needs. docs/guides/custom-transport.md has the contract. */
function open(port) {
  const local = { host: 'here', port };
  let listener;
  let isClosed = false;
  ends.set(port, (packet, from) => listener?.(packet, from));
  return {
    local,
    maxPacketBytes,
    onPacket: (heard) => {
      listener = heard;
    },
    send: (to, packet) => {
      if (packet.length < 1 || packet.length > maxPacketBytes)
        throw new RangeError(`packet: expected 1 to ${maxPacketBytes} bytes, got ${packet.length}`);
      if (!isClosed && ++packets % 10 !== 0) setImmediate(() => ends.get(to.port)?.(packet.slice(), local));
    },
    close: async () => {
      isClosed = true;
      ends.delete(port);
    },
  };
}

const kernel = await loadBls();
const draw = () => crypto.getRandomValues(new Uint8Array(32));
const members = [1, 2, 3, 4, 5].map((port) => {
  const [secretKey, network, transport] = [kernel.keyGen(draw()), networkKey(nobleCrypto), open(port)];
  const entry = { publicKey: kernel.publicKey(secretKey), networkKey: network.publicKey, endpoint: transport.local };
  return { entry, key: { secretKey, networkSecret: network.secret }, transport };
});
const registry = { entries: members.map(({ entry }) => entry) };
const approve = () => true;
const groups = await Promise.all(
  members.map(({ key, transport }) => joinGroup({ registry, key, kernel, transport, approve })),
);
const certified = await Promise.all(
  groups.map((group, index) => group.certify(new TextEncoder().encode(`price ${index}`))),
);
console.log(
  `${certified.length} messages certified, each by at least ${Math.min(...certified.map(({ signers }) => signers))} of 5`,
);
await Promise.all(groups.map((group) => group.close()));
