import { requireInteger, requireKnownFields, requireNumber, requireObject } from '../errors.ts';
import { largestBatch } from '../protocol.ts';
import {
  defaultsOf,
  durations,
  integers,
  listOf,
  oneOf,
  onOff,
  periods,
  requireAllIn,
  type SettingsOf,
} from '../setting.ts';

/**
 * Mechanisms that an experiment can switch off, to measure their effect. Each comment states the behaviour without the
 * mechanism. Start times and the fast path have no entry: a setting of 0 switches them off.
 */
export const mechanisms = [
  /** Every queued contribution is scored, whatever its rank (v1.03 section 3.3). */
  'window',
  /** The best ranked contribution is verified first, whatever its weight (section 3.3). */
  'score',
  /** A sender keeps its rank however often it was verified (v1.0 section 3.6). */
  'rank-growth',
  /** Contributions from senders of invalid ones are verified again (section 3.5.3). */
  'blacklist',
  /** Messages carry only aggregates (section 3.5). */
  'individual-contributions',
  /** Every aggregate of a sender is kept, not the heaviest one (section 3.5.2). */
  'bounded-queue',
  /** No node says that its level is complete (section 6). */
  'level-flag',
  /** The node answers no peer: a peer hears of a level only when the node contacts it (section 6). */
  'answers',
  /**
   * The level whose contribution promises most is verified first, even while another level is under attack. The paper
   * leaves the order between levels open.
   */
  'rank-between-levels',
  /** Between levels that go by rank, a window counts however far it has grown (section 3.3). */
  'capped-window',
  /** A level is first contacted at the end of the period in which its start time falls, as section 3.5.1 says. */
  'start-timers',
] as const;
/** Name of one mechanism that can be switched off. */
export type Mechanism = (typeof mechanisms)[number];

/** The parameters of Handel (v1.03 section 3.6). Milliseconds may be fractions; they are kept to the microsecond. */
export interface HandelConfig {
  /** Individual contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** Dissemination period DP: time between two contacts of one peer on an active level. Default 20. */
  readonly disseminationPeriodMs: number;
  /**
   * Time between the starts of two levels: level l of the binary tree starts (l-1) times this after the node's start.
   * In other trees, a level starts with the binary tree's level that has the same own side. Default 50.
   */
  readonly levelStartMs: number;
  /** Peers contacted immediately when Out_l becomes complete; 0 for none. Default 10. */
  readonly fastPathPeers: number;
  /**
   * If true, a level with nothing new to say only asks for what it lacks, at growing intervals (see
   * docs/concepts/back-off.md).
   */
  readonly backOff: boolean;
  readonly window: WindowConfig;
  /**
   * Maximum number of contributions verified together, 1 to {@link largestBatch}. With 1, a node verifies one at a
   * time, as in v1.03 section 6. Default 1. See docs/concepts/batch-verification.md.
   */
  readonly batch?: number;
  /** Mechanisms that are switched off, for experiments. Default none. */
  readonly without?: readonly Mechanism[];
}

/** Size of the window of scored senders, with the rules by which it grows and shrinks (v1.03 sections 3.3 and 3.6). */
export type WindowConfig = FixedWindow | RelativeWindow;

interface WindowSteps {
  /** Factor by which a valid contribution widens it. */
  readonly expansion: number;
  /** Divisor by which an invalid contribution shrinks it. */
  readonly contraction: number;
}

/** A window in ranks of [0, N): the larger N is, the smaller the share of a level's peers that it covers. */
export interface FixedWindow extends WindowSteps {
  readonly unit: 'ranks';
  /** 1 to max. */
  readonly initial: number;
  /** Limits how many failures it takes to return to 1 under attack. */
  readonly max: number;
}

/** A window in shares of a level's peers, the same on every level and for every N. */
export interface RelativeWindow extends WindowSteps {
  readonly unit: 'share';
  /** Over 0, up to max. */
  readonly initial: number;
  /** Least initial size, in ranks of [0, N), if there are that many: a share of few peers would round to none. */
  readonly atLeast: number;
  /** Over 0, up to 1, the whole level. */
  readonly max: number;
}

/** The window of v1.03 section 3.6; its text names no initial size, 16 is the reading that this project builds on. */
export const paperWindow: FixedWindow = { unit: 'ranks', initial: 16, max: 128, expansion: 2, contraction: 4 };

/**
 * Intentional divergence: a window that grows to all of a level's peers, whatever N is. From there it takes one failure
 * more to return to 1 than from 128 of 1024 ranks, and slow honest nodes verify fewer contributions that hardly help
 * them.
 */
export const relativeWindow: RelativeWindow = {
  unit: 'share',
  initial: 1 / 16,
  atLeast: 16,
  max: 1,
  expansion: 2,
  contraction: 4,
};

/** Constants of back-off. A period is a dissemination period. */
export const backOffRule = {
  /** Contacts after which a level falls quiet if the node lacks nothing of it. */
  contactsIfComplete: 1,
  /** Contacts after which a level falls quiet if the node lacks something. */
  contacts: 8,
  /** Minimum of these contacts for a node that caught a liar and has no output: liars never fall quiet. */
  contactsAmongLiars: 16,
  /** Periods that each quiet level waits after the node learnt something. */
  waitAfterLearning: 4,
  /** Number of first questions that a quiet level asks at half the rate, since their answers are still on the way. */
  firstQuestions: 7,
  /** Doublings of a level's wait per useless answer if all questions had useless answers. */
  doublingsPerUseless: 12,
  /** Number added to the questions asked: a few useless answers to a few questions say little. */
  doubtedQuestions: 3,
  /** Minimum number of unanswered questions that double a level's wait. */
  unansweredPerDoubling: 64,
  /** Unanswered questions per lacking contribution that double a level's wait, where these are more. */
  unansweredPerLacking: 3,
  /** Maximum wait of a level, in periods for each quiet level that lacks something. */
  longestWaitPerLevel: 20,
  /** Maximum pause of a node with an output, in periods. */
  longestPause: 32,
} as const;

/** Maximum counts of a quiet level: periods to wait, questions asked, useless answers. */
export const maxWait = 0x7ff;
export const maxAsked = 0xfff;
export const maxUseless = 0xff;
/** Maximum credit of a node, in messages. */
export const maxCredit = 0x7ff;

/**
 * Default, range and meaning of each parameter. The defaults are the paper's values, except for the window and the
 * back-off. The threshold has no entry, since its range depends on the number of nodes.
 */
export const handelSettings: SettingsOf<Omit<HandelConfig, 'threshold'>> = {
  disseminationPeriodMs: { default: 20, range: periods, about: 'dissemination period' },
  levelStartMs: { default: 50, range: durations(0, periods.most), about: 'time between the starts of levels' },
  fastPathPeers: {
    default: 10,
    range: integers(0, 2 ** 20),
    about: 'number of peers contacted at once on a complete level',
  },
  backOff: {
    default: true,
    range: onOff,
    about: 'on: a level without news only requests missing contributions, at growing intervals; or off',
  },
  window: { default: relativeWindow, range: { kind: 'own', validate: requireWindow }, about: 'the window' },
  batch: {
    default: 1,
    range: integers(1, largestBatch),
    about: 'maximum contributions per verification batch; 1: no batches, as in the paper',
  },
  without: {
    default: [],
    range: listOf(oneOf(mechanisms)),
    about: 'switch off a mechanism of Handel, to measure its effect',
  },
};

/** Default of every parameter except the threshold. */
export const defaultHandelConfig: Required<Omit<HandelConfig, 'threshold'>> = defaultsOf(handelSettings);

/**
 * Parameters of the node as v1.03 describes it, without this library's changes. Two more differences are chosen
 * elsewhere: the paper has independent rows of verification priorities (`IndependentPriorities`) and a tree whose empty
 * leaves are at the end (`packed`).
 */
export const paperHandelConfig: Required<Omit<HandelConfig, 'threshold'>> = {
  ...defaultHandelConfig,
  window: paperWindow,
  backOff: false,
  without: ['start-timers', 'rank-between-levels', 'answers'],
};

/**
 * Validates a config for a round of `nodes` nodes.
 *
 * @throws RangeError naming the parameter, its range and the value.
 */
export function validateHandelConfig(config: HandelConfig, nodes: number): void {
  requireKnownFields('config', config, ['threshold', ...Object.keys(handelSettings)]);
  requireInteger('threshold', config.threshold, 1, nodes);
  const { batch = defaultHandelConfig.batch, without = defaultHandelConfig.without } = config;
  requireAllIn({ ...config, batch, without }, handelSettings);
}

function requireWindow(label: string, window: WindowConfig): void {
  if (window.unit === 'ranks') {
    requireInteger(`${label}.max`, window.max, 1, 2 ** 20);
    requireInteger(`${label}.initial`, window.initial, 1, window.max);
  } else {
    requireNumber(`${label}.max`, window.max, 2 ** -20, 1);
    requireNumber(`${label}.initial`, window.initial, 2 ** -20, window.max);
    requireInteger(`${label}.atLeast`, window.atLeast, 1, 2 ** 20);
  }
  requireNumber(`${label}.expansion`, window.expansion, 1, 1024);
  requireNumber(`${label}.contraction`, window.contraction, 1, 1024);
}

/** Converts a config's `without` to one boolean per mechanism, for hot paths. */
export function switchedOff({ without = [] }: HandelConfig): Record<Mechanism, boolean> {
  return {
    window: without.includes('window'),
    score: without.includes('score'),
    'rank-growth': without.includes('rank-growth'),
    blacklist: without.includes('blacklist'),
    'individual-contributions': without.includes('individual-contributions'),
    'bounded-queue': without.includes('bounded-queue'),
    'level-flag': without.includes('level-flag'),
    answers: without.includes('answers'),
    'rank-between-levels': without.includes('rank-between-levels'),
    'capped-window': without.includes('capped-window'),
    'start-timers': without.includes('start-timers'),
  };
}

/** Limits of a window, in ranks of [0, span). */
export interface WindowRanks {
  readonly initial: number;
  readonly max: number;
  readonly expansion: number;
  readonly contraction: number;
}

/**
 * Limits of a window in ranks (v1.03 section 3.6). Ranks lie in [0, span), and only N of them belong to a peer. So
 * limits given in ranks of [0, N) are multiplied by span / N, to cover as many peers.
 */
export function windowRanks(config: WindowConfig, nodes: number, span: number): WindowRanks {
  requireObject('config', config);
  const { expansion, contraction } = config;
  const inRanks = (size: number): number => Math.max(1, Math.round((size * span) / nodes));
  if (config.unit === 'ranks') {
    return { initial: inRanks(config.initial), max: inRanks(config.max), expansion, contraction };
  }
  const max = Math.max(1, Math.round(config.max * span));
  const initial = Math.max(Math.round(config.initial * span), inRanks(config.atLeast));
  return { initial: Math.min(max, initial), max, expansion, contraction };
}

/**
 * Size of a level's window after a verification (v1.03 sections 3.3 and 3.6), at least 1 and at most the maximum. A
 * valid contribution multiplies it by the expansion, to exploit good contributions. An invalid one divides it by the
 * contraction, so that under attack the node soon verifies by rank alone.
 */
export function nextWindowSize(size: number, valid: boolean, window: WindowRanks): number {
  requireObject('window', window);
  return valid
    ? Math.min(window.max, Math.floor(size * window.expansion))
    : Math.max(1, Math.floor(size / window.contraction));
}
