import { type Contribution, noContribution, type Port } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { defaultSetupConfig, type SetupConfig } from './config.ts';
import { nobody } from './inbox.ts';
import { answerFlag, SetupMessage, SetupNode, unfinishedFlag } from './node.ts';
import { type PlainRegistration, PlainRegistrations } from './plainRegistrations.ts';

/** Creates a node among four members, starts the node by default, and records its calls to the port. */
function opened(config: Partial<SetupConfig> = {}, isStarted = true) {
  const scheme = new PlainRegistrations(4, true);
  const sent: { to: number; level: number; names: string[]; flags: number }[] = [];
  const checks: Contribution[] = [];
  const outputs: string[] = [];
  let nowUs = 0;
  const port: Port = {
    nowUs: () => nowUs,
    send: (to, level, handle, _, flags) => {
      const names = level === SetupMessage.list ? [...scheme.names(handle)] : [scheme.name(handle)];
      sent.push({ to, level, names, flags });
    },
    setTimer: () => {},
    verify: (registration) => checks.push(registration),
    output: (registration) => void outputs.push(scheme.name(registration)),
    refuse: () => {},
    trace: () => {},
  };
  const node = new SetupNode({
    id: 0,
    scheme,
    config: { ...defaultSetupConfig, ...config },
    own: [scheme.registration({ author: 0, text: 0 })],
    port,
    random: () => 0,
  });
  if (isStarted) node.start();
  const register = (registration: PlainRegistration, from = nobody) =>
    node.onMessage(
      from,
      from === nobody ? SetupMessage.register : SetupMessage.relay,
      scheme.registration(registration),
      noContribution,
      0,
    );
  const list = (from: number, names: readonly string[], flags = 0) =>
    node.onMessage(from, SetupMessage.list, scheme.list(names), noContribution, flags);
  /** Answers the oldest check. */
  const verified = (valid = true) => node.onVerified(checks.length, valid);
  const at = (ms: number) => {
    nowUs = ms * 1000;
  };
  /** Makes all four members register. The registration of the node's own member arrives from the given sender. */
  const registerAll = (ownFrom = nobody) => {
    for (const author of [0, 1, 2, 3]) {
      register({ author, text: author }, author === 0 ? ownFrom : nobody);
      verified();
    }
  };
  return { node, scheme, sent, checks, outputs, register, registerAll, list, verified, at };
}

type Opened = ReturnType<typeof opened>;

const name = (author: number) => `${author}/${author}/0/true`;
const names = [0, 1, 2, 3].map(name);

describe('a node of the set-up phase', () => {
  it('sends its registration to inboxes only anonymously, and never under its own name', () => {
    const { sent, list } = opened({ contacts: 2 });
    for (const message of sent) expect(message).toMatchObject({ level: SetupMessage.register, names: [name(0)] });
    expect(sent.length).toBe(2);
    list(1, []);
    expect(sent.at(-1)).toEqual({ to: 1, level: SetupMessage.list, names: [], flags: answerFlag });
  });

  it.each([
    ['it returns', ({ registerAll }: Opened) => registerAll(3)],
    ['the end of the collection', ({ at }: Opened) => at(defaultSetupConfig.collectMs)],
  ])('sends it again, to newly drawn inboxes, until %s', (_, happens) => {
    const all = opened({ contacts: 1 });
    all.node.onTimer(2);
    expect(all.sent.length).toBe(2);
    happens(all);
    all.node.onTimer(2);
    expect(all.sent.length).toBe(2);
  });

  it('verifies one at a time, relayed ones first, and none twice', () => {
    const { node, checks, scheme, register, verified } = opened();
    register({ author: 1, text: 1 });
    register({ author: 2, text: 2 });
    register({ author: 3, text: 3 }, 1);
    register({ author: 1, text: 1 }, 2);
    verified();
    verified();
    verified();
    expect(checks.length).toBe(3);
    expect(node.roll.accepted.map((one) => scheme.name(one))).toEqual([name(1), name(2), name(3)]);
  });

  it('verifies registrations that arrived before its start', () => {
    const { node, checks, scheme, register, verified } = opened({}, false);
    register({ author: 1, text: 1 });
    register({ author: 2, text: 2 });
    expect(checks.length).toBe(0);
    node.start();
    expect(checks.length).toBe(1);
    verified();
    verified();
    expect(node.roll.accepted.map((one) => scheme.name(one))).toEqual([name(1), name(2)]);
  });

  it('relays missing registrations of a list, a limited number at a time, and never answers an answer with a list', () => {
    const { sent, list, register, verified } = opened({ contacts: 1, burst: 1 });
    for (const author of [1, 2]) {
      register({ author, text: author });
      verified();
    }
    list(3, [name(1)], answerFlag);
    expect(sent.slice(1)).toEqual([{ to: 3, level: SetupMessage.relay, names: [name(2)], flags: 0 }]);
    list(3, []);
    expect(sent.slice(2).map(({ level }) => level)).toEqual([SetupMessage.relay, SetupMessage.list]);
  });

  it('ignores a member that relayed an invalid registration; an anonymous sender has no such penalty', () => {
    const { node, register, verified, list, sent } = opened({ contacts: 1 });
    register({ author: 1, text: 1, valid: false });
    verified(false);
    register({ author: 2, text: 2, valid: false }, 2);
    verified(false);
    register({ author: 3, text: 3 }, 2);
    expect(node.refused).toEqual({ 'invalid-registration': 2, blacklisted: 1 });
    // Lists of a banned member still count. If lists from banned members did not count, a set-up could not end early.
    list(2, []);
    expect(sent.at(-1)).toMatchObject({ to: 2, level: SetupMessage.list });
    // A registration that was found invalid is not verified again, and the member that relays it is banned too.
    register({ author: 1, text: 1, valid: false }, 3);
    expect(node.refused).toEqual({ 'invalid-registration': 3, blacklisted: 1 });
  });

  it('verifies no waiting registration of a member that relayed an invalid one', () => {
    const { checks, register, verified } = opened();
    for (const text of [1, 2, 3]) register({ author: 1, text, valid: false }, 2);
    verified(false);
    expect(checks.length).toBe(1);
  });

  it('does not end while a member that relayed an invalid registration disagrees, because others may accept that member', () => {
    const { node, register, registerAll, verified, list } = opened();
    register({ author: 1, text: 9, valid: false }, 2);
    verified(false);
    registerAll(1);
    for (const peer of [1, 3]) list(peer, names);
    expect(node.ended).toBe(false);
    list(2, names);
    expect(node.ended).toBe(true);
  });

  it('states in its lists that it still verifies, and does not end while another node does, because it may find a double', () => {
    const { node, sent, register, registerAll, verified, list } = opened();
    registerAll();
    for (const peer of [1, 2]) list(peer, names);
    register({ author: 3, text: 3, copy: 1 });
    list(3, names, unfinishedFlag);
    expect(sent.at(-1)).toMatchObject({ to: 3, names, flags: answerFlag | unfinishedFlag });
    verified(false);
    expect([node.agreeing, node.ended]).toEqual([3, false]);
    list(3, names);
    expect(node.ended).toBe(true);
    list(3, names);
    expect(sent.at(-1)).toMatchObject({ to: 3, names, flags: answerFlag });
  });

  it('verifies two of many repeats, and reaches the same verdict about their author as nodes that verified two others', () => {
    const listed = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
    ].map((copies) => {
      const { node, checks, register, verified, list, sent } = opened();
      for (const copy of copies) register({ author: 3, text: 3, copy });
      verified();
      verified();
      expect([checks.length, node.refused]).toEqual([2, { 'excluded-author': 2 }]);
      list(1, []);
      expect(sent.slice(-3).map(({ level }) => level)).toEqual([
        SetupMessage.relay,
        SetupMessage.relay,
        SetupMessage.list,
      ]);
      const { names } = sent.at(-1)!;
      list(1, names);
      expect(node.agreeing).toBe(2);
      return names;
    });
    expect(listed[0]).toEqual(listed[1]);
  });

  it('lists at most as many names as the others read', () => {
    const { register, list, sent } = opened({ contacts: 1 });
    for (let text = 0; text < 20; text++) register({ author: 3, text }, 1 + (text % 3));
    list(1, []);
    expect(sent.at(-1)!.names.length).toBe(8);
  });

  it('finds a double registration, names its author, and ignores a third one without verification', () => {
    const { node, checks, register, verified } = opened();
    for (const text of [1, 2]) {
      register({ author: 3, text });
      verified();
    }
    register({ author: 3, text: 5 });
    register({ author: 3, text: 6 }, 1);
    expect(checks.length).toBe(2);
    expect(node.refused).toEqual({ 'excluded-author': 2 });
    expect(node.roll.doubles.map(({ author }) => author)).toEqual([3]);
    expect(node.roll.accepted).toEqual([]);
  });

  it('ends as soon as all have registered and agree, and outputs the roll', () => {
    const { node, outputs, register, registerAll, list } = opened();
    registerAll(1);
    for (const peer of [1, 2]) list(peer, names);
    list(3, names.slice(1));
    expect([node.ended, node.agreeing]).toEqual([false, 3]);
    list(3, names);
    expect([node.ended, node.agreeing, outputs]).toEqual([true, 4, names]);
    // Later messages are rejected, and the outputs do not change.
    register({ author: 3, text: 9 }, 1);
    expect(node.refused).toEqual({ late: 1 });
    expect(outputs).toEqual(names);
  });

  it('ends as soon as its last waiting registration is settled without verification', () => {
    const { node, sent, register, registerAll, list, verified } = opened();
    registerAll(1);
    // A double by author 3 is being verified; an invalid registration and a third one by author 3 wait.
    register({ author: 3, text: 5 });
    register({ author: 1, text: 7, valid: false });
    register({ author: 3, text: 6 });
    verified();
    for (const peer of [1, 2, 3]) list(peer, []);
    for (const peer of [1, 2, 3]) list(peer, sent.at(-1)!.names, answerFlag);
    expect([node.ended, node.agreeing]).toEqual([false, 4]);
    verified(false);
    expect(node.ended).toBe(true);
  });

  it('when no member is missing, notifies only those that have not agreed', () => {
    const { node, sent, registerAll, list } = opened();
    registerAll();
    const recipients = () => {
      const before = sent.length;
      node.onTimer(1);
      return new Set(sent.slice(before).map(({ to }) => to));
    };
    expect(recipients()).toEqual(new Set([1, 2, 3]));
    for (const peer of [1, 3]) list(peer, names);
    expect(recipients()).toEqual(new Set([2]));
    // A member whose list differs is sent another list. A member that asks for a list is answered, even if its own list
    // agrees.
    list(3, names.slice(1), answerFlag);
    expect(recipients()).toEqual(new Set([2, 3]));
    for (const peer of [2, 3]) list(peer, names);
    expect(recipients()).toEqual(new Set());
    list(1, names);
    expect(sent.at(-1)).toMatchObject({ to: 1, level: SetupMessage.list, flags: answerFlag });
  });

  it('accepts no anonymous registration after the collection, relays until the end, and then outputs its roll', () => {
    const { node, outputs, register, verified, at } = opened({ collectMs: 1000, relayMs: 500 });
    at(1000);
    register({ author: 1, text: 1 });
    expect(node.refused).toEqual({ late: 1 });
    register({ author: 2, text: 2 }, 2);
    verified();
    at(1500);
    node.onTimer(3);
    expect([node.ended, outputs]).toEqual([true, [name(2)]]);
  });

  it('refuses invalid messages of a set-up, by code', () => {
    const { node, scheme } = opened({}, false);
    const [one, list] = [scheme.registration({ author: 1, text: 1 }), scheme.list([])];
    const receive = (from: number, level: number, handle = one, individual = noContribution, flags = 0) =>
      node.onMessage(from, level, handle, individual, flags);
    receive(1, 0);
    receive(1, 4);
    receive(1, SetupMessage.relay, one, one);
    receive(1, SetupMessage.relay, one, noContribution, answerFlag);
    receive(1, SetupMessage.list, list, noContribution, 4);
    for (const from of [0, 4, -2, nobody]) receive(from, SetupMessage.relay);
    receive(1, SetupMessage.register);
    expect(node.refused).toEqual({ 'unknown-message': 2, 'unknown-flags': 3, 'sender-out-of-range': 5 });
  });

  it('refuses invalid parameters, a second start and an unknown ticket', () => {
    expect(() => opened({ contacts: 0 })).toThrow(/contacts: expected an integer/);
    expect(() => opened({ periodMs: 0 })).toThrow(/periodMs/);
    const { node } = opened();
    expect(() => node.start()).toThrow(/start/);
    expect(() => node.onVerified(1, true)).toThrow(/ticket/);
  });
});
