import { toHex } from '@tutti/core/input';
import { loadPixel, stolenKeyReport } from '@tutti/pixel';
import { servingKernel } from '@tutti/visualizer/worker/engines';
import { answerTasks } from '@tutti/visualizer/worker/task';
import { blockText, type KeyAnswer, type KeyRequest, type PeriodReport, type TheftReport } from './keyMessages.ts';
import { timeNodes } from './timeLayout.ts';

/**
 * Copies of the key, indexed by the number of the node. They exist only to simulate a thief. A real signer must not
 * store copies of its key.
 */
const copies = new Map<number, Uint8Array>();
let moving: ReturnType<typeof moveThroughPeriods> | undefined;

answerTasks<KeyRequest, KeyAnswer, PeriodReport>(async (request, progress) => {
  if (request.ask === 'steal') return stolenAt(request.number);
  moving = moveThroughPeriods(progress);
  await moving;
  return undefined;
});

/** Generates a key, updates it through the drawn periods, and reports each period. */
async function moveThroughPeriods(report: (report: PeriodReport) => void) {
  const pixel = await loadPixel({ engine: servingKernel() });
  const draw = () => crypto.getRandomValues(new Uint8Array(32));
  const { publicKey, secretKey } = pixel.keyGen(draw());
  let key = secretKey;
  for (const { number, period } of timeNodes) {
    if (number > 1) key = pixel.update(key, period, draw());
    copies.set(number, Uint8Array.from(key));
    const signature = pixel.sign(key, block(number));
    const holds = (time: number, message: Uint8Array) => pixel.verify(publicKey, time, message, signature);
    report({
      number,
      keyBytes: key.length,
      subkeyTimes: pixel.subkeyTimes(key),
      signature: toHex(signature),
      verified: {
        asSigned: holds(period, block(number)),
        atNextPeriod: holds(period + 1, block(number)),
        onOtherMessage: holds(period, block(number, 'other')),
      },
    });
  }
  return { pixel, publicKey };
}

const block = (...of: Parameters<typeof blockText>) => new TextEncoder().encode(blockText(...of));

/** Returns the capabilities of a thief that obtains the key at a node. */
async function stolenAt(number: number): Promise<TheftReport> {
  if (moving === undefined) throw new Error('expected a generated key to steal, got none yet');
  const { pixel, publicKey } = await moving;
  const earlier = timeNodes.slice(0, number - 1).toReversed();
  const periods = earlier.map(({ period }) => period);
  const report = stolenKeyReport(pixel, publicKey, copies.get(number)!, periods, () => block(number, 'other'));
  return {
    number,
    signsNow: report.signsAtOwnPeriod,
    earlier: report.earlier.map(({ attempts, forged }, at) => ({ number: earlier[at]!.number, attempts, forged })),
  };
}
