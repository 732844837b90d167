import { globalTopicLoad, type HornParameters, hornSystems } from '@tutti/core/horn';
import { exactly, type HornTable, rounded, row } from './row.ts';

export function globalTopicTable(parameters: HornParameters): HornTable {
  const statusQuo = globalTopicLoad('status-quo', parameters, 2);
  const strawman = globalTopicLoad('strawman', parameters, 2);
  const [bare, withOne, withTwo] = ([0, 1, 2] as const).map((signatures) =>
    globalTopicLoad('horn', parameters, signatures),
  );
  const signatureBytes = withTwo!.bytes - bare!.bytes;
  const megabytes = rounded('2.1 MB', 2.1e6, 0.05e6);
  return {
    title: 'Messages and bytes of a slot on the global topic',
    section: 'A strawman proposal; Collectors',
    source: 'horn/parameters.ts',
    rows: [
      row('status quo: messages', '', statusQuo.messages, exactly('1024', 1024)),
      row('status quo: bitfields and two signatures each', 'B', statusQuo.bytes),
      row('strawman: messages', '', strawman.messages, exactly('32,768', 32_768)),
      row('strawman: two signatures of a message', 'B', 2 * parameters.signatureBytes, exactly('192 bytes', 192)),
      row(
        'strawman: these by the bitfield',
        'times',
        (2 * parameters.signatureBytes) / strawman.bitfieldBytes,
        exactly('3x', 3),
      ),
      row('strawman: bitfields and two signatures each', 'B', strawman.bytes, rounded('8 MB', 8e6, 0.5e6)),
      row('Horn: messages', '', bare!.messages, exactly('512', 512)),
      row('Horn: fewer messages than the strawman', 'times', strawman.messages / bare!.messages, exactly('64x', 64)),
      row(
        'Horn: larger bitfields than the strawman',
        'times',
        bare!.bitfieldBytes / strawman.bitfieldBytes,
        exactly('the same factor', 64),
      ),
      row('Horn: bitfields alone', 'B', bare!.bytes, megabytes),
      row('Horn: bitfields and one signature each', 'B', withOne!.bytes, megabytes),
      row(
        'Horn: bitfields and two signatures each',
        'B',
        withTwo!.bytes,
        megabytes,
        'The strawman is charged two signatures a message; with two, Horn rounds to 2.2 MB.',
      ),
      row(
        'Horn: share of two signatures in its bytes',
        '%',
        (100 * signatureBytes) / withTwo!.bytes,
        rounded('negligible', 0, 5),
        'Up to a twentieth counts as negligible.',
      ),
      row(
        'Horn: fewer bytes than the strawman, two signatures in both',
        'times',
        strawman.bytes / withTwo!.bytes,
        rounded('almost 4x', 3.75, 0.25),
      ),
    ],
    grids: [
      {
        title: 'A slot on the global topic',
        columns: ['system', 'messages', 'bitfield, B', 'no signature, B', 'one, B', 'two, B'],
        rows: hornSystems.map((system) => {
          const [none, one, two] = ([0, 1, 2] as const).map((count) => globalTopicLoad(system, parameters, count));
          return [system, none!.messages, none!.bitfieldBytes, none!.bytes, one!.bytes, two!.bytes];
        }),
      },
    ],
  };
}
