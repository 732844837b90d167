import { expect, it } from 'vitest';
import { protocols } from './protocols.ts';
import { protocolNames } from './scenario.ts';

it('each protocol has its own lane and title', () => {
  expect(protocolNames.map((name) => protocols[name].lane).sort()).toEqual([...protocolNames.keys()]);
  expect(new Set(protocolNames.map((name) => protocols[name].title)).size).toBe(protocolNames.length);
});
