import * as core from '@tutti/core';
import * as anonymous from '@tutti/core/anonymous';
import * as horn from '@tutti/core/horn';
import * as leanRules from '@tutti/core/lean';
import * as protocols from '@tutti/core/protocols';
import * as lab from '@tutti/lab';
import * as simulation from '@tutti/simulation';
import * as setup from '@tutti/simulation/anonymous';
import * as attacks from '@tutti/simulation/attacks';
import * as checks from '@tutti/simulation/checks';
import * as lean from '@tutti/simulation/lean';
import * as slots from '@tutti/simulation/slots';
import { expect, it } from 'vitest';

it('@tutti/core exports these names and no others', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "BitsetScheme",
      "CountingScheme",
      "ForwardingPort",
      "HandelMemory",
      "HandelNode",
      "HandelTimer",
      "IndependentPriorities",
      "MessageFlag",
      "MultiSignatureScheme",
      "Quorum",
      "RandomStream",
      "ShiftedPriorities",
      "Stakes",
      "TraceKind",
      "Tree",
      "WeightedPriorities",
      "branchings",
      "decodeMessage",
      "defaultHandelConfig",
      "encodeMessage",
      "invert",
      "isThreshold",
      "largestBatch",
      "leastWeight",
      "levelCount",
      "longestMessageBytes",
      "mechanisms",
      "messageBytes",
      "nextWindowSize",
      "noContribution",
      "paperWindow",
      "peerSet",
      "refusalName",
      "relativeWindow",
      "screeningRefusals",
      "shuffle",
      "shuffleBy",
      "sumOfWeights",
      "thresholdCount",
      "thresholdForm",
      "thresholdText",
      "treeForms",
      "version",
      "weightLimit",
      "windowRanks",
      "wireRefusals",
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
      "exhaustedRules",
      "graphVerifications",
    ]
  `);
});

it('@tutti/core/anonymous exports these names and no others', () => {
  expect(Object.keys(anonymous).sort()).toMatchInlineSnapshot(`
    [
      "HandleStore",
      "PlainRegistrations",
      "SetupMessage",
      "SetupNode",
      "defaultSetupConfig",
      "mostListedNames",
      "nobody",
    ]
  `);
});

it('@tutti/core/horn exports these names and no others', () => {
  expect(Object.keys(horn).sort()).toMatchInlineSnapshot(`
    [
      "Duty",
      "HornNode",
      "HornTopic",
      "MultiplicityScheme",
      "assignValidators",
      "defaultHornParameters",
      "electDuties",
      "expectedElected",
      "hornPresets",
      "hornSizes",
      "hornSystems",
      "probabilityOfNone",
      "runLengthCoding",
      "scaledHornParameters",
      "slotClock",
      "sparseCoding",
      "validateHornParameters",
    ]
  `);
});

it('@tutti/simulation exports these names and no others', () => {
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
      "confidenceInterval",
      "configOf",
      "createNetwork",
      "createSimulation",
      "decodeRecording",
      "decodeScenario",
      "defaultScenario",
      "drawOnGlobe",
      "encodeRecording",
      "encodeScenario",
      "faultKinds",
      "faultsByNode",
      "fitLine",
      "generateFaults",
      "linkedScenario",
      "loadNetwork",
      "matrixNetwork",
      "mostRecordingBytes",
      "networkForms",
      "outageKinds",
      "perfettoTrace",
      "protocolNames",
      "protocols",
      "scenarioArguments",
      "scenarioFields",
      "scenarioPresets",
      "shivizLog",
      "shivizParser",
      "simulate",
      "validateFaults",
      "validateNetwork",
      "validateScenario",
      "withPresentNames",
    ]
  `);
});

it('@tutti/simulation/attacks exports these names and no others', () => {
  expect(Object.keys(attacks).sort()).toMatchInlineSnapshot(`
    [
      "attackNamed",
      "attacks",
      "choosesIds",
      "isolatePlan",
      "readComposition",
      "readPlan",
      "worstFinds",
    ]
  `);
});

it('@tutti/simulation/checks exports these names and no others', () => {
  expect(Object.keys(checks).sort()).toMatchInlineSnapshot(`
    [
      "AttackSearch",
      "CheckFailed",
      "claims",
      "createModelChecker",
      "idRules",
      "randomScenario",
      "searchObjectives",
      "searchPatienceMs",
      "shrink",
      "shrinkBroken",
      "triedAs",
      "tryScenario",
    ]
  `);
});

it('@tutti/simulation/slots exports these names and no others', () => {
  expect(Object.keys(slots).sort()).toMatchInlineSnapshot(`
    [
      "aggregateAndProofBytes",
      "arrivalQuantiles",
      "batchedMs",
      "changeBytes",
      "clientPresetNames",
      "clientPresets",
      "createSlot",
      "defaultChainOptions",
      "defaultNetworkScenario",
      "defaultSampleSizes",
      "defaultSlotScenario",
      "ethereumGossipsub",
      "expectedLoss",
      "forwardingNames",
      "forwardingSchemes",
      "heavyTail",
      "honestLossShare",
      "hornAttackNamed",
      "hornAttacks",
      "hornTable",
      "hornTableNames",
      "inProportion",
      "layers",
      "linkPresetNames",
      "linkPresets",
      "lossNames",
      "machineNames",
      "machines",
      "nodeDistributions",
      "placeNodes",
      "proposalNames",
      "proposals",
      "randomBitfield",
      "runChain",
      "runNetworkSlot",
      "runNetworkSlots",
      "sampleAlternatives",
      "sampleGriefing",
      "singleAttestationBytes",
      "singleVoteLossShare",
      "slotModes",
      "slotSteps",
      "snappyBitfieldBytes",
      "systemOf",
      "topicSteps",
      "validateNetworkScenario",
      "votingSystemNames",
      "votingSystems",
      "withProposals",
    ]
  `);
});

it('@tutti/simulation/anonymous exports these names and no others', () => {
  expect(Object.keys(setup).sort()).toMatchInlineSnapshot(`
    [
      "defaultSetupScenario",
      "simulateSetup",
    ]
  `);
});

it('@tutti/lab exports these names and no others', () => {
  expect(Object.keys(lab).sort()).toMatchInlineSnapshot(`
    [
      "Figure",
      "bytesSent",
      "calibratedParameters",
      "calibratedScenario",
      "checked",
      "committeeCells",
      "createLabSimulation",
      "doublings",
      "drawFigure",
      "experiments",
      "extents",
      "matrixAttacks",
      "matrixCell",
      "matrixGiveUpMs",
      "matrixRows",
      "matrixScenario",
      "published",
      "publishedPoints",
      "raceProtocols",
      "raceScenario",
      "referenceQuirks",
      "runCommittee",
      "runRace",
      "scenariosFor",
      "simulateLab",
      "threeDigits",
      "timeMs",
    ]
  `);
});

it('@tutti/core/lean exports these names and no others', () => {
  expect(Object.keys(leanRules).sort()).toMatchInlineSnapshot(`
    [
      "addVote",
      "chooseChildren",
      "countNewVotes",
      "countVotes",
      "dropVotes",
      "emptyVotes",
      "hasVote",
      "isViable",
      "joinVotes",
      "ownersOf",
      "ownsWidth",
      "partsOfHalf",
      "reachingProof",
      "subnetsOfHalf",
      "topLevel",
      "votesWithin",
      "windowOf",
    ]
  `);
});

it('@tutti/simulation/lean exports these names and no others', () => {
  expect(Object.keys(lean).sort()).toMatchInlineSnapshot(`
    [
      "allPlacements",
      "checkLean",
      "compareLean",
      "comparedShares",
      "comparedWorlds",
      "defaultLeanScenario",
      "leafShareOf",
      "leanClaims",
      "leanContenders",
      "leanLink",
      "leanMapCell",
      "leanMetrics",
      "leanOutcomes",
      "leanPlacements",
      "leanProfileNames",
      "leanProfiles",
      "leanRivals",
      "leanRoles",
      "leanStarts",
      "leanStories",
      "leanStoryNames",
      "readLeanLink",
      "readProfile",
      "recordLeanSlot",
      "replayLeanLink",
      "runLeanChain",
      "runLeanSlot",
      "runRounds",
      "runSlotsInRow",
      "steadyChain",
      "validateLeanScenario",
    ]
  `);
});
