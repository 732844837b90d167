import { WorldError } from '@tutti/core/input';

/**
 * Loads a WebRTC implementation for Node, which has none: @roamhq/wrtc, an optional dependency with a prebuilt library
 * for the common systems.
 *
 * @throws WorldError `webrtc-missing`.
 */
export async function loadNodeRtc(): Promise<unknown> {
  try {
    const { default: rtc } = await import('@roamhq/wrtc');
    return rtc;
  } catch (cause) {
    throw new WorldError(
      'webrtc-missing',
      'WebRTC: expected the package @roamhq/wrtc, which is optional, got none; run npm install @roamhq/wrtc, or join with a browser',
      { cause },
    );
  }
}
