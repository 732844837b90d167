import { count } from '@tutti/visualizer/numberWords';

/** How long something takes, in everyday units. */
export function duration(seconds: number): string {
  if (seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** A probability as one in a number. */
export function chanceWords(chance: number): string {
  if (chance === 0) return 'no';
  if (chance >= 1) return 'surely';
  if (chance < 1e-9) return 'under 1 in 10⁹';
  const oneIn = 1 / chance;
  return `1 in ${count(oneIn < 10 ? Math.round(oneIn * 10) / 10 : Math.round(oneIn))}`;
}

/** The length of a bar that grows with the logarithm: 0 for the least, 1 for the most. */
export function logShare(value: number, least: number, most: number): number {
  return most <= least ? 1 : Math.log(value / least) / Math.log(most / least);
}
