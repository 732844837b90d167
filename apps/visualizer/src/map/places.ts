import { drawOnGlobe, type Recording } from '@tutti/simulation';
import known from './places.json' with { type: 'json' };

/** Place on the map, with the nodes at this place. */
export interface Place {
  /** Name of the place; empty for nodes without a named place. */
  readonly name: string;
  /** Position on the globe, degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Ids of the nodes at the place, ascending. */
  readonly nodes: readonly number[];
}

/** Returns whether the nodes of a network have places on the globe. */
export function hasPlaces(network: string): boolean {
  return /^(aws|aws-blocks|cities|cities-by-distance|distance)(:|$)/.test(network);
}

/** Returns the places of a run's nodes, or undefined if the network has no places or a file names an unknown place. */
export function placesOf({ scenario, world }: Pick<Recording, 'scenario' | 'world'>): readonly Place[] | undefined {
  if (!hasPlaces(scenario.network)) return undefined;
  const degrees = 180 / Math.PI;
  if (scenario.network === 'distance') {
    const places: Place[] = [];
    drawOnGlobe(world.nodes, scenario.seed, (id, height, longitude) => {
      const east = longitude * degrees;
      places.push({
        name: '',
        latitude: Math.asin(height) * degrees,
        longitude: east > 180 ? east - 360 : east,
        nodes: [id],
      });
    });
    return places;
  }
  const nodes: number[][] = world.regionNames.map(() => []);
  world.region.forEach((region, id) => {
    nodes[region]!.push(id);
  });
  const table = known as unknown as Readonly<Record<string, readonly [number, number]>>;
  const places: Place[] = [];
  for (const [region, here] of nodes.entries()) {
    if (here.length === 0) continue;
    const name = world.regionNames[region]!;
    const at = Object.hasOwn(table, name) ? table[name] : undefined;
    if (at === undefined) return undefined;
    places.push({ name, latitude: at[0], longitude: at[1], nodes: here });
  }
  return places;
}
