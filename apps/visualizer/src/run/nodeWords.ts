import { NodeRole, type RecordedWorld } from '@tutti/simulation';
import { heldAt } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { figure, ms } from '../words.ts';

/** Which node it is, where, and what it holds at a time. */
export function nodeWords({ recording: { world }, steps }: RunIndex, node: number, atUs: number): string {
  const where = regionOf(world, node);
  const place = where ? `node ${figure(node)}, ${where}` : `node ${figure(node)}`;
  const role = world.alive[node];
  if (role !== NodeRole.honest) return `${place}: ${role === NodeRole.byzantine ? 'Byzantine' : 'dead'}`;
  return `${place}: holds ${figure(heldAt(steps, node, atUs))} at ${ms(atUs)}`;
}

/** What a node is in its world: its machine, or what became of it. */
export function worldWords(world: RecordedWorld, id: number): string {
  if (world.alive[id] === NodeRole.byzantine) return 'Byzantine: it does what the attack says';
  if (world.alive[id] !== NodeRole.honest) return 'dead from the beginning';
  const where = regionOf(world, id);
  const factor = world.cpuFactor[id]!;
  const pace = factor > 1 ? `${factor.toFixed(1)} times slower` : `${(1 / factor).toFixed(1)} times faster`;
  return `${where ?? ''}${where ? ', a' : 'A'} machine ${pace} than the standard one`;
}

/** Where a node is, in a world that has more than one place. */
function regionOf({ region, regionNames }: RecordedWorld, node: number): string | undefined {
  return regionNames.length > 1 ? regionNames[region[node]!] : undefined;
}
