import { type HornParameters, hornPresets, hornSizes, slotTimes } from '@tutti/core/horn';
import { attestationBytes, blockBytes, dayBytes, statusQuoAttestationBytes } from '../costs.ts';
import { atLeast, exactly, type HornTable, rounded, row } from './row.ts';

export function blockTable(parameters: HornParameters): HornTable {
  const { committee } = hornSizes(parameters);
  const { hornSeconds } = slotTimes(parameters);
  const [statusQuo, horn] = [blockBytes('status-quo', parameters), blockBytes('horn', parameters)];
  const electra = { ...parameters, ...hornPresets.electra };
  const today = blockBytes('status-quo', electra);
  /** Prefix of the post's numbers for today, which are from before Electra; empty if other blocks are requested. */
  const then = parameters.attestationSubcommittees === 1 ? 'before Electra: ' : '';
  const day = atLeast('over 2 GB', 2e9);
  return {
    title: "Blocks, and a day's storage",
    section: 'Beacon block size increase',
    source: 'horn/costs.ts',
    rows: [
      row('today, since Electra: an attestation', 'B', statusQuoAttestationBytes(electra)),
      row('today, since Electra: attestations of a block', 'B', today),
      row('today, since Electra: a day', 'B', dayBytes(today, parameters.slotSeconds)),
      row(`${then}an attestation`, 'B', statusQuoAttestationBytes(parameters), exactly('288 bytes', 288)),
      row(`${then}attestations of a block`, 'B', statusQuo, rounded('37 KB', 37e3, 500)),
      row('Horn: a collection', 'B', attestationBytes(committee, parameters)),
      row(
        'Horn: collections of a block, a committee',
        '',
        parameters.blockCollections / parameters.committees,
        exactly('2x redundancy', 2),
      ),
      row('Horn: collections of a block', 'B', horn, rounded('276 KB', 276e3, 500)),
      row(`${then}a day`, 'B', dayBytes(statusQuo, parameters.slotSeconds)),
      row(
        `Horn: a day, ${parameters.slotSeconds} s slots`,
        'B',
        dayBytes(horn, parameters.slotSeconds),
        day,
        'Just under: it takes some 1.3 kB of anything else in each block to be over.',
      ),
      row(
        `Horn: a day, the proposed ${hornSeconds} s slots`,
        'B',
        dayBytes(horn, hornSeconds),
        day,
        'The post counts as many slots a day as there are today, though it makes them longer.',
      ),
    ],
    grids: [],
  };
}
