import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as adversary from './adversary.ts';
import * as anonymous from './anonymous.ts';
import * as experiments from './experiments.ts';
import * as horn from './horn.ts';
import * as core from './index.ts';
import * as protocols from './protocols.ts';
import * as simulation from './simulation.ts';
import * as verification from './verification.ts';

it('@tutti/core exports these names and no others', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "BitsetScheme",
      "CountingScheme",
      "HandelMemory",
      "HandelNode",
      "IndependentPriorities",
      "MessageFlag",
      "MultiSignatureScheme",
      "RandomStream",
      "ShiftedPriorities",
      "TraceKind",
      "Tree",
      "branchings",
      "contactRules",
      "decodeMessage",
      "defaultHandelConfig",
      "encodeMessage",
      "invert",
      "isThreshold",
      "largestBatch",
      "levelCount",
      "longestMessageBytes",
      "mechanisms",
      "messageBytes",
      "nextWindowSize",
      "noContribution",
      "paperWindow",
      "partOf",
      "peerSet",
      "refusalName",
      "relativeWindow",
      "screeningRefusals",
      "shuffle",
      "shuffleBy",
      "thresholdCount",
      "thresholdForm",
      "thresholdText",
      "treeForms",
      "version",
      "windowRanks",
      "wireRefusals",
    ]
  `);
});

it('@tutti/core/simulation exports these names and no others', () => {
  expect(Object.keys(simulation).sort()).toMatchInlineSnapshot(`
    [
      "DeskReplay",
      "Jitter",
      "LineKind",
      "LinkFates",
      "NodeRole",
      "RunMemory",
      "awsOneWayUs",
      "awsRegions",
      "badText",
      "checkFaults",
      "checkScenario",
      "choiceText",
      "createNetwork",
      "createSimulation",
      "decodeRecording",
      "decodeScenario",
      "defaultScenario",
      "drawOnGlobe",
      "durationText",
      "encodeRecording",
      "encodeScenario",
      "faultKinds",
      "faultsByNode",
      "generateFaults",
      "integerText",
      "linkedScenario",
      "matrixNetwork",
      "networkForms",
      "numberText",
      "outageKinds",
      "perfettoTrace",
      "protocolNames",
      "referenceQuirks",
      "scenarioArguments",
      "scenarioFields",
      "shivizLog",
      "shivizParser",
      "simulate",
      "withPresentNames",
    ]
  `);
});

it('@tutti/core/protocols exports these names and no others', () => {
  expect(Object.keys(protocols).sort()).toMatchInlineSnapshot(`
    [
      "CompleteGraphNode",
      "GossipOfAggregatesNode",
      "GossipOfIndividualsNode",
      "SanFerminNode",
      "createMesh",
      "graphVerifications",
    ]
  `);
});

it('@tutti/core/adversary exports these names and no others', () => {
  expect(Object.keys(adversary).sort()).toMatchInlineSnapshot(`
    [
      "AttackSearch",
      "attackNamed",
      "attacks",
      "readComposition",
      "searchPatienceMs",
      "triedAs",
      "worstFinds",
    ]
  `);
});

it('@tutti/core/horn exports these names and no others', () => {
  expect(Object.keys(horn).sort()).toMatchInlineSnapshot(`
    [
      "MultiplicityScheme",
      "aggregateAndProofBytes",
      "batchedMs",
      "besideMarks",
      "changeBytes",
      "checkHornParameters",
      "checkNetworkScenario",
      "clientPresetNames",
      "clientPresets",
      "createSlot",
      "defaultChainOptions",
      "defaultHornParameters",
      "defaultNetworkScenario",
      "defaultSampleSizes",
      "defaultSlotScenario",
      "ethereumGossipsub",
      "expectedElected",
      "expectedLoss",
      "forwardingNames",
      "forwardingSchemes",
      "heavyTail",
      "honestLossShare",
      "hornAttackNamed",
      "hornAttacks",
      "hornPresets",
      "hornSizes",
      "hornSystems",
      "hornTable",
      "hornTableNames",
      "layers",
      "linkPresetNames",
      "linkPresets",
      "lossNames",
      "machineNames",
      "machines",
      "neverStep",
      "nodeDistributions",
      "placeNodes",
      "playAlternatives",
      "playChain",
      "playGriefing",
      "playNetworkSlot",
      "playNetworkSlots",
      "playSlot",
      "postQuantumCosts",
      "probabilityOfNone",
      "randomBitfield",
      "runLengthCoding",
      "scaledHornParameters",
      "singleAttestationBytes",
      "singleVoteLossShare",
      "slotClock",
      "slotModes",
      "slotSteps",
      "snappyBitfieldBytes",
      "sparseCoding",
      "systemOf",
      "topicSteps",
      "validatorsOf",
      "votesOverTime",
      "votingSystemNames",
      "votingSystems",
    ]
  `);
});

it('@tutti/core/experiments exports these names and no others', () => {
  expect(Object.keys(experiments).sort()).toMatchInlineSnapshot(`
    [
      "Figure",
      "calibratedParameters",
      "calibratedScenario",
      "committeeCells",
      "drawFigure",
      "experiments",
      "extents",
      "fitLine",
      "published",
      "publishedPoints",
      "raceMarks",
      "raceScenario",
      "racers",
      "runCommittee",
      "runRace",
      "scenariosFor",
      "threeDigits",
    ]
  `);
});

it('@tutti/core/verification exports these names and no others', () => {
  expect(Object.keys(verification).sort()).toMatchInlineSnapshot(`
    [
      "CheckFailed",
      "checkModel",
      "claims",
      "createModelChecker",
      "hunt",
      "randomScenario",
      "shrink",
      "shrinkBroken",
      "tryScenario",
    ]
  `);
});

it('@tutti/core/anonymous exports these names and no others', () => {
  expect(Object.keys(anonymous).sort()).toMatchInlineSnapshot(`
    [
      "HandleStore",
      "SetupMessage",
      "SetupNode",
      "defaultSetupConfig",
      "defaultSetupScenario",
      "nobody",
      "simulateSetup",
    ]
  `);
});

it('names the version that package.json has', () => {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(core.version).toBe(manifest.version);
});
