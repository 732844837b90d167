import { requireText } from '@tutti/core/input';

/** Where a round's number goes in a text that says where. */
const roundPlace = '{round}';

/**
 * What is signed in a round: the text with the number in each `{round}`, or with a blank and the number behind it when
 * it has none. No two rounds of one text sign the same, so that a signature of one is not valid in another.
 *
 * @returns UTF-8.
 */
export function roundMessage(text: string, round: number): Uint8Array {
  requireText('text', text);
  const filled = text.includes(roundPlace) ? text.replaceAll(roundPlace, String(round)) : `${text} ${round}`;
  return new TextEncoder().encode(filled);
}
