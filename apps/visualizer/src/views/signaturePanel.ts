import type { RecordedWorld } from '@tutti/simulation';
import { html, nothing, render } from 'lit-html';
import { count } from '../formatNumber.ts';
import { query } from '../page.ts';
import { type FinalOutput, type FinishedRun, verifySignature } from '../worker/runTasks.ts';
import { messageOf } from '../worker/task.ts';
import { roleClass } from './nodeMarks.ts';

/** Multi-signature that the panel shows. */
type ShownOutput = Omit<FinalOutput, 'node'>;

/** Possible signers, and the role of each. */
type Signatories = Pick<RecordedWorld, 'nodes' | 'role'>;

/** Panel that shows the run's multi-signature, its signers, and noble-curves' verdict on the multi-signature. */
export class SignaturePanel {
  readonly #hex = query('#signature');
  readonly #verdict = query('#signature-verdict');
  readonly #tamper = query<HTMLButtonElement>('#tamper');
  #output: ShownOutput | undefined;
  #tampered = false;
  /** Number of checks, by which a late answer about an older signature is recognised and ignored. */
  #asked = 0;

  constructor() {
    this.#tamper.addEventListener('click', () => {
      this.#tampered = !this.#tampered;
      this.#check();
    });
  }

  /** Shows that no run has finished yet. */
  clear(): void {
    this.#asked++;
    this.#output = undefined;
    render(nothing, this.#hex);
    this.#tamper.hidden = true;
    this.#say('pending', '');
    const signers = query('#signers');
    render(nothing, signers);
    signers.removeAttribute('role');
    signers.removeAttribute('aria-label');
    query('#signature-sub').textContent = 'The multi-signature appears when the run has finished.';
  }

  /** Shows the multi-signature of a run, or the reason for its absence. */
  show({ index: { recording }, output }: FinishedRun): void {
    const { world, scenario, result } = recording;
    if (output) {
      const signers = count(idsIn(output.signers).length);
      const words = `Output of node ${count(output.node)}: ${signers} of ${count(world.nodes)} signatures in 96 bytes; the threshold is ${count(world.threshold)}.`;
      this.showOutput(output, world, words);
      return;
    }
    this.clear();
    if (scenario.scheme === 'bls') {
      query('#signature-sub').textContent =
        result.reached > 0
          ? 'This run had a multi-signature, but recordings contain no signatures.'
          : 'No node reached the threshold, so there is no multi-signature.';
    } else {
      query('#signature-sub').textContent = 'This run only counts signatures.';
      this.#say(
        'none',
        'There is no signature to check: the counting scheme simulates only the sets of signers. To see a signature, choose real signatures and at most 1,024 nodes.',
      );
    }
  }

  /** Shows a multi-signature and verifies it. @param words text about the origin of the multi-signature. */
  showOutput(output: ShownOutput, world: Signatories, words: string): void {
    this.#output = output;
    this.#tampered = false;
    query('#signature-sub').textContent = words;
    this.#drawSigners(output, world);
    this.#check();
  }

  #drawSigners(output: ShownOutput, world: Signatories): void {
    const signed = new Set(idsIn(output.signers));
    const host = query('#signers');
    host.setAttribute('role', 'img');
    host.setAttribute('aria-label', `Signers: ${[...signed].join(', ')}`);
    const cells = Array.from({ length: world.nodes }, (_, id) => {
      const role = roleClass(world.role.subarray(id, id + 1));
      const kind = signed.has(id) ? 'in' : role;
      return html`<i class=${kind} title="node ${id}: ${kind === 'in' ? 'included' : kind || 'not included'}"></i>`;
    });
    render(cells, host);
  }

  #check(): void {
    const output = this.#output!;
    const asked = ++this.#asked;
    const signature = output.signature.slice();
    if (this.#tampered) signature[flippedByte]! ^= 1;
    this.#drawHex(signature);
    this.#tamper.hidden = false;
    this.#tamper.disabled = true;
    this.#tamper.textContent = this.#tampered ? 'Restore the bit' : 'Flip one bit and verify again';
    this.#say('pending', 'This page is verifying the signature with noble-curves …');
    const publicKeys = idsIn(output.signers).map((id) => output.publicKeys[id]!);
    verifySignature({ message: output.message, signature, publicKeys }).then(
      ({ valid, tookMs }) => {
        if (asked !== this.#asked) return;
        this.#tamper.disabled = false;
        if (valid) this.#say('valid', `Verified by noble-curves on this page in ${tookMs.toFixed(0)} ms.`);
        else this.#say('invalid', 'Rejected by noble-curves on this page: these bytes are not a valid signature.');
      },
      (error: unknown) => {
        if (asked !== this.#asked) return;
        this.#tamper.disabled = false;
        this.#say('none', `The signature could not be verified: ${messageOf(error)}`);
      },
    );
  }

  #drawHex(signature: Uint8Array): void {
    const groups = Array.from({ length: signature.length / groupBytes }, (_, group) =>
      Array.from(signature.subarray(group * groupBytes, (group + 1) * groupBytes), (byte, at) => {
        const text = byte.toString(16).padStart(2, '0');
        return this.#tampered && group * groupBytes + at === flippedByte ? html`<mark>${text}</mark>` : text;
      }),
    );
    render(
      groups.map((group) => html`<span>${group}</span>`),
      this.#hex,
    );
  }

  #say(verdict: 'pending' | 'valid' | 'invalid' | 'none', words: string): void {
    this.#verdict.dataset.verdict = verdict;
    this.#verdict.textContent = words;
  }
}

/** Number of bytes per displayed group, for readability. */
const groupBytes = 8;
/** Index of the byte that the reader can flip, near the middle. */
const flippedByte = 40;

function idsIn(signers: Uint8Array): number[] {
  return Array.from(signers.keys()).filter((id) => signers[id] === 1);
}
