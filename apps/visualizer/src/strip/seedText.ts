import { count } from '../formatNumber.ts';

/** Describes a strip of seeds. @param lastMs time of the last node by seed; undefined if some nodes never finish. */
export function seedWords(lastMs: readonly (number | undefined)[], ownMs: number | undefined): string {
  const done = lastMs.filter((one) => one !== undefined);
  const never = lastMs.length - done.length;
  const stuck = never === 0 ? '' : `, and in ${count(never)} some nodes never finish`;
  const ms = (value: number) => count(Math.round(value));
  const range =
    done.length === 0 ? '' : `: the last node takes ${ms(Math.min(...done))} to ${ms(Math.max(...done))} ms${stuck}`;
  const own = ownMs === undefined ? '' : ` This run, ringed, takes ${ms(ownMs)} ms.`;
  return `${count(lastMs.length)} seeds${range === '' ? stuck.replace(', and in', ': in') : range}.${own}`;
}
