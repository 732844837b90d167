import { RandomStream } from '@tutti/core';
import { gossip, type Publication } from './gossip.ts';
import { relayStretch } from './relayStretch.ts';
import { remembered } from './remembered.ts';
import { drawTopic, type TopicSetting } from './topicSetting.ts';

const quantileBits = 11;
const quantiles = 1 << quantileBits;

/** The largest topic that is calibrated at its own size. */
const largest = 4096;
/** Messages are played until this many arrivals have been seen at each size. */
const enough = 130_000;
/** Messages over one mesh at least, and meshes at most. */
const messagesOfMesh = 4;
const mostMeshes = 64;

/**
 * When a gossiped message first reaches a random member of a topic, drawn from quantiles measured when messages were
 * played one at a time on meshes of its size. Beyond 4096 members each quantile is extrapolated from 256, 1024 and 4096
 * linearly in the logarithm of the size, since the number of hops grows that way. Messages that wait behind others on
 * their way arrive later in proportion: see {@link relayStretch}.
 */
export class ArrivalTable {
  readonly #quantilesUs: Int32Array;
  /** Copies of a message that a member receives on average. */
  readonly copies: number;
  /** The part of an arrival that its first hop takes, about: hops grow with log n, and each takes as long. */
  readonly firstHopUs: number;
  /** By what factor messages arrive later than each alone would. */
  readonly stretch: number;

  constructor(setting: TopicSetting) {
    const { members } = setting;
    const sizes = members <= largest ? [members] : [256, 1024, 4096];
    const seen = sizes.map((size) => observed(setting, size));
    const steps = members <= largest ? 0 : Math.log2(members) - 10;
    this.stretch = stretchOf(setting);
    this.#quantilesUs = Int32Array.from({ length: quantiles }, (_, index) => {
      const at = seen.map(({ quantilesUs }) => quantilesUs[index]!);
      const mean = at.reduce((sum, us) => sum + us, 0) / at.length;
      return Math.round(this.stretch * (mean + (steps * (at.at(-1)! - at[0]!)) / 4));
    });
    this.copies = seen.at(-1)!.copies;
    const hops = Math.max(1, Math.log2(members) / Math.log2(Math.max(2, setting.degree - 1)));
    this.firstHopUs = Math.round(this.#quantilesUs.reduce((sum, us) => sum + us, 0) / quantiles / hops);
  }

  /** Microseconds from publication, before the receiver's own verification. */
  drawUs(random: RandomStream): number {
    return this.#quantilesUs[random.nextUint32() >>> (32 - quantileBits)]!;
  }
}

/** Some kilobytes each. */
const keptResults = 64;

const stretchOf = remembered(relayStretch, (setting) => JSON.stringify(inOrder(setting)), keptResults);

/** Without what {@link observe} does not ask for, so that topics that differ in it alone share a result. */
const observed = remembered(
  observe,
  (setting, members) => JSON.stringify([members, ...inOrder({ ...setting, members: 0, burst: 0, spreadUs: 0 })]),
  keptResults,
);

function inOrder({ members, degree, network, tor, costUs, burst, spreadUs, seed }: TopicSetting) {
  return [members, degree, network, tor, costUs, burst, spreadUs, seed];
}

/** Plays messages of members spread over the regions, a few over each mesh, for one mesh is faster than another. */
function observe(setting: TopicSetting, members: number): { quantilesUs: Int32Array; copies: number } {
  if (members <= 1) return { quantilesUs: new Int32Array(quantiles), copies: 0 };
  const random = new RandomStream(setting.seed, `calibration: ${members} members, ${setting.costUs} µs`);
  const meshes = Math.min(mostMeshes, Math.ceil(enough / members / messagesOfMesh));
  const messages = meshes * Math.ceil(enough / members / meshes);
  const arrivedUs = new Int32Array(messages * (members - 1));
  let copies = 0;
  let count = 0;
  for (let drawn = 0; drawn < meshes; drawn++) {
    const { mesh, byRegion, oneWayUs } = drawTopic(setting, members, random);
    const published: Publication[] = [];
    for (let message = drawn; message < messages; message += meshes) {
      const source = byRegion[Math.floor(((message + random.nextUnit()) * members) / messages)]!;
      published.push({ source, atUs: 0 });
    }
    copies += gossip(mesh, published, oneWayUs, setting.costUs, false, (arrived) => {
      arrivedUs[count++] = arrived;
    });
  }
  arrivedUs.subarray(0, count).sort();
  return {
    quantilesUs: Int32Array.from(
      { length: quantiles },
      (_, index) => arrivedUs[Math.floor(((index + 0.5) * count) / quantiles)]!,
    ),
    copies: copies / count,
  };
}
