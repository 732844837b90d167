import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as core from './index.ts';

it('exports these names and no others', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "BitsetScheme",
      "CheckFailed",
      "CountingScheme",
      "Figure",
      "HandelMemory",
      "HandelNode",
      "IndependentPriorities",
      "LineKind",
      "MessageFlag",
      "MultiSignatureScheme",
      "NONE",
      "NodeRole",
      "Refusal",
      "ShiftedPriorities",
      "Simulation",
      "TraceKind",
      "Tree",
      "attackNamed",
      "attacks",
      "awsOneWayUs",
      "awsRegions",
      "checkFaults",
      "checkScenario",
      "claims",
      "createExplorer",
      "createNetwork",
      "createSimulation",
      "decodeMessage",
      "decodeRecording",
      "defaultHandelConfig",
      "defaultScenario",
      "drawFigure",
      "encodeMessage",
      "encodeRecording",
      "experiments",
      "explore",
      "extents",
      "faultKinds",
      "generateFaults",
      "healedAtMs",
      "hunt",
      "invert",
      "levelCount",
      "mechanisms",
      "messageBytes",
      "networkForms",
      "nextWindowSize",
      "peerSet",
      "perfettoTrace",
      "protocolNames",
      "randomScenario",
      "refusalName",
      "scenariosFor",
      "shivizLog",
      "shivizParser",
      "shrink",
      "shrinkBroken",
      "shuffle",
      "simulate",
      "tryScenario",
      "twinParameters",
      "twinScenario",
      "version",
    ]
  `);
});

it('names the version that package.json has', () => {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(core.version).toBe(manifest.version);
});
