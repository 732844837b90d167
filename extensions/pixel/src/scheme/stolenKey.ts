import { requireBytes, requireList, requireMethods } from '@tutti/wasm-bls/kernel';
import { size } from './curve.ts';
import type { Pixel } from './pixel.ts';
import { secretKeyHeaderBytes } from './secretKey.ts';

/** Report on the capabilities of a thief that stole a secret key at a certain period. */
export interface StolenKeyReport {
  /** Period at which the key was stolen. */
  readonly period: number;
  /** Periods of the key's sub-keys. */
  readonly subkeyTimes: readonly number[];
  /** Whether the key signs at its own period, as it should. */
  readonly signsAtOwnPeriod: boolean;
  /** Result for each earlier period that was tried. */
  readonly earlier: readonly { readonly period: number; readonly forged: boolean; readonly attempts: number }[];
}

/** Offset of the period: in a secret key, within the first sub-key; in a signature, after the suite. */
const keyTimeAt = secretKeyHeaderBytes;
const signatureTimeAt = size.suite;

/**
 * Tries in four ways to sign for earlier periods with a stolen secret key. The function requests an update to an
 * earlier period, overwrites the key's period, uses each sub-key in place of the earlier period's sub-key, and
 * overwrites the period in signatures of the key's own period. The report shows that these attempts fail. Under its
 * assumption, Pixel's security proof shows that no other attempt can succeed.
 *
 * @param pixel the scheme in which the thief signs.
 * @param publicKey public key, 49 bytes.
 * @param stolen the secret key, which is not changed.
 * @param periods earlier periods to try.
 * @param message returns the message to sign at a period.
 * @throws RangeError for bytes that are not a secret key.
 */
export function stolenKeyReport(
  pixel: Pixel,
  publicKey: Uint8Array,
  stolen: Uint8Array,
  periods: readonly number[],
  message: (period: number) => Uint8Array,
): StolenKeyReport {
  requireMethods('pixel', pixel, ['timeOf', 'sign', 'subkeyTimes', 'verify', 'update']);
  requireBytes('publicKey', publicKey);
  requireBytes('stolen', stolen);
  requireList('periods', periods);
  const own = pixel.timeOf(stolen);
  const signed = pixel.sign(stolen, message(own));
  return {
    period: own,
    subkeyTimes: pixel.subkeyTimes(stolen),
    signsAtOwnPeriod: pixel.verify(publicKey, own, message(own), signed),
    earlier: periods.map((period) => {
      const forgeries = attempts(pixel, stolen, period, message(period));
      const forged = forgeries.some(
        (signature) => signature !== undefined && pixel.verify(publicKey, period, message(period), signature),
      );
      return { period, forged, attempts: forgeries.length };
    }),
  };
}

/** Returns the result of each attempt: a signature to verify, or undefined if the attempt was rejected. */
function attempts(pixel: Pixel, stolen: Uint8Array, period: number, message: Uint8Array): (Uint8Array | undefined)[] {
  const backwards = attempt(() => pixel.sign(pixel.update(Uint8Array.from(stolen), period, new Uint8Array()), message));
  const renamed = attempt(() => pixel.sign(withTime(stolen, keyTimeAt, period), message));
  const redated = withTime(pixel.sign(stolen, message), signatureTimeAt, period);
  // To use a sub-key, the function updates the key to the sub-key's period.
  const bySubkeys = pixel
    .subkeyTimes(stolen)
    .slice(1)
    .map((time) =>
      withTime(
        pixel.sign(pixel.update(Uint8Array.from(stolen), time, new Uint8Array()), message),
        signatureTimeAt,
        period,
      ),
    );
  return [backwards, renamed, redated, ...bySubkeys];
}

function attempt(make: () => Uint8Array): Uint8Array | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function withTime(bytes: Uint8Array, at: number, time: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  new DataView(changed.buffer).setUint32(at, time);
  return changed;
}
