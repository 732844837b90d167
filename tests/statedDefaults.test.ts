import { readFileSync } from 'node:fs';
import { handelSettings } from '@tutti/core';
import { gossipSettings } from '@tutti/ethereum/settings';
import { modelCheckerSettings, swarmSettings } from '@tutti/simulation/checks';
import { expect, it } from 'vitest';
import { broadcastSettings } from '../packages/transports/src/broadcast/broadcast.ts';
import { udpSettings } from '../packages/transports/src/sockets/udp.ts';
import { tcpSettings } from '../packages/transports/src/tcp/tcp.ts';
import { memorySettings } from '../packages/transports/src/transport/memory.ts';
import { webRtcSettings } from '../packages/transports/src/webrtc/webrtc.ts';

/** Interfaces with fields from a table of settings: for each, the file of the interface, and the table. */
const tables = {
  HandelConfig: ['packages/core/src/handel/config.ts', handelSettings],
  ModelCheckerOptions: ['packages/simulation/src/checks/modelChecker/setting.ts', modelCheckerSettings],
  SwarmOptions: ['packages/simulation/src/checks/swarm/draw.ts', swarmSettings],
  GossipsubParameters: ['packages/ethereum/src/horn/network/gossipsub.ts', gossipSettings],
  UdpOptions: ['packages/transports/src/sockets/udp.ts', udpSettings],
  TcpOptions: ['packages/transports/src/tcp/tcp.ts', tcpSettings],
  MemoryOptions: ['packages/transports/src/transport/memory.ts', memorySettings],
  BroadcastOptions: ['packages/transports/src/broadcast/broadcast.ts', broadcastSettings],
  WebRtcOptions: ['packages/transports/src/webrtc/webrtc.ts', webRtcSettings],
} as const;

/** Returns the default values in the comments of an interface's fields, by field. */
function statedIn(file: string, interfaceName: string): [field: string, stated: number][] {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const body = new RegExp(`export interface ${interfaceName} \\{\n(.*?)\n\\}`, 's').exec(source)![1]!;
  return [...body.matchAll(/\/\*\*(.*?)\*\/\s*readonly (\w+)/gs)].flatMap(([, comment, field]) => {
    const words = comment!.replaceAll(/\s*\n\s*\* ?/g, ' ');
    const [, digits, million] = /\b[Dd]efault:? ([\d,_]+(?:\.\d+)?)( million)?/.exec(words) ?? [];
    if (digits === undefined) return [];
    return [[field!, Number(digits.replaceAll(/[,_]/g, '')) * (million === undefined ? 1 : 1e6)]];
  });
}

it.each(Object.entries(tables))('the defaults in comments of %s equal those of the code', (name, [file, settings]) => {
  const of = settings as Readonly<Record<string, { readonly default: unknown }>>;
  const stated = statedIn(file, name);
  expect(stated).not.toEqual([]);
  // An optional switch without a default is off, which counts as 0 here.
  expect(stated.map(([field]) => [field, of[field]?.default ?? 0])).toEqual(stated);
});
