import { expect, it } from 'vitest';
import { insecureIdentities, ringOf } from '../../tests/rings.ts';
import { traceable } from './traceable.ts';

const identities = insecureIdentities(6);
const ring = ringOf(identities);
const event = Uint8Array.of(9);

function mark(member: number, text: number) {
  const message = Uint8Array.of(text);
  const signature = traceable.sign(ring, identities[member]!.secretKey, event, message, new Uint8Array(32).fill(text));
  const verified = traceable.verify(ring, event, message, signature);
  if (!verified.ok) throw new Error(verified.code);
  return verified.mark;
}

it('names any member that signed two messages (Fujisaki and Suzuki, section 4, Trace)', () => {
  for (let member = 0; member < ring.size; member++)
    expect(traceable.relate(mark(member, 1), mark(member, 2))).toEqual({ kind: 'double', signer: member });
});

it('names no other member, for any number of messages', () => {
  const cheat = [mark(4, 1), mark(4, 2), mark(4, 3)];
  const honest = [mark(0, 1), mark(1, 2), mark(5, 4)];
  for (const one of cheat) for (const other of honest) expect(traceable.relate(one, other).kind).toBe('independent');
  for (const [i, one] of cheat.entries())
    for (const other of cheat.slice(i + 1)) expect(traceable.relate(one, other)).toEqual({ kind: 'double', signer: 4 });
});
