import { type MeasuredEngine, ofHash } from './figures.ts';
import measured from './ours.json' with { type: 'json' };

/** The machine and the day of {@link ours}. */
export const { machine, date } = measured;

/** What `npm run bench -- browsers` measured: shown beside the figures of the reader's browser. */
export const ours: readonly MeasuredEngine[] = measured.links.map((link) => ofHash(link)!);
