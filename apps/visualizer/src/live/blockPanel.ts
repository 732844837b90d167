import { bitAt } from '@tutti/core/horn';
import { toHex } from '@tutti/core/input';
import { type RoomBlock, shownText } from '@tutti/transports/rooms';
import { html, nothing, render } from 'lit-html';
import { counted } from '../formatNumber.ts';
import { query } from '../page.ts';
import { verifySignature } from '../worker/runTasks.ts';
import { messageOf } from '../worker/task.ts';

/**
 * Panel with the block that this page would propose at the end of a slot, and the verdict of noble-curves on the
 * block's signatures.
 */
export class BlockPanel {
  readonly #verdict = query('#block-verdict');
  /** Number of times that the panel has been cleared, by which the panel ignores late verdicts on earlier blocks. */
  #clears = 0;

  clear(): void {
    this.#clears++;
    this.#say('pending', '');
    render(nothing, query('#collections'));
    query('#block-sub').textContent = 'The block appears at the end of the slot.';
  }

  /** Shows a block, and verifies each of its signatures. */
  async show(block: RoomBlock): Promise<void> {
    this.clear();
    const clears = this.#clears;
    const { message, publicKeys, block: of } = block;
    const { votes, collections } = of;
    const sets = collections.map(({ first, bits, signature }) => ({
      message,
      signature,
      publicKeys: publicKeys.filter((_, place) => place >= first && bitAt(bits, place - first) === 1),
    }));
    query('#block-sub').textContent =
      `This page’s block for “\u2068${shownText(new TextDecoder().decode(message))}\u2069” contains ${votes} of ${counted(publicKeys.length, 'vote')} in ${counted(sets.length, 'collection')}, each with a signature of 96 bytes and a bit field.`;
    const rows = sets.map(
      ({ signature, publicKeys: keys }, at) =>
        html`<p class="hex"><b>committee ${collections[at]!.committee}, ${counted(keys.length, 'vote')}</b> ${toHex(signature)}</p>`,
    );
    render(rows, query('#collections'));
    if (sets.length === 0) {
      this.#say('invalid', 'No vote arrived in time, so there is nothing to verify.');
      return;
    }
    this.#say('pending', 'This page is verifying the block with noble-curves …');
    try {
      const verdicts = [];
      for (const set of sets) verdicts.push(await verifySignature(set));
      if (clears !== this.#clears) return;
      const valid = verdicts.filter((verdict) => verdict.valid).length;
      if (valid === sets.length)
        this.#say(
          'valid',
          `Verified by noble-curves on this page: ${counted(votes, 'vote')}, ${counted(valid, 'signature')}.`,
        );
      else
        this.#say(
          'invalid',
          `Rejected by noble-curves on this page: ${sets.length - valid} of ${counted(sets.length, 'signature')}.`,
        );
    } catch (error) {
      if (clears === this.#clears) this.#say('invalid', `The block could not be verified: ${messageOf(error)}`);
    }
  }

  #say(verdict: 'pending' | 'valid' | 'invalid', words: string): void {
    this.#verdict.dataset.verdict = verdict;
    this.#verdict.textContent = words;
  }
}
