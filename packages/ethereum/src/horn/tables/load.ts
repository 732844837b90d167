import { RandomStream } from '@tutti/core';
import {
  type BitfieldCoding,
  bitfieldBytes,
  defaultHornParameters,
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
      row('strawman: two signatures of a message', 'B', twoSignatures, exactly('192 bytes', 192)),
      row('strawman: these by the bitfield', 'times', twoSignatures / strawman.bitfieldBytes, exactly('3x', 3)),
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
        'The strawman is charged two signatures a message; with two, Horn rounds to 2.2 MB.',
      ),
      row(
        'Horn: share of two signatures in its bytes',
        '%',
        (100 * (withTwo.bytes - bare.bytes)) / withTwo.bytes,
        rounded('negligible', 0, 5),
        'Up to a twentieth counts as negligible.',
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
          'A quarter or more counts as significant.',
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
    title: `Bytes of a random bitfield of ${bits} bits, and of a slot's ${collections} in the shorter of code and bitfield; seed ${seed}`,
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
    title: 'Bytes of bitfields made to compress badly',
    columns: ['bitfield', ...codings.map(({ name }) => name), 'the shortest, sent'],
    rows: [
      ...hostileBitfields.map(({ name, make }) => {
        const bitfield = make(bits, new RandomStream(seed, `hostile: ${name}`));
        const lengths = codings.map((coding) => codedBytes(coding, bitfield, bits));
        return [name, ...lengths, sentBytes(Math.min(...lengths), bits)];
      }),
      ['any, at most', ...codings.map((coding) => coding.worstBytes(bits)), sentBytes(bits, bits)],
    ],
  };
}

function worthwhile(codings: readonly BitfieldCoding[], bits: number): HornGrid {
  return {
    title: 'Participation from which a code of random bitfields is shorter than they are',
    columns: ['coding', 'voted, %'],
    rows: codings.map((coding) => [coding.name, paysFromPercent(coding, bits, seed) ?? 'never']),
  };
}

/** The post's measurements for its 512 collections with 2^15 keys each, on one core. */
const measured = [
  { machine: 'i9-11980HK', seconds: 2.8 },
  { machine: 'i7-8550U', seconds: 6.1 },
  { machine: 'Raspberry Pi 4', seconds: 36 },
] as const;
const [, laptop, raspberryPi] = measured;

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
  const measuredAdditions = maxAdditions(defaultHornParameters);
  const scale = additions / measuredAdditions;
  return [
    row('point additions of all collections, at most', '', additions),
    ...measured.map(({ machine, seconds }) =>
      row(
        `an addition, by the post's ${seconds} s on the ${machine}`,
        'ns',
        (1e9 * seconds) / measuredAdditions,
        undefined,
        "The post's seconds are measured; its benchmark added copies of one point, that is, it doubled.",
      ),
    ),
    ...measured.map(({ machine, seconds }) =>
      row(
        `one thread of the ${machine}`,
        's',
        seconds * scale,
        exactly(`${seconds} seconds`, seconds),
        'Measured by the post; with other sizes in proportion to the additions.',
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
      `${batched.toFixed(2)} multiplications an addition where a mixed addition takes ${mixedAdditionMultiplications}; a count, not a measurement.`,
    ),
    row(
      'speed gained by batched affine additions, in field multiplications',
      '%',
      100 * (mixedAdditionMultiplications / batched - 1),
      rounded('40 % (measured)', 40, 5),
      'The other reading of a 40 % speed up: 40 % more additions a second, which is 29 % less time. Multiplications alone promise more; a measurement has memory and the inversion in it.',
    ),
  ];
}

/** Returns the savings of subtracting the keys of validators that did not vote. */
function subtractionRows(committee: number): HornRow[] {
  const half = keySum(committee, 50);
  return [
    row(
      'largest sum, by the largest with subtraction',
      'times',
      committee / half.subtracting,
      atLeast('at least 2x', 2),
    ),
    row(
      'sum of half of the keys, by the same with subtraction',
      'times',
      half.naive / half.subtracting,
      atLeast('at least 2x', 2),
      'Only the worst case is halved: a bitfield with half of its bits set, or fewer, is summed as before.',
    ),
    ...[95, 99].map((percent) =>
      row(
        `largest sum, by that at ${percent} % with subtraction`,
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
    columns: ['voted, %', 'naive', 'subtracting', 'naive by subtracting', 'naive, 10^6', 'both savings, 10^6'],
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
    title: "Blocks, and a day's storage",
    section: 'Beacon block size increase',
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
