import { gzipSync } from 'node:zlib';
import { createSimulation, encodeRecording, type Scenario } from '@tutti/simulation';
import { writeWhole } from '../output/files.ts';
import { builtText } from './builtPage.ts';

/** Element of the built page that will contain the recording. */
const place = '<script type="text/plain" id="recording"></script>';
/**
 * Maximum number of nodes for which the run records messages and the page draws them on a ring. For more nodes, the
 * page draws a field of cells.
 */
const maxWithMessages = 1024;
/** Virtual time after which a run without an end is stopped, ms. */
const giveUpAfterMs = 60_000;

/** Initial view of the run on a page. */
interface SinglePageOptions {
  readonly node: number;
  /** Initial virtual time, µs. Undefined if the page plays the run from its start. */
  readonly atUs: number | undefined;
  readonly caption: string | undefined;
  /** Called regularly during the run; an exception stops the run. */
  readonly stopIfAsked: () => void;
}

/**
 * Simulates a run with counted signatures, and writes it as one HTML page without external resources.
 *
 * @param page the built page without a run.
 * @returns the length of the written page, bytes.
 * @throws EnvironmentError `page-not-built` or `cannot-write`; RangeError for a page without a place for the run.
 */
export async function writeSinglePage(
  path: string,
  scenario: Scenario,
  options: SinglePageOptions,
  page: string = builtText('templates/single.html'),
): Promise<number> {
  const sends = scenario.nodes <= maxWithMessages;
  const simulation = createSimulation(
    { ...scenario, scheme: 'counting' },
    { record: { sends, ...(!sends && { setsUpTo: 0 }) }, giveUpAfterMs },
  );
  while (simulation.advance(65_536)) {
    await new Promise(setImmediate);
    options.stopIfAsked();
  }
  const file = gzipSync(encodeRecording(simulation.recording())).toString('base64');
  const { node, atUs, caption } = options;
  return writeInto(
    page,
    path,
    { node: String(node), at: atUs === undefined ? undefined : String(atUs), caption },
    file,
  );
}

/**
 * Writes the slot of proofs in a link as one HTML page that shows the slot without other files.
 *
 * @param hash fragment of the link. @param page the built page without a link.
 * @returns the length of the written page, bytes.
 * @throws EnvironmentError `page-not-built` or `cannot-write`; RangeError for a page without a place for the slot.
 */
export function writeSlotPage(
  path: string,
  hash: string,
  caption: string | undefined,
  page: string = builtText('templates/singleSlot.html'),
): number {
  return writeInto(page, path, { link: hash, caption });
}

function writeInto(
  page: string,
  path: string,
  data: Readonly<Record<string, string | undefined>>,
  content = '',
): number {
  const attributes = Object.entries(data).flatMap(([name, text]) =>
    text === undefined ? [] : [` data-${name}="${escaped(text)}"`],
  );
  const [before, after] = page.split(place);
  if (after === undefined)
    throw new RangeError('page: expected a placeholder for the content, got none; build the pages again');
  const whole = Buffer.from(
    `${before}<script type="text/plain" id="recording"${attributes.join('')}>${content}</script>${after}`,
  );
  writeWhole(path, whole);
  return whole.length;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
