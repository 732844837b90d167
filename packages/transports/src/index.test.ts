import { expect, it } from 'vitest';
import * as browser from './browser.ts';
import * as compliance from './compliance.ts';
import * as files from './files.ts';
import * as transports from './index.ts';
import * as raw from './raw.ts';
import * as rooms from './rooms.ts';
import * as signalling from './signalling.ts';

const namesOf = (door: object) => Object.keys(door).sort();

it('exports these names and no others: peers and groups', () => {
  expect(namesOf(transports)).toEqual([
    'Group',
    'Peer',
    'batched',
    'beaconCommitment',
    'beaconOf',
    'beaconOfMembers',
    'fittingPeriodMs',
    'handelProtocol',
    'hostCrypto',
    'networkKey',
    'periodPerNodeMs',
    'placementOf',
    'priorityRows',
    'refusals',
    'rememberedSecrets',
    'roundAt',
    'roundMessage',
    'roundSeed',
    'roundSession',
    'roundStartMs',
    'signWithNetworkKey',
    'verifyNetworkKey',
  ]);
});

it('exports these names and no others: raw transports, and of these what pages have', () => {
  const portable = [
    'Channel',
    'Counts',
    'HostilePort',
    'MemoryNetwork',
    'Runtime',
    'clockFromNow',
    'delayed',
    'impaired',
    'isBoundToLife',
    'joinSignalling',
    'joinTabs',
    'lastingSignalling',
    'noImpairment',
    'nobleCrypto',
    'openBroadcast',
    'openWebRtc',
    'sessionId',
  ];
  expect(namesOf(browser)).toEqual(portable);
  expect(namesOf(raw)).toEqual(
    [
      ...portable,
      'loadNodeRtc',
      'monotonicClock',
      'monotonicNs',
      'nodeCrypto',
      'openTcp',
      'openTransport',
      'openUdp',
    ].sort(),
  );
});

it('exports these names and no others: rooms, signalling server, compliance, files', () => {
  expect(namesOf(rooms)).toEqual([
    'LiveMember',
    'isInvitation',
    'isLabel',
    'makeIdentity',
    'maxLabelCharacters',
    'shownText',
  ]);
  expect(namesOf(signalling)).toEqual([
    'attachSignalling',
    'hubSettings',
    'listenError',
    'namesWith',
    'refusedRequest',
    'requestTarget',
    'signallingPath',
    'signallingRefusals',
  ]);
  expect(namesOf(compliance)).toEqual(['transportChecks']);
  expect(namesOf(files)).toEqual(['FileLock', 'pointedTo', 'requireOneName', 'syncFolder']);
});
