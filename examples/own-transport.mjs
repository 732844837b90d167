/** A group on a custom transport, which delivers packets as events in this process and drops every tenth packet. */

import { joinGroup } from '@tutti/certificates/groups';
import { networkKey, nobleCrypto } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';

const ends = new Map();
let packets = 0;

/** Opens a transport with the methods that `joinGroup` needs. docs/reference/transports.md has the requirements. */
function open(port) {
  const local = { host: 'here', port };
  const counters = { packetsSent: 0, bytesSent: 0, packetsReceived: 0, bytesReceived: 0 };
  let listener;
  ends.set(port, (packet, from) => listener?.(packet, from));
  return {
    local,
    counters,
    maxPacketBytes: 1200,
    onPacket: (heard) => {
      listener = heard;
    },
    send: (to, packet) => {
      if (++packets % 10 !== 0) setImmediate(() => ends.get(to.port)?.(packet.slice(), local));
    },
    close: async () => {
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
