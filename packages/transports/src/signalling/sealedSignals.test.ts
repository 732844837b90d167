import { toHex } from '@tutti/core/input';
import { describe, expect, it, vi } from 'vitest';
import { MemorySignals, rtc } from '../../test/memorySignals.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto as crypto } from '../crypto/node.ts';
import { openWebRtc } from '../webrtc/webrtc.ts';
import { SealedSignals } from './sealedSignals.ts';

type Options = ConstructorParameters<typeof SealedSignals>[0];

function member(carry: Options['carry'] = () => {}, options: Partial<Options> = {}) {
  const { secret, publicKey } = networkKey(crypto);
  const signals = new SealedSignals({ crypto, room: 'room', secret, carry, ...options });
  const heard: [purpose: string, from: string, text: string][] = [];
  for (const purpose of ['link', 'room'] as const)
    signals.for(purpose).onSignal((from, text) => heard.push([purpose, from, text]));
  return { name: toHex(publicKey), signals, heard };
}

it('opens a signal of the peer only for the purpose that it was sealed for', () => {
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

it('a changed, replayed, misattributed or unsealed signal, or one of another room, is refused and counted', () => {
  const carried: string[] = [];
  const ann = member((_, sealed) => carried.push(sealed));
  const [ben, eve, elsewhere] = [member(), member(), member(undefined, { room: 'other' })];
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

describe('with arbitrary leave notices of the server', () => {
  it('an accepted signal is never accepted again', () => {
    const carried: string[] = [];
    const ann = member((_, sealed) => carried.push(sealed));
    const ben = member((_, sealed) => ann.signals.onSignal(ben.name, sealed));
    ann.signals.for('link').send(ben.name, 'an offer');
    ben.signals.onSignal(ann.name, carried[0]!);
    ben.signals.for('link').send(ann.name, 'an answer');
    ann.signals.for('link').send(ben.name, 'another offer');
    ben.signals.onSignal(ann.name, carried[1]!);
    for (let times = 1; times <= 3; times++) {
      ben.signals.forget(ann.name);
      for (const sealed of carried) ben.signals.onSignal(ann.name, sealed);
      expect(ben.signals.refused).toEqual({ replayed: 2 * times });
    }
    expect(ben.heard.map(([, , text]) => text)).toEqual(['an offer', 'another offer']);
  });

  it('removed keys are derived again on demand', () => {
    const hkdfSha256 = vi.fn(crypto.hkdfSha256);
    const ben = member();
    const ann = member((_, sealed) => ben.signals.onSignal(ann.name, sealed), { crypto: { ...crypto, hkdfSha256 } });
    const send = () => {
      const before = hkdfSha256.mock.calls.length;
      ann.signals.for('room').send(ben.name, 'hello');
      return hkdfSha256.mock.calls.length - before;
    };
    send();
    expect(send()).toBe(0);
    ann.signals.forget(ben.name);
    expect(send()).toBe(1);
    expect(ben.heard).toHaveLength(3);
  });

  /** Creates a member that remembers two others, and three members that have each sent it a recorded signal. */
  function crowded() {
    const { name, signals } = member(
      (to, sealed) => others.find((other) => other.name === to)?.signals.onSignal(name, sealed),
      { maxMembers: 2 },
    );
    const heard: string[] = [];
    signals.for('room').onSignal((_, text) => heard.push(text));
    const another = () => {
      const carried: string[] = [];
      const other = member((_, sealed) => {
        carried.push(sealed);
        signals.onSignal(other.name, sealed);
      });
      return { ...other, carried, say: (text: string) => other.signals.for('room').send(name, text) };
    };
    const others = [another(), another(), another()] as const;
    const [ann, ben, cleo] = others;
    return { signals, heard, ann, ben, cleo };
  }

  it('unproven names use no memory and do not block new members', () => {
    const { signals, heard, ann } = crowded();
    for (let i = 0; i < 5; i++) signals.for('room').send(toHex(crypto.randomBytes(32)), 'welcome');
    for (let i = 0; i < 5; i++) signals.onSignal(member().name, '02'.repeat(100));
    expect(signals.refused).toEqual({ 'wrong-session': 5 });
    ann.say('hello');
    expect(heard).toEqual(['hello']);
  });

  it('a new member is accepted at full memory, at once or after an answer', () => {
    const { signals, heard, ann, ben, cleo } = crowded();
    for (const { say } of [ann, ben, cleo]) say('hello');
    expect(heard).toEqual(['hello', 'hello', 'hello']);
    // The member forgot Ann for Cleo. Ann's next signal could be a replay, so it is answered, not accepted.
    ann.say('again');
    ann.say('now');
    expect(heard).toEqual(['hello', 'hello', 'hello', 'now']);
    expect(signals.refused).toEqual({ replayed: 1 });
  });

  it('the second signal of a removed peer is accepted, although the peer has heard an earlier incarnation', () => {
    const { signals, heard, ann, ben, cleo } = crowded();
    signals.for('room').send(ann.name, 'welcome');
    for (const { say } of [ben, cleo]) say('hello');
    ann.say('lost');
    ann.say('now');
    expect(heard).toEqual(['hello', 'hello', 'now']);
    expect(signals.refused).toEqual({ 'stale-incarnation': 1 });
  });

  it('no signal of a removed peer is accepted twice', () => {
    const { signals, heard, ann, ben, cleo } = crowded();
    for (const text of ['a', 'b', 'c']) ann.say(text);
    for (const { say } of [ben, cleo]) say('hello');
    for (const sealed of [...ann.carried, ...ann.carried]) signals.onSignal(ann.name, sealed);
    expect(heard).toEqual(['a', 'b', 'c', 'hello', 'hello']);
    expect(signals.refused).toEqual({ replayed: 6 });
  });
});

it('a text that is too long for a signal is counted and not sent', () => {
  const carried: string[] = [];
  const [ann, ben] = [member((_, sealed) => carried.push(sealed)), member()];
  ann.signals.for('room').send(ben.name, 'x'.repeat(20_000));
  expect([carried, ann.signals.refused]).toEqual([[], { 'too-long': 1 }]);
});

it('a signalling server that replaces the fingerprint of an offer gets no link and is counted', async () => {
  const network = new MemorySignals();
  const join = () => {
    const { name, signals } = member((to, sealed) => wire.send(to, sealed));
    const wire = network.join(name);
    wire.onSignal((from, sealed) => signals.onSignal(from, sealed));
    const transport = openWebRtc({ name, signals: signals.for('link'), rtc, openWithinMs: 30_000, retryAfterMs: 0 });
    return { name, signals, transport };
  };
  const [ann, ben, mallory] = [join(), join(), join()];
  // Mallory, the server, replaces Ann's offer to Ben with one in Ann's name, sealed with Mallory's own key.
  let swapped = 0;
  network.tamper = (from, to, text) => {
    if (from !== ann.name || to !== ben.name || swapped > 0) return text;
    swapped++;
    const carried: string[] = [];
    const forger = member((_, sealed) => carried.push(sealed));
    forger.signals.for('link').send(ben.name, '{"type":"offer","attempt":1,"sdp":"a=fingerprint:sha-256 AA"}');
    return carried[0];
  };
  ann.transport.send(ben.transport.local, Uint8Array.of(1));
  await vi.waitFor(() => {
    expect(swapped).toBe(1);
    expect(Object.values(ben.signals.refused)).toEqual([1]);
  }, 50_000);
  expect(ben.transport.links.opened).toBe(0);
  expect(ben.transport.refused).toEqual({});

  // After one honest signal, Ann and Ben connect.
  const arrived = new Promise<Uint8Array>((resolve) => ann.transport.onPacket(resolve));
  ben.transport.send(ann.transport.local, Uint8Array.of(2));
  expect((await arrived)[0]).toBe(2);
  await Promise.all([ann, ben, mallory].map(({ transport }) => transport.close()));
}, 60_000);
