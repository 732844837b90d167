import { RandomStream } from '@tutti/core';
import {
  type BitfieldCoding,
  bitfieldBytes,
  globalTopicLoad,
  type HornParameters,
  hornSizes,
  slotTimes,
} from '@tutti/core/horn';
import { codedBytes, entropyBytes, meanCodedBytes, paysFromPercent, sentBytes } from '../bitfields/changes.ts';
import { hostileBitfields } from '../bitfields/samples.ts';
import { atLeast, type HornGrid, type HornTable, rounded, row } from './row.ts';

/** Shares of the validators that vote, for which tables are computed, percent. */
export const participationPercents = [50, 66, 90, 95, 99, 100] as const;

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
    source: 'horn/parameters.ts, horn/bitfields/changes.ts',
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
