import { RandomStream } from '@tutti/core';
import { HornTopic } from '@tutti/core/internal/horn';
import { createMesh } from '@tutti/core/protocols';
import type { SlotWorld } from './slotWorld.ts';

/**
 * Everybody's neighbours on every topic, `neighbours[place][topic]`: a random mesh of the members that are present,
 * since gossip drops those that do not answer from its meshes.
 */
export function meshTopics(world: SlotWorld, degree: number, seed: number): readonly (readonly Int32Array[])[] {
  const { present, voters, subcommittee, committee, collects } = world;
  const none = new Int32Array(0);
  const neighbours = Array.from(present, () => [none, none, none, none]);
  const random = new RandomStream(seed, 'meshes');
  const lay = (topic: HornTopic, start: number, end: number): void => {
    const members: number[] = [];
    for (let place = start; place < end; place++) if (present[place] === 1) members.push(place);
    if (members.length === 0) return;
    createMesh(members.length, degree, random.nextUint32()).forEach((of, member) => {
      neighbours[members[member]!]![topic] = of.map((other) => members[other]!);
    });
  };
  for (let start = 0; start < voters; start += subcommittee) lay(HornTopic.subnet, start, start + subcommittee);
  if (collects)
    for (let start = 0; start < voters; start += committee) lay(HornTopic.committee, start, start + committee);
  lay(HornTopic.global, 0, present.length);
  return neighbours;
}
