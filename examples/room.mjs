/**
 * A live room: members find each other, the leader proposes a message, and all sign it. In this example, three members
 * run in one process; in a page, each tab calls `join` once, and the other code stays the same. With `joinSignalling`
 * and `openWebRtc` in place of `joinTabs` and `openBroadcast`, the members of a room can run on different machines.
 */
import { joinTabs, nobleCrypto, openBroadcast } from '@tutti/transports';
import { LiveMember, makeIdentity } from '@tutti/transports/rooms';
import { loadBls } from '@tutti/wasm-bls';

const [room, size, bls] = ['an-example', 3, await loadBls()];

async function join(label, listeners) {
  const identity = makeIdentity(nobleCrypto, bls, { label, mayLead: true });
  const { name, card } = identity;
  const signalling = await joinTabs({ room, member: name, card });
  const openTransport = () => openBroadcast({ group: room, name });
  return new LiveMember({ room, identity, signalling, kernel: bls, openTransport, ...listeners });
}

let begun = false;
const members = [];
const results = ['Ada', 'Bell', 'Curie'].map(
  (label) =>
    new Promise((onResult, onFailure) => {
      // Once all members are visible, the leader requests a signature by all of them.
      const onChange = (member) => {
        if (begun || !member.isLeader || member.view().members.length < size) return;
        begun = true;
        member.propose({ message: 'We were here.', share: 1 });
        member.start();
      };
      members.push(join(label, { onChange, onResult, onFailure }));
    }),
);
const { message, weight, publicKeys, signature } = (await Promise.all(results))[0];
const valid = bls.fastAggregateVerify(publicKeys, message, signature);
console.log(`${weight} of ${size} signed "${new TextDecoder().decode(message)}": ${valid ? 'valid' : 'invalid'}`);
for (const member of await Promise.all(members)) await member.close();
