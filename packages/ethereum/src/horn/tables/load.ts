import { RandomStream } from '@tutti/core';
import {
  type BitfieldCoding,
  bitfieldBytes,
  globalTopicLoad,
  type HornParameters,
  hornPresets,
  hornSizes,
  hornSystems,
  slotTimes,
} from '@tutti/core/horn';
import {
  codedBytes,
  entropyBytes,
  hostileBitfields,
  meanCodedBytes,
  paysFromPercent,
  sentBytes,
} from '../bitfields.ts';
import {
  attestationBytes,
  batchedAdditionMultiplications,
  dayBytes,
  keySum,
  mixedAdditionMultiplications,
  postAdditions,
  postMeasurements,
  statusQuoAttestationBytes,
} from '../costs.ts';
import { atLeast, exactly, type HornGrid, type HornRow, type HornTable, rounded, row } from './row.ts';

export function globalTopicTable(parameters: HornParameters): HornTable {
  const statusQuo = globalTopicLoad('status-quo', parameters, 2);
  const strawman = globalTopicLoad('strawman', parameters, 2);
  const bare = globalTopicLoad('horn', parameters, 0);
  const withOne = globalTopicLoad('horn', parameters, 1);
  const withTwo = globalTopicLoad('horn', parameters, 2);
  const twoSignatures = 2 * parameters.signatureBytes;
  const megabytes = rounded('2.1 MB', 2.1e6, 0.05e6);
  return {
    title: 'Messages and bytes of a slot on the global topic',
    section: 'A strawman proposal; Collectors',
    rows: [
      row('status quo: messages', '', statusQuo.messages, exactly('1024', 1024)),
      row('status quo: bitfields and two signatures each', 'B', statusQuo.bytes),
      row('strawman: messages', '', strawman.messages, exactly('32,768', 32_768)),
      row('strawman: the two signatures of a message', 'B', twoSignatures, exactly('192 bytes', 192)),
      row(
        'strawman: two signatures relative to a bitfield',
        'times',
        twoSignatures / strawman.bitfieldBytes,
        exactly('3x', 3),
      ),
      row('strawman: bitfields and two signatures each', 'B', strawman.bytes, rounded('8 MB', 8e6, 0.5e6)),
      row('Horn: messages', '', bare.messages, exactly('512', 512)),
      row('Horn: fewer messages than the strawman', 'times', strawman.messages / bare.messages, exactly('64x', 64)),
      row(
        'Horn: larger bitfields than the strawman',
        'times',
        bare.bitfieldBytes / strawman.bitfieldBytes,
        exactly('the same factor', 64),
      ),
      row('Horn: bitfields alone', 'B', bare.bytes, megabytes),
      row('Horn: bitfields and one signature each', 'B', withOne.bytes, megabytes),
      row(
        'Horn: bitfields and two signatures each',
        'B',
        withTwo.bytes,
        megabytes,
        "The post counts two signatures per message for the strawman. With two signatures, Horn's bytes round to 2.2 MB.",
      ),
      row(
        'Horn: share of the two signatures in the bytes',
        '%',
        (100 * (withTwo.bytes - bare.bytes)) / withTwo.bytes,
        rounded('negligible', 0, 5),
        'A share of at most 5 % counts as negligible.',
      ),
      row(
        'Horn: fewer bytes than the strawman, two signatures in both',
        'times',
        strawman.bytes / withTwo.bytes,
        rounded('almost 4x', 3.75, 0.25),
      ),
    ],
    grids: [
      {
        title: 'A slot on the global topic',
        columns: ['system', 'messages', 'bitfield, B', 'no signature, B', 'one, B', 'two, B'],
        rows: hornSystems.map((system) => {
          const load = globalTopicLoad(system, parameters, 0);
          const withSignatures = ([1, 2] as const).map((count) => globalTopicLoad(system, parameters, count).bytes);
          return [system, load.messages, load.bitfieldBytes, load.bytes, ...withSignatures];
        }),
      },
    ],
  };
}

/** Shares of the validators that vote, for which tables are computed, percent. */
const participationPercents = [50, 66, 90, 95, 99, 100] as const;

/** Seed of all random draws in this file. */
const seed = 1;

/** Returns the table. @param codings codings to compare; the first is the post's. */
export function bandwidthTable(parameters: HornParameters, codings: readonly BitfieldCoding[]): HornTable {
  const { committee } = hornSizes(parameters);
  const statusQuo = globalTopicLoad('status-quo', parameters, 0);
  const bare = globalTopicLoad('horn', parameters, 0);
  const { hornSeconds } = slotTimes(parameters);
  const burst = rounded('200 KB/s', 200e3, 50e3);
  const savedPercent = (percent: number) =>
    100 * (1 - meanCodedBytes(codings[0]!, committee, percent, seed) / bare.bitfieldBytes);
  const significantly = atLeast('significantly', 25);
  return {
    title: 'Bandwidth of the global topic',
    section: 'Bandwidth overhead',
    rows: [
      row('Horn: bitfields alone', 'B', bare.bytes, rounded('2MB', 2e6, 0.5e6)),
      row('Horn: burst, bitfields alone', 'B/s', bare.bytes / parameters.collectionSeconds, burst),
      row(
        'Horn: burst, with two signatures each',
        'B/s',
        globalTopicLoad('horn', parameters, 2).bytes / parameters.collectionSeconds,
        burst,
      ),
      row(`Horn: sustained over a ${hornSeconds} s slot, bitfields alone`, 'B/s', bare.bytes / hornSeconds),
      row(
        `status quo: sustained over a ${parameters.slotSeconds} s slot, bitfields alone`,
        'B/s',
        statusQuo.bytes / parameters.slotSeconds,
      ),
      ...[95, 99].map((percent) =>
        row(
          `saved by ${codings[0]!.name} at ${percent} % participation`,
          '%',
          savedPercent(percent),
          significantly,
          'Savings of at least 25 % count as significant.',
        ),
      ),
    ],
    grids: [
      byParticipation(codings, committee, bare.messages),
      worthwhile(codings, committee),
      hostile(codings, committee),
    ],
  };
}

/** @param collections number of collections per slot. */
function byParticipation(codings: readonly BitfieldCoding[], bits: number, collections: number): HornGrid {
  return {
    title: `Bytes of a random bitfield of ${bits} bits, and of a slot's ${collections} in the shorter encoding (code or bitfield); seed ${seed}`,
    columns: [
      'voted, %',
      'entropy',
      'raw',
      ...codings.map(({ name }) => name),
      ...codings.map(({ name }) => `slot, ${name}`),
    ],
    rows: participationPercents.map((percent) => {
      const means = codings.map((coding) => meanCodedBytes(coding, bits, percent, seed));
      return [
        percent,
        entropyBytes(bits, Math.round((bits * percent) / 100)),
        bitfieldBytes(bits),
        ...means,
        ...means.map((bytes) => collections * sentBytes(bytes, bits)),
      ];
    }),
  };
}

function hostile(codings: readonly BitfieldCoding[], bits: number): HornGrid {
  return {
    title: 'Bytes of bitfields that are constructed to compress badly',
    columns: ['bitfield', ...codings.map(({ name }) => name), 'the shortest, sent'],
    rows: [
      ...hostileBitfields.map(({ name, make }) => {
        const bitfield = make(bits, new RandomStream(seed, `hostile: ${name}`));
        const lengths = codings.map((coding) => codedBytes(coding, bitfield, bits));
        return [name, ...lengths, sentBytes(Math.min(...lengths), bits)];
      }),
      ['any, at most', ...codings.map((coding) => coding.worstBytes(bits)), sentBytes(bitfieldBytes(bits), bits)],
    ],
  };
}

function worthwhile(codings: readonly BitfieldCoding[], bits: number): HornGrid {
  return {
    title: 'Minimum participation at which the code of a random bitfield is shorter than the bitfield',
    columns: ['coding', 'voted, %'],
    rows: codings.map((coding) => [coding.name, paysFromPercent(coding, bits, seed) ?? 'never']),
  };
}

const [, laptop, raspberryPi] = postMeasurements;

/** Returns the number of point additions for the keys of all collections in a slot, if all validators vote. */
function maxAdditions(parameters: HornParameters): number {
  return globalTopicLoad('horn', parameters, 0).messages * hornSizes(parameters).committee;
}

export function verificationTable(parameters: HornParameters): HornTable {
  const { committee } = hornSizes(parameters);
  return {
    title: 'Verifying a slot of collections',
    section: 'Verification time for collections',
    rows: [...timeRows(parameters), ...batchRows(committee), ...subtractionRows(committee)],
    grids: [additionsGrid(parameters)],
  };
}

/** Returns rows from the post's measurements: one addition, and all additions on one thread and on four threads. */
function timeRows(parameters: HornParameters): HornRow[] {
  const additions = maxAdditions(parameters);
  const scale = additions / postAdditions;
  return [
    row('point additions of all collections, at most', '', additions),
    ...postMeasurements.map(({ machine, seconds }) =>
      row(
        `time of one addition, from the post's ${seconds} s on the ${machine}`,
        'ns',
        (1e9 * seconds) / postAdditions,
        undefined,
        'The post measured these seconds with a benchmark that added copies of one point, which is doubling.',
      ),
    ),
    ...postMeasurements.map(({ machine, seconds }) =>
      row(
        `one thread of the ${machine}`,
        's',
        seconds * scale,
        exactly(`${seconds} seconds`, seconds),
        'The post measured this time. For other sizes, the table scales it with the number of additions.',
      ),
    ),
    row(`four threads of the ${raspberryPi.machine}`, 's', (raspberryPi.seconds * scale) / 4, exactly('9 seconds', 9)),
    row(`four threads of the ${laptop.machine}`, 's', (laptop.seconds * scale) / 4, rounded('1.5s', 1.5, 0.05)),
  ];
}

/** Returns the savings of a shared inversion. */
function batchRows(committee: number): HornRow[] {
  const batched = batchedAdditionMultiplications(committee);
  return [
    row(
      'time saved by batched affine additions, in field multiplications',
      '%',
      100 * (1 - batched / mixedAdditionMultiplications),
      rounded('40 % (measured)', 40, 5),
      `A batched addition takes ${batched.toFixed(2)} multiplications, and a mixed addition takes ${mixedAdditionMultiplications}. The saving is counted, not measured.`,
    ),
    row(
      'speed gained by batched affine additions, in field multiplications',
      '%',
      100 * (mixedAdditionMultiplications / batched - 1),
      rounded('40 % (measured)', 40, 5),
      'In another interpretation, a speed-up of 40 % means 40 % more additions per second, or 29 % less time. The number of multiplications overestimates the speed-up, because measurements also include memory access and the inversion.',
    ),
  ];
}

/** Returns the savings of subtracting the keys of validators that did not vote. */
function subtractionRows(committee: number): HornRow[] {
  const half = keySum(committee, 50);
  return [
    row(
      'additions of the largest sum, relative to subtraction',
      'times',
      committee / half.subtracting,
      atLeast('at least 2x', 2),
    ),
    row(
      'additions of the sum of half of the keys, relative to subtraction',
      'times',
      half.naive / half.subtracting,
      atLeast('at least 2x', 2),
      'Subtraction halves only the worst case. If at most half of the bits are set, it changes nothing.',
    ),
    ...[95, 99].map((percent) =>
      row(
        `additions of the largest sum, relative to subtraction at ${percent} %`,
        'times',
        committee / keySum(committee, percent).subtracting,
      ),
    ),
  ];
}

function additionsGrid(parameters: HornParameters): HornGrid {
  const { committee } = hornSizes(parameters);
  const { messages: collections } = globalTopicLoad('horn', parameters, 0);
  const batched = batchedAdditionMultiplications(committee);
  return {
    title: 'Additions for the key of one collection, and field multiplications for all collections, by participation',
    columns: ['voted, %', 'naive', 'subtracting', 'naive relative to subtracting', 'naive, 10^6', 'both savings, 10^6'],
    rows: participationPercents.map((percent) => {
      const { naive, subtracting } = keySum(committee, percent);
      return [
        percent,
        naive,
        subtracting,
        subtracting === 0 ? '-' : naive / subtracting,
        (collections * naive * mixedAdditionMultiplications) / 1e6,
        (collections * subtracting * batched) / 1e6,
      ];
    }),
  };
}

export function blockTable(parameters: HornParameters): HornTable {
  const { committee } = hornSizes(parameters);
  const { hornSeconds } = slotTimes(parameters);
  const electra = { ...parameters, ...hornPresets.electra };
  const today = electra.blockAttestations * statusQuoAttestationBytes(electra);
  const statusQuo = parameters.blockAttestations * statusQuoAttestationBytes(parameters);
  const horn = parameters.blockCollections * attestationBytes(committee, parameters);
  // The post's numbers for today's network date from before Electra.
  const then = parameters.attestationSubcommittees === 1 ? 'before Electra: ' : '';
  const day = atLeast('over 2 GB', 2e9);
  return {
    title: 'Blocks and storage per day',
    section: 'Beacon block size increase',
    rows: [
      row('today, since Electra: an attestation', 'B', statusQuoAttestationBytes(electra)),
      row('today, since Electra: attestations of a block', 'B', today),
      row('today, since Electra: storage per day', 'B', dayBytes(today, parameters.slotSeconds)),
      row(`${then}an attestation`, 'B', statusQuoAttestationBytes(parameters), exactly('288 bytes', 288)),
      row(`${then}attestations of a block`, 'B', statusQuo, rounded('37 KB', 37e3, 500)),
      row('Horn: a collection', 'B', attestationBytes(committee, parameters)),
      row(
        'Horn: collections per block and committee',
        '',
        parameters.blockCollections / parameters.committees,
        exactly('2x redundancy', 2),
      ),
      row('Horn: collections of a block', 'B', horn, rounded('276 KB', 276e3, 500)),
      row(`${then}storage per day`, 'B', dayBytes(statusQuo, parameters.slotSeconds)),
      row(
        `Horn: storage per day with ${parameters.slotSeconds} s slots`,
        'B',
        dayBytes(horn, parameters.slotSeconds),
        day,
        'The value is just under 2 GB. With about 1.3 kB of other data per block, it would exceed 2 GB.',
      ),
      row(
        `Horn: storage per day with the proposed ${hornSeconds} s slots`,
        'B',
        dayBytes(horn, hornSeconds),
        day,
        "The post uses today's number of slots per day, although its slots are longer.",
      ),
    ],
    grids: [],
  };
}
