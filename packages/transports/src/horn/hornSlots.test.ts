import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { HornNodes } from '../../test/hornNodes.ts';

it('consecutive slots share transports, group and clock; a slot refuses packets of the previous slot', async () => {
  const nodes = new HornNodes({ bls: await loadBls(), validators: 32, nodes: 4, committees: 1, subcommittees: 2 });
  const slotUs = nodes.slot.clock.endUs;
  const second = nodes.open(2);
  expect(second.slot.session).not.toEqual(nodes.slot.session);
  expect(second.slot.plan.validatorAt).not.toEqual(nodes.slot.plan.validatorAt);
  for (const peer of second.peers) peer.start(slotUs);
  const first = await nodes.run();
  for (const { votesInReach, refused } of [...first, ...second.peers.map((peer) => peer.report())])
    expect([votesInReach, refused]).toEqual([32, {}]);
  for (const { published } of second.peers.map((peer) => peer.report()))
    for (const { atUs } of published) expect(atUs).toBeLessThan(slotUs);
  await nodes.close();
});

it('messages that arrive before the start are processed when the slot begins', async () => {
  const nodes = new HornNodes({ bls: await loadBls(), validators: 32, nodes: 4, committees: 1, subcommittees: 2 });
  const second = nodes.open(2);
  const [late, ...others] = second.peers;
  for (const peer of others) peer.start(nodes.slot.clock.endUs);
  await nodes.run();
  const { votesInReach, verified } = late!.report();
  expect(votesInReach).toBe(24);
  for (const { atUs } of verified) expect(atUs).toBe(0);
  await nodes.close();
});
