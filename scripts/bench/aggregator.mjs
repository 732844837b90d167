/**
 * `npm run bench -- aggregator`: one message certified by 67 % of a committee on loopback, by one aggregator and by Handel;
 * writes docs/records/bench-aggregator.md. `--max 64` leaves the larger committee out, `--min 256` the smaller, and either
 * only prints.
 */
import { certifiedPage } from './committee/certified.mjs';
import { writeRecord } from './frame.mjs';

const each = 16;
const { page, isWhole } = await certifiedPage({
  command: 'npm run bench -- aggregator',
  title: 'Beside one aggregator',
  there: `${each} members a process, on UDP over loopback, and the aggregator a process of its own`,
  membersEach: () => each,
  areHosts: false,
  // One machine for all; members lose the packets themselves.
  open: async (_hosts, loss) => ({
    address: () => '127.0.0.1',
    inside: (_, command) => command,
    isOurs: false,
    loss,
    close: async () => {},
  }),
});
writeRecord('bench-aggregator', page, isWhole);
