import {
  type Branching,
  branchings,
  isThreshold,
  largestBatch,
  mechanisms,
  thresholdForm,
  treeForms,
} from '@tutti/core';
import { exhaustedRules, graphVerifications } from '@tutti/core/protocols';
import { acrossLevels } from '../attacks/acrossLevels.ts';
import { attacks } from '../attacks/attacks.ts';
import { planText, readPlan } from '../attacks/plan.ts';
import { networkForms, networkText } from '../engine/network/network.ts';
import { referenceQuirks } from '../quirks/referenceQuirks.ts';
import {
  badChoice,
  badText,
  choiceText,
  durationText,
  integerText,
  numberText,
  plainDecimal,
  type TextReader,
} from '../text/fieldText.ts';
import type { Fault } from './faultPlan.ts';
import {
  type AttackShare,
  defaultScenario,
  type ProtocolName,
  protocolNames,
  requireScenario,
  type Scenario,
} from './scenario.ts';

/**
 * One field of a scenario as people write it: a flag of `tutti simulate`, a parameter of a link to the page and a
 * control of its form are all made from this list, so that nothing that can be said in one of them is lost in another.
 */
export interface ScenarioField {
  /** Its flag without the dashes, and its parameter in a link. */
  readonly name: string;
  /** The flag and parameter that it was in earlier versions, and that are read still. */
  readonly formerName?: string;
  /** How its value is shown in help, such as `<share>`. */
  readonly form: string;
  /** The part of a scenario that it sets, as errors name it, such as `cpu.spread`. */
  readonly path: string;
  readonly about: string;
  /** The only protocol that has it; undefined for all. */
  readonly owner?: ProtocolName;
  /** Whether it may be given more than once. */
  readonly repeatable: boolean;
  /** The texts that give the scenario's value, one a repetition. */
  readonly write: (scenario: Scenario) => readonly string[];
  /**
   * The scenario with the text's value; a repeatable field gets it in addition to the ones it has.
   *
   * @throws RangeError with `label`, what was expected and what came.
   */
  readonly read: (label: string, text: string, scenario: Scenario) => Scenario;
}

type Described = Pick<ScenarioField, 'name' | 'formerName' | 'form' | 'about' | 'owner'>;

/** A field with one value. */
function single<T>(
  path: string,
  described: Described,
  read: TextReader<T>,
  get: (scenario: Scenario) => T,
  set: (scenario: Scenario, value: T) => Scenario,
): ScenarioField {
  return {
    ...described,
    path,
    repeatable: false,
    write: (scenario) => {
      const value = get(scenario);
      return [typeof value === 'number' ? plainDecimal(value) : String(value)];
    },
    read: (label, text, scenario) => set(scenario, read(label, text)),
  };
}

type FieldOf<T> = { [K in keyof Scenario]: Scenario[K] extends T ? K : never }[keyof Scenario];

function number(key: FieldOf<number>, described: Described, read: TextReader<number>): ScenarioField {
  return single(
    key,
    described,
    read,
    (scenario) => scenario[key],
    (scenario, value) => ({ ...scenario, [key]: value }),
  );
}

/** A field with a list of values. */
function list<T>(
  key: keyof Scenario,
  described: Described,
  read: TextReader<T>,
  get: (scenario: Scenario) => readonly T[],
  write: (value: T) => string,
): ScenarioField {
  return {
    ...described,
    path: key,
    repeatable: true,
    write: (scenario) => get(scenario).map(write),
    read: (label, text, scenario) => ({ ...scenario, [key]: [...get(scenario), read(label, text)] }),
  };
}

const shareFromZero = numberText('a number from 0 to under 1', (share) => share >= 0 && share < 1);
const shareToOne = numberText('a number from 0 to 1', (share) => share >= 0 && share <= 1);
const threshold = numberText(thresholdForm, isThreshold);

const attackShare: TextReader<AttackShare> = (label, text) => {
  const [, name = '', share = '', , plan] = /^([a-z-]+):([^:]+)(:(.+))?$/.exec(text) ?? [];
  const names = attacks.map((attack) => attack.name);
  if (!names.includes(name)) throw badChoice(label, names, text, `NAME:SHARE with one of ${names.join(', ')}`, name);
  const read = numberText('a share from 0 to under 1 behind the colon', (value) => value < 1);
  const one = { name, share: read(label, share) };
  if (plan === undefined) return one;
  if (name !== acrossLevels.name) throw badText(label, `a plan for ${acrossLevels.name} alone`, text);
  return { ...one, plan: planText(readPlan(plan, label)) };
};

/** A fault's values are checked with the whole scenario, since they depend on the number of nodes. */
const fault: TextReader<Fault> = (label, text) => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {}
  if (typeof parsed === 'object' && parsed !== null && 'kind' in parsed) return parsed as Fault;
  throw badText(label, 'a JSON object with a kind, such as {"kind":"loss","share":0.1}', text);
};

const cpu = (key: keyof Scenario['cpu'], described: Described, read: TextReader<number>): ScenarioField =>
  single(
    `cpu.${key}`,
    described,
    read,
    (scenario) => scenario.cpu[key],
    (scenario, value) => ({ ...scenario, cpu: { ...scenario.cpu, [key]: value } }),
  );

/** Everything that a scenario can hold, in the order in which a command names it. */
export const scenarioFields: readonly ScenarioField[] = [
  single(
    'protocol',
    { name: 'protocol', form: '<name>', about: protocolNames.join(', ') },
    choiceText(protocolNames),
    (scenario) => scenario.protocol,
    (scenario, protocol) => ({ ...scenario, protocol }),
  ),
  number('nodes', { name: 'nodes', form: '<n>', about: 'nodes, 1 to 1048576' }, integerText(1, 2 ** 20)),
  single(
    'tree',
    {
      name: 'tree',
      form: '<name>',
      about: 'empty leaves where N is no power of two: spread, or packed at the end',
    },
    choiceText(treeForms),
    (scenario) => scenario.tree,
    (scenario, tree) => ({ ...scenario, tree }),
  ),
  single(
    'branching',
    {
      name: 'branching',
      form: '<n>',
      about: 'children of a subtree: 2, 4 or 8',
      owner: 'handel',
    },
    choiceText(branchings.map(String)),
    (scenario) => String(scenario.branching),
    (scenario, branching) => ({ ...scenario, branching: Number(branching) as Branching }),
  ),
  number(
    'threshold',
    {
      name: 'threshold',
      form: '<share|n>',
      about:
        'contributions that an output needs: a share of the live nodes up to 1, rounded up, or a count of 2 or more',
    },
    threshold,
  ),
  single(
    'network',
    { name: 'network', form: '<model>', about: networkForms },
    networkText,
    (scenario) => scenario.network,
    (scenario, value) => ({ ...scenario, network: value }),
  ),
  number('tor', { name: 'tor', form: '<share>', about: 'share of the nodes that are behind Tor' }, shareToOne),
  number('dead', { name: 'dead', form: '<share>', about: 'share of the nodes that are dead' }, shareFromZero),
  single(
    'deadBy',
    { name: 'dead-by', form: '<name>', about: 'dead nodes: by chance, or one of each machine in turn' },
    choiceText(['chance', 'machine']),
    (scenario) => scenario.deadBy,
    (scenario, deadBy) => ({ ...scenario, deadBy }),
  ),
  number(
    'absent',
    { name: 'absent', form: '<n>', about: 'nodes that are absent at first: a count, or a share under 1' },
    numberText('a number of nodes, or a share from 0 to under 1', (of) => of >= 0 && (of < 1 || Number.isInteger(of))),
  ),
  number('absentMs', { name: 'absent-ms', form: '<ms>', about: 'how long they are absent' }, durationText(0.001)),
  number('desyncMs', { name: 'desync', form: '<ms>', about: 'nodes start within this time' }, durationText()),
  single(
    'scheme',
    { name: 'scheme', form: '<name>', about: 'counting; bls or pixel for real signatures' },
    choiceText(['counting', 'bls', 'pixel']),
    (scenario) => scenario.scheme,
    (scenario, scheme) => ({ ...scenario, scheme }),
  ),
  number('periodMs', { name: 'period', form: '<ms>', about: 'dissemination period' }, durationText(0.001)),
  number(
    'levelStartMs',
    { name: 'level-start', form: '<ms>', about: 'time between the starts of levels' },
    durationText(),
  ),
  number(
    'fastPath',
    { name: 'fast-path', form: '<n>', about: 'peers contacted at once on a complete level' },
    integerText(0, 2 ** 20),
  ),
  single(
    'backOff',
    {
      name: 'back-off',
      form: '<on|off>',
      about: 'on: a level with nothing new to say only asks for what it lacks, ever more rarely; or off',
      owner: 'handel',
    },
    choiceText(['on', 'off']),
    (scenario) => (scenario.backOff ? 'on' : 'off'),
    (scenario, backOff) => ({ ...scenario, backOff: backOff === 'on' }),
  ),
  number(
    'batch',
    {
      name: 'together',
      form: '<n>',
      about: 'most contributions verified together; 1: one at a time, as in the paper',
      owner: 'handel',
    },
    integerText(1, largestBatch),
  ),
  number(
    'verifyMs',
    { name: 'verify-ms', form: '<ms>', about: 'cost of a verification on a standard node' },
    durationText(),
  ),
  number('seed', { name: 'seed', form: '<n>', about: 'an integer from 0 to 4294967295' }, integerText(0, 2 ** 32 - 1)),
  single(
    'priorities',
    { name: 'priorities', form: '<name>', about: 'verification priorities: shifted or independent rows' },
    choiceText(['shifted', 'independent']),
    (scenario) => scenario.priorities,
    (scenario, priorities) => ({ ...scenario, priorities }),
  ),
  single(
    'completeGraph.verification',
    {
      name: 'verification',
      form: '<name>',
      about: 'verify each contribution singly, or all in bulk',
      owner: 'complete-graph',
    },
    choiceText(graphVerifications),
    (scenario) => scenario.completeGraph.verification,
    (scenario, verification) => ({ ...scenario, completeGraph: { verification } }),
  ),
  single(
    'window',
    {
      name: 'window',
      form: '<name>',
      about: "the window: relative to a level's size, or the paper's 16 to 128 ranks",
      owner: 'handel',
    },
    choiceText(['relative', 'paper']),
    (scenario) => scenario.window,
    (scenario, window) => ({ ...scenario, window }),
  ),
  single(
    'sanFermin.candidates',
    { name: 'candidates', form: '<n>', about: 'partners asked at a time', owner: 'san-fermin' },
    integerText(1, 2 ** 20),
    (scenario) => scenario.sanFermin.candidates,
    (scenario, candidates) => ({ ...scenario, sanFermin: { ...scenario.sanFermin, candidates } }),
  ),
  single(
    'sanFermin.replyTimeoutMs',
    { name: 'reply-timeout', form: '<ms>', about: 'how long partners have to answer', owner: 'san-fermin' },
    durationText(0.001),
    (scenario) => scenario.sanFermin.replyTimeoutMs,
    (scenario, replyTimeoutMs) => ({ ...scenario, sanFermin: { ...scenario.sanFermin, replyTimeoutMs } }),
  ),
  single(
    'sanFermin.exhausted',
    {
      name: 'exhausted',
      form: '<name>',
      about: 'when all of a level were asked in vain: leave it, or wait for what comes later',
      owner: 'san-fermin',
    },
    choiceText(exhaustedRules),
    (scenario) => scenario.sanFermin.exhausted,
    (scenario, exhausted) => ({ ...scenario, sanFermin: { ...scenario.sanFermin, exhausted } }),
  ),
  single(
    'gossip.of',
    { name: 'gossip-of', form: '<name>', about: 'what is gossiped: individuals or aggregates', owner: 'gossip' },
    choiceText(['individuals', 'aggregates']),
    (scenario) => scenario.gossip.of,
    (scenario, of) => ({ ...scenario, gossip: { ...scenario.gossip, of } }),
  ),
  single(
    'gossip.degree',
    { name: 'degree', form: '<n>', about: 'neighbours in a mesh, with gossip and with Horn', owner: 'gossip' },
    integerText(1, 2 ** 20),
    (scenario) => scenario.gossip.degree,
    (scenario, degree) => ({ ...scenario, gossip: { ...scenario.gossip, degree } }),
  ),
  cpu(
    'spread',
    { name: 'cpu-spread', form: '<factor>', about: 'machines are up to this many times slower or faster' },
    numberText('a number from 1 to 1000', (factor) => factor >= 1 && factor <= 1000),
  ),
  cpu(
    'perKeyUs',
    { name: 'per-key-us', form: '<us>', about: 'what each key adds to the cost of a verification' },
    micros(),
  ),
  cpu(
    'perMessageUs',
    {
      name: 'per-message-us',
      form: '<us>',
      about: 'what a message costs its sender and its receiver, on shared cores',
    },
    micros(),
  ),
  cpu(
    'nodesPerCore',
    {
      name: 'nodes-per-core',
      form: '<n>',
      about: 'nodes of a machine or region that share a core; 0: each has its own',
    },
    integerText(0, 2 ** 20),
  ),
  cpu(
    'sliceMs',
    { name: 'slice', form: '<ms>', about: 'how long a timer waits for a busy shared core' },
    durationText(),
  ),
  cpu(
    'startsApartMs',
    { name: 'starts-apart', form: '<ms>', about: "time between the starts of a machine's nodes" },
    durationText(),
  ),
  list(
    'attacks',
    {
      name: 'attack',
      form: '<name:share[:plan]>',
      about: 'make a share of the nodes Byzantine with this behaviour; repeatable',
    },
    attackShare,
    (scenario) => scenario.attacks,
    ({ name, share, plan }) => `${name}:${plainDecimal(share)}${plan === undefined ? '' : `:${plan}`}`,
  ),
  list(
    'faults',
    { name: 'fault', form: '<json>', about: 'what breaks, when and where; repeatable' },
    fault,
    (scenario) => scenario.faults,
    (one) => JSON.stringify(one),
  ),
  list(
    'without',
    {
      name: 'without',
      form: '<mechanism>',
      about: 'switch a mechanism of Handel off, to see what it is for; repeatable',
      owner: 'handel',
    },
    choiceText(mechanisms),
    (scenario) => scenario.without,
    String,
  ),
  list(
    'referenceQuirks',
    {
      name: 'reference-quirk',
      formerName: 'habit',
      form: '<name>',
      about: 'a quirk of the Go reference; repeatable',
      owner: 'handel',
    },
    choiceText(referenceQuirks),
    (scenario) => scenario.referenceQuirks,
    String,
  ),
  single(
    'wire',
    { name: 'wire', form: '<name>', about: 'bytes counted by the messages of tutti or of the go-reference' },
    choiceText(['tutti', 'go-reference']),
    (scenario) => scenario.wire,
    (scenario, wire) => ({ ...scenario, wire }),
  ),
  single(
    'authenticated',
    { name: 'authentication', form: '<on|off>', about: 'off: no message proves who sent it' },
    choiceText(['on', 'off']),
    (scenario) => (scenario.authenticated ? 'on' : 'off'),
    (scenario, authentication) => ({ ...scenario, authenticated: authentication === 'on' }),
  ),
];

function micros(): TextReader<number> {
  return numberText('microseconds, a number from 0 to 600000', (us) => us >= 0 && us <= 600_000);
}

/**
 * The fields that make `scenario` of `base`, by name and text, in order: those whose values differ. What belongs to
 * another protocol is left out, as it changes nothing.
 *
 * @param always names of fields that are given even where they do not differ.
 */
export function writeScenario(
  scenario: Scenario,
  base: Scenario = defaultScenario,
  always: readonly string[] = [],
): (readonly [name: string, text: string])[] {
  requireScenario(scenario);
  return scenarioFields.flatMap(({ name, owner, write }) => {
    if (owner !== undefined && owner !== scenario.protocol) return [];
    const texts = write(scenario);
    const isBase = texts.join('\n') === write(base).join('\n');
    return isBase && !always.includes(name) ? [] : texts.map((text) => [name, text] as const);
  });
}

/** What everybody wants to see of a run, whatever its default. */
const alwaysNamed = ['protocol', 'nodes', 'threshold', 'network', 'dead', 'scheme', 'seed'];

/** The arguments of `tutti simulate` that make the same run, with the same digest. */
export function scenarioArguments(scenario: Scenario): string[] {
  return writeScenario(scenario, defaultScenario, alwaysNamed).flatMap(([name, text]) => [`--${name}`, text]);
}
