/**
 * `npm run bench -- aggregator-hosts`: one message certified by 67 % of a committee on the hosts of a testbed, by one
 * aggregator and by Handel; writes records/aggregator.md. It needs what `tutti testbed` needs. `--max 64` leaves the larger
 * committee out, `--min 256` the smaller, and either only prints.
 */
import { createLatency, requireTools, TestbedNetwork } from '@tutti/testbed/network';
import { certifiedPage } from '../../../scripts/bench/committee/certified.mjs';
import { writeRecord } from '../../../scripts/bench/frame.mjs';

/** Of what the network draws. */
const seed = 1;

requireTools();
const { page, isWhole } = await certifiedPage({
  command: 'npm run bench -- aggregator-hosts',
  title: 'One aggregator beside Handel, on separate hosts',
  there:
    '16 hosts, each a network namespace with a process for its members, an equal share, and one for the aggregator; packets between them take as long as between the regions of AWS, with the jitter of the internet. What is killed is a process, by SIGKILL, where all of its members are to go',
  membersEach: (size) => size / 16,
  areHosts: true,
  open: openHosts,
});
writeRecord('aggregator', page, isWhole, 'extensions/testbed/records');

/** Hosts of a testbed, AWS's regions apart; the network loses the packets. */
async function openHosts(hosts, loss) {
  const network = await TestbedNetwork.open({
    hosts,
    latency: createLatency('aws', true, hosts, seed),
    rateMbit: Number.POSITIVE_INFINITY,
    faults: loss === 0 ? [] : [{ kind: 'loss', share: loss }],
    seed,
    onFailure: (error) => {
      throw error;
    },
  });
  network.goBeforeHosts();
  network.begin();
  return {
    address: (host) => network.addresses[host],
    inside: (host, command) => network.inside(host, command),
    isOurs: true,
    loss: 0,
    close: () => network.close(),
  };
}
