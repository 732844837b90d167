import { expect, it, vi } from 'vitest';
import { MemorySignals } from '../../test/memorySignals.ts';
import { nodeCrypto as crypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { networkKey } from '../networkKey.ts';
import { loadNodeRtc } from '../webrtc/nodeRtc.ts';
import { openWebRtc } from '../webrtc/webrtc.ts';
import { SealedSignals } from './sealedSignals.ts';

/** A member whose signals go where `carry` says. */
function member(carry: (to: string, sealed: string) => void = () => {}, room = 'room') {
  const { secret, publicKey } = networkKey(crypto);
  const signals = new SealedSignals({ crypto, room, secret, carry });
  const heard: [purpose: string, from: string, text: string][] = [];
  for (const purpose of ['link', 'room'] as const)
    signals.for(purpose).onSignal((from, text) => heard.push([purpose, from, text]));
  return { name: toHex(publicKey), signals, heard };
}

it('what one seals the other opens, for the purpose that it was sealed for', () => {
  const ann = member((_, sealed) => ben.signals.onSignal(ann.name, sealed));
  const ben = member();
  ann.signals.for('link').send(ben.name, 'an offer');
  ann.signals.for('room').send(ben.name, 'a proposal, ü');
  expect(ben.heard).toEqual([
    ['link', ann.name, 'an offer'],
    ['room', ann.name, 'a proposal, ü'],
  ]);
  expect(ben.signals.refused).toEqual({});
});

it('what was changed, replayed, misattributed, unsealed or of another room is refused and counted', () => {
  const carried: string[] = [];
  const ann = member((_, sealed) => carried.push(sealed));
  const [ben, eve, elsewhere] = [member(), member(), member(undefined, 'other')];
  ann.signals.for('link').send(ben.name, 'an offer');
  ann.signals.for('link').send(elsewhere.name, 'an offer');
  const [sealed, toOther] = carried as [string, string];
  const changed = `${sealed.slice(0, -1)}${sealed.endsWith('0') ? '1' : '0'}`;
  for (const [from, text] of [
    [ann.name, changed],
    [eve.name, sealed],
    [ann.name, 'v=0'],
    ['ann', sealed],
    [ben.name, sealed],
  ] as const)
    ben.signals.onSignal(from, text);
  elsewhere.signals.onSignal(ann.name, toOther);
  expect(ben.heard).toEqual([]);
  expect(elsewhere.signals.refused).toEqual({ 'wrong-session': 1 });
  ben.signals.onSignal(ann.name, sealed);
  ben.signals.onSignal(ann.name, sealed);
  expect(ben.heard).toHaveLength(1);
  const { forged = 0, misaddressed = 0, 'unknown-sender': unknown = 0, ...others } = ben.signals.refused;
  expect(forged + misaddressed + unknown).toBe(2);
  expect(others).toEqual({ 'not-sealed': 3, replayed: 1 });
});

it('a text that no signal can hold is counted and not sent', () => {
  const carried: string[] = [];
  const [ann, ben] = [member((_, sealed) => carried.push(sealed)), member()];
  ann.signals.for('room').send(ben.name, 'x'.repeat(20_000));
  expect([carried, ann.signals.refused]).toEqual([[], { 'too-long': 1 }]);
});

it('a signalling server that swaps the fingerprint of an offer gets no link, and is counted', async () => {
  const rtc = await loadNodeRtc();
  const network = new MemorySignals();
  const join = () => {
    const { secret, publicKey } = networkKey(crypto);
    const name = toHex(publicKey);
    const wire = network.join(name);
    const signals = new SealedSignals({ crypto, room: 'room', secret, carry: (to, sealed) => wire.send(to, sealed) });
    wire.onSignal((from, sealed) => signals.onSignal(from, sealed));
    const transport = openWebRtc({ name, signals: signals.for('link'), rtc, openWithinMs: 30_000, retryAfterMs: 0 });
    return { name, signals, transport };
  };
  const [ann, ben, mallory] = [join(), join(), join()];
  // Mallory is the server: what Ann offers Ben is replaced by an offer of hers, in Ann's name, as well as she can seal it.
  let swapped = 0;
  network.tamper = (from, to, text) => {
    if (from !== ann.name || to !== ben.name || swapped > 0) return text;
    swapped++;
    let offer = '';
    new SealedSignals({
      crypto,
      room: 'room',
      secret: networkKey(crypto).secret,
      carry: (_, sealed) => {
        offer = sealed;
      },
    })
      .for('link')
      .send(ben.name, '{"type":"offer","attempt":1,"sdp":"a=fingerprint:sha-256 AA"}');
    return offer;
  };
  ann.transport.send(ben.transport.local, Uint8Array.of(1));
  await vi.waitFor(() => {
    expect(swapped).toBe(1);
    expect(Object.values(ben.signals.refused)).toEqual([1]);
  }, 20_000);
  expect(ben.transport.links.opened).toBe(0);
  expect(ben.transport.refused).toEqual({});

  // An honest signal later, the two meet.
  const arrived = new Promise<Uint8Array>((resolve) => ann.transport.onPacket(resolve));
  ben.transport.send(ann.transport.local, Uint8Array.of(2));
  expect((await arrived)[0]).toBe(2);
  await Promise.all([ann, ben, mallory].map(({ transport }) => transport.close()));
}, 60_000);
