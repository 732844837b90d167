export interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly context: string;
  readonly nth: number;
}
export function placesOf(source: string): Place[];
export function mutate(source: string, place: Pick<Place, 'start' | 'end' | 'after'>): string;
export function placeKey(path: string, place: Pick<Place, 'context' | 'before' | 'after' | 'nth'>): string;
export function short(text: string): string;
export function sample<T>(
  folders: ReadonlyMap<string, readonly T[]>,
  count: number,
  seed: number,
  nameOf: (place: T) => string,
): Map<string, T[]>;
