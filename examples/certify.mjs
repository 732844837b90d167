/** Four members with different weights sign a block over UDP, in one process; anyone can verify the certificate. */

import { verifyCertificate } from '@tutti/certificates';
import { joinGroup } from '@tutti/certificates/groups';
import { networkKey } from '@tutti/transports';
import { nodeCrypto, openUdp } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';

const kernel = await loadBls();
const draw = () => crypto.getRandomValues(new Uint8Array(32));
const members = await Promise.all(
  [40n, 30n, 20n, 10n].map(async (weight) => {
    const [secretKey, network] = [kernel.keyGen(draw()), networkKey(nodeCrypto, draw())];
    const transport = await openUdp({ host: '127.0.0.1' });
    const entry = {
      publicKey: kernel.publicKey(secretKey),
      networkKey: network.publicKey,
      endpoint: transport.local,
      weight,
    };
    return { entry, key: { secretKey, networkSecret: network.secret }, transport };
  }),
);
const registry = { entries: members.map(({ entry }) => entry) };
const bytes = new TextEncoder().encode('block 17');
const approve = (asked) => new TextDecoder().decode(asked).startsWith('block ');

const groups = await Promise.all(
  members.map(({ key, transport }) => joinGroup({ registry, key, kernel, transport, approve })),
);
const { certificate } = await groups[0].certify(bytes);
const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
console.log(`${certificate.length} bytes: at least 67 of 100 signed: ${verdict.ok && verdict.weight >= 67n}`);
await Promise.all(groups.map((group) => group.close()));
