import {
  branchings,
  graphVerifications,
  handelSettings,
  isThreshold,
  sanFerminSettings,
  thresholdForm,
  treeForms,
} from '@tutti/core';
import {
  durations,
  expected,
  factors,
  integers,
  isObject,
  listOf,
  microseconds,
  oneOf,
  onOff,
  parseJson,
  partialShares,
  requireIn,
  type Setting,
  seedSetting,
  shares,
} from '@tutti/core/input';
import { type ProtocolName, protocolNames } from '../attacks/attack.ts';
import { attackNamed, attacks } from '../attacks/attacks.ts';
import { acrossLevels } from '../attacks/composedAttacks.ts';
import { planText, readPlan } from '../attacks/composition.ts';
import { networkForms, networkText } from '../engine/network/network.ts';
import { badChoice, badText, numberText, plainDecimal, type TextRange } from '../text/fieldText.ts';
import type { Fault } from './faultPlan.ts';
import type { AttackShare, Scenario } from './scenarioType.ts';
import { validateWeights, weightsText } from './weights.ts';

/** A field of a scenario: its default, its range, its description and its text form. */
export interface Field<T> extends Setting<T> {
  /** Name of the field's flag without the dashes, and of its parameter in a link. */
  readonly name: string;
  /** Form of the field's value shown in help, such as `<share>`, if the form does not follow from the range. */
  readonly form?: string;
  /** The only protocols with this field; undefined if all protocols have the field. */
  readonly owners?: readonly ProtocolName[];
  /** Group of the field in help. Default: listed under the first of the field's owners, or with the run. */
  readonly group?: FieldGroup;
}

/** Groups of fields in help. A field without a group is listed under `Run`, or under its first owner, such as `Handel`. */
export type FieldGroup = 'Run' | 'Network' | 'Machines' | 'Faults and attacks' | 'Handel';

/**
 * A table with one entry per field of `S`, and one nested table per group of fields. A missing entry causes a
 * compile-time error.
 */
export type FieldTable<S> = {
  readonly [K in keyof S]: S[K] extends readonly unknown[]
    ? Field<S[K]>
    : S[K] extends object
      ? FieldTable<S[K]>
      : Field<S[K]>;
};

/**
 * Maximum duration, ms. A run is stopped before it reaches 35 minutes, the longest time that a recording's 32 bits of
 * µs can represent.
 */
const longestMs = 600_000;

/** Maximum number of nodes, and of anything that exists once per node. */
const maxNodes = 2 ** 20;

const threshold = numbersIn(thresholdForm, isThreshold);
const absent = numbersIn(
  'a number of nodes, or a share from 0 to less than 1',
  (of) => of >= 0 && (of < 1 || Number.isInteger(of)),
);

function numbersIn(form: string, isIn: (value: number) => boolean): TextRange<number> {
  return {
    kind: 'own',
    validate(label, value) {
      if (typeof value !== 'number' || !isIn(value)) throw new RangeError(expected(label, form, value));
    },
    read: numberText(form, isIn),
    write: plainDecimal,
  };
}

const network: TextRange<string> = {
  kind: 'own',
  // The name is checked when the network is created, because a file's network is registered in some threads only.
  validate(label, value) {
    if (typeof value !== 'string') throw new RangeError(expected(label, networkForms, value));
  },
  read: networkText,
  write: String,
};

const weights: TextRange<string> = { kind: 'own', validate: validateWeights, read: weightsText, write: String };

const attackNames = () => attacks.map(({ name }) => name);

const attackFields: readonly string[] = ['name', 'share', 'plan'];

const attackShare: TextRange<AttackShare> = {
  kind: 'own',
  validate(label, attack) {
    if (!isObject(attack)) throw new RangeError(expected(label, 'an object with name and share', attack));
    const other = Object.keys(attack).find((field) => !attackFields.includes(field));
    if (other !== undefined) throw new RangeError(expected(label, `no fields but ${attackFields.join(', ')}`, other));
    const { name, share, plan } = attack;
    requireIn(label, name, oneOf(attackNames()));
    requireIn(`share of ${name}`, share, partialShares);
    if (plan === undefined) return;
    requireIn('attack with a plan', name, oneOf([acrossLevels.name]));
    if (typeof plan !== 'string') throw new RangeError(expected(`plan of ${name}`, 'a text', plan));
    readPlan(plan);
  },
  read(label, text) {
    const [, name = '', share = '', , plan] = /^([a-z-]+):([^:]+)(:(.+))?$/.exec(text) ?? [];
    const names = attackNames();
    if (attackNamed(name) === undefined)
      throw badChoice(label, names, text, `NAME:SHARE, where NAME is one of ${names.join(', ')}`, name);
    const read = numberText('a share from 0 to less than 1 after the colon', (value) => value < 1);
    const one = { name, share: read(label, share) };
    if (plan === undefined) return one;
    if (name !== acrossLevels.name) throw badText(label, `a plan for ${acrossLevels.name} alone`, text);
    return { ...one, plan: planText(readPlan(plan, label)) };
  },
  write: ({ name, share, plan }) => `${name}:${plainDecimal(share)}${plan === undefined ? '' : `:${plan}`}`,
};

const fault: TextRange<Fault> = {
  kind: 'own',
  // Faults are checked together with the whole scenario, since their ids depend on the number of nodes.
  validate() {},
  read(label, text) {
    let parsed: unknown;
    try {
      parsed = parseJson(text);
    } catch {}
    if (typeof parsed === 'object' && parsed !== null && 'kind' in parsed) return parsed as Fault;
    throw badText(label, 'a JSON object with a kind, such as {"kind":"loss","share":0.1}', text);
  },
  write: (one) => JSON.stringify(one),
};

/**
 * Every field of a scenario: its default, its range, its description, and its text form. This table generates the
 * default scenario, the checks, the flags of `tutti simulate`, the parameters of a link, the page's form and the schema.
 * The defaults are the paper's parameters on its AWS network.
 */
export const scenarioTable: FieldTable<Scenario> = {
  protocol: { name: 'protocol', default: 'handel', range: oneOf(protocolNames), about: protocolNames.join(', ') },
  nodes: { name: 'nodes', default: 1024, range: integers(1, maxNodes), about: `nodes, 1 to ${maxNodes}` },
  tree: {
    name: 'tree',
    default: 'spread',
    range: oneOf(treeForms),
    about: 'empty leaves of the tree: spread over the tree, or packed at its end',
    group: 'Handel',
  },
  weights: {
    name: 'weights',
    default: 'equal',
    range: weights,
    about: 'weights of the nodes: equal, drawn from pareto:A, or a list such as 24x1000,1000x1',
    form: '<weights>',
    owners: ['handel', 'complete-graph'],
  },
  prioritiesBy: {
    name: 'priority-basis',
    default: 'weight',
    range: oneOf(['weight', 'id']),
    about: 'how verification priorities are drawn if weights differ: by weight; or by id, as in the paper',
    owners: ['handel', 'complete-graph'],
  },
  branching: {
    name: 'branching',
    default: 2,
    range: oneOf(branchings),
    about: 'children per subtree: 2, 4 or 8',
    form: '<n>',
    owners: ['handel'],
  },
  threshold: {
    name: 'threshold',
    default: 0.99,
    range: threshold,
    about: 'contributions required for an output: a share of the live nodes, rounded up, or a count',
    form: '<share|n>',
  },
  network: {
    name: 'network',
    default: 'aws',
    range: network,
    about: networkForms,
    form: '<model>',
    group: 'Network',
  },
  tor: { name: 'tor', default: 0, range: shares, about: 'share of the nodes behind Tor', group: 'Network' },
  jitter: {
    name: 'jitter',
    default: true,
    range: onOff,
    about: 'vary the latency of a pair from message to message',
    group: 'Network',
  },
  dead: {
    name: 'dead',
    default: 0,
    range: partialShares,
    about: 'share of dead nodes',
    group: 'Faults and attacks',
  },
  deadBy: {
    name: 'dead-placement',
    default: 'chance',
    range: oneOf(['chance', 'machine']),
    about: 'selection of dead nodes: at random, or one per machine in turn',
    group: 'Faults and attacks',
  },
  absent: {
    name: 'absent',
    default: 0,
    range: absent,
    about: 'initially absent nodes: a count, or a share below 1',
    form: '<share|n>',
  },
  absentMs: {
    name: 'absent-ms',
    default: 10_000,
    range: durations(0.001, longestMs),
    about: 'time for which these nodes are absent',
  },
  desyncMs: {
    name: 'desync',
    default: 0,
    range: durations(0, longestMs),
    about: 'time within which all nodes start',
    group: 'Machines',
  },
  scheme: {
    name: 'scheme',
    default: 'counting',
    range: oneOf(['counting', 'bls']),
    about: 'counting (no signatures), or bls (real signatures)',
  },
  periodMs: { ...handelSettings.disseminationPeriodMs, name: 'period', group: 'Handel' },
  levelStartMs: { ...handelSettings.levelStartMs, name: 'level-start', group: 'Handel' },
  fastPath: { ...handelSettings.fastPathPeers, name: 'fast-path', group: 'Handel' },
  backOff: { ...handelSettings.backOff, name: 'back-off', owners: ['handel'] },
  batch: { ...handelSettings.batch, name: 'batch', owners: ['handel'] },
  verifyMs: {
    name: 'verify-ms',
    default: 4,
    range: durations(0, longestMs),
    about: 'duration of a verification on a standard node',
    group: 'Machines',
  },
  cpu: {
    spread: {
      name: 'cpu-spread',
      default: 3,
      range: factors(1, 1000),
      about: 'maximum factor by which machines are slower or faster',
      group: 'Machines',
    },
    perKeyUs: {
      name: 'per-key-us',
      default: 0,
      range: microseconds(0, 600_000),
      about: 'additional duration of a verification per key',
      group: 'Machines',
    },
    perMessageUs: {
      name: 'per-message-us',
      default: 0,
      range: microseconds(0, 600_000),
      about: 'CPU time per message for the sender and for the receiver, on shared cores',
      group: 'Machines',
    },
    nodesPerCore: {
      name: 'nodes-per-core',
      default: 0,
      range: integers(0, maxNodes),
      about: 'number of nodes on a machine or in a region that share a core; 0: each node has its own core',
      group: 'Machines',
    },
    sliceMs: {
      name: 'slice',
      default: 0,
      range: durations(0, longestMs),
      about: 'additional delay of a timer on a busy shared core',
      group: 'Machines',
    },
    startsApartMs: {
      name: 'starts-apart',
      default: 0,
      range: durations(0, longestMs),
      about: "time between the starts of a machine's nodes",
      group: 'Machines',
    },
  },
  seed: { ...seedSetting, name: 'seed' },
  priorities: {
    name: 'priorities',
    default: 'shifted',
    range: oneOf(['shifted', 'independent']),
    about: 'verification priorities of the nodes: shifted or independent rows',
    group: 'Handel',
  },
  window: {
    name: 'window',
    default: 'relative',
    range: oneOf(['relative', 'paper']),
    about: "verification window: relative to a level's size, or the paper's 16 to 128 ranks",
    owners: ['handel'],
  },
  attacks: {
    name: 'attack',
    default: [],
    range: listOf(attackShare),
    about: 'behaviour and share of Byzantine nodes; repeatable',
    form: '<name:share[:plan]>',
    group: 'Faults and attacks',
  },
  attackBy: {
    name: 'attack-share-of',
    default: 'nodes',
    range: oneOf(['nodes', 'weight', 'heaviest', 'lightest']),
    about:
      'quantity to which the shares of --attack refer: the number of nodes; or the weight, with attackers drawn at random, from the heaviest or from the lightest nodes',
    owners: ['handel', 'complete-graph'],
    group: 'Faults and attacks',
  },
  faults: {
    name: 'fault',
    default: [],
    range: listOf(fault),
    about: 'fault, with its time and place; repeatable',
    form: '<json>',
    group: 'Faults and attacks',
  },
  without: {
    ...handelSettings.without,
    name: 'without',
    about: `${handelSettings.without.about}; repeatable`,
    form: '<mechanism>',
    owners: ['handel'],
  },
  authenticated: {
    name: 'authentication',
    default: true,
    range: onOff,
    about: 'off: messages do not authenticate their sender',
    group: 'Faults and attacks',
  },
  completeGraph: {
    verification: {
      name: 'verification',
      default: 'each',
      range: oneOf(graphVerifications),
      about: 'verify contributions individually, or all of them in bulk',
      owners: ['complete-graph'],
    },
  },
  sanFermin: {
    candidates: { ...sanFerminSettings.candidates, name: 'candidates', owners: ['san-fermin'] },
    replyTimeoutMs: { ...sanFerminSettings.replyTimeoutMs, name: 'reply-timeout', owners: ['san-fermin'] },
    exhausted: { ...sanFerminSettings.exhausted, name: 'exhausted', owners: ['san-fermin'] },
  },
  gossip: {
    of: {
      name: 'gossip-of',
      default: 'individuals',
      range: oneOf(['individuals', 'aggregates']),
      about: 'contributions in gossip messages: individual ones or aggregates',
      owners: ['gossip'],
    },
    degree: {
      name: 'degree',
      default: 8,
      range: integers(1, maxNodes),
      about: 'number of neighbours in a mesh, with gossip and with Horn',
      owners: ['gossip'],
    },
  },
};
