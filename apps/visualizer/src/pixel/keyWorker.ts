import { toHex } from '@tutti/transports/browser';
import { loadPixel, stolenKeyReport } from '@tutti/wasm-bls/pixel';
import { servingKernel } from '../servingKernel.ts';
import type { KeyAnswer, KeyRequest } from './keyMessages.ts';
import { timeNodes } from './timeLayout.ts';

/**
 * One real key, moved through the drawn periods, signing at each. The copies needed for telling the story backwards,
 * and for playing a thief, are exactly what a signer must not keep.
 */
const copies = new Map<number, Uint8Array>();
const life = live();
life.catch(fail);

async function live() {
  const pixel = await loadPixel({ kernel: servingKernel() });
  const draw = () => crypto.getRandomValues(new Uint8Array(32));
  const { publicKey, secretKey } = pixel.keyGen(draw());
  let key = secretKey;
  for (const { number, period } of timeNodes) {
    if (number > 1) key = pixel.update(key, period, draw());
    copies.set(number, Uint8Array.from(key));
    const signature = pixel.sign(key, block(number));
    const holds = (time: number, message: Uint8Array) => pixel.verify(publicKey, time, message, signature);
    answer({
      kind: 'period',
      report: {
        number,
        keyBytes: key.length,
        subkeyTimes: pixel.subkeyTimes(key),
        signature: toHex(signature),
        verified: {
          asSigned: holds(period, block(number)),
          atNextPeriod: holds(period + 1, block(number)),
          onOtherMessage: holds(period, block(number, 'other')),
        },
      },
    });
  }
  return { pixel, publicKey };
}

function block(number: number, history = 'true'): Uint8Array {
  return new TextEncoder().encode(`${history} block ${number}`);
}

self.onmessage = ({ data: { steal: number } }: MessageEvent<KeyRequest>) => {
  life
    .then(({ pixel, publicKey }) => {
      const earlier = timeNodes.slice(0, number - 1).toReversed();
      const periods = earlier.map(({ period }) => period);
      const report = stolenKeyReport(pixel, publicKey, copies.get(number)!, periods, () => block(number, 'other'));
      answer({
        kind: 'theft',
        report: {
          number,
          signsNow: report.signsAtOwnPeriod,
          earlier: report.earlier.map(({ attempts, forged }, at) => ({
            number: earlier[at]!.number,
            attempts,
            forged,
          })),
        },
      });
    })
    .catch(fail);
};

function fail(error: unknown): void {
  answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}

function answer(message: KeyAnswer): void {
  self.postMessage(message);
}
