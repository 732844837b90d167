import { requireKnownFields, requireObject } from '../arguments.ts';
import { requireInteger, requireNumber } from '../errors.ts';
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
  requireIn,
  type SettingsOf,
} from '../setting.ts';

/**
 * Mechanisms that an experiment can switch off, to measure their effect. The comment on each mechanism states the
 * behaviour without it. Start times and the fast path have no entry: setting their parameter to 0 switches them off.
 */
export const mechanisms = [
  /** Scores every queued contribution, whatever its rank (v1.03 section 3.3). */
  'window',
  /** Verifies the best ranked contribution first, whatever its weight (section 3.3). */
  'score',
  /** Keeps a sender's rank, however many of its contributions have been verified (v1.0 section 3.6). */
  'rank-growth',
  /** Continues to verify contributions of senders that sent invalid ones (section 3.5.3). */
  'blacklist',
  /** Sends only aggregates in messages (section 3.5). */
  'individual-contributions',
  /** Stores every aggregate of a sender, not only the heaviest one (section 3.5.2). */
  'bounded-queue',
  /** Sends no flag for a complete level (section 6). */
  'level-flag',
  /** Answers no peer: a peer receives messages on a level only when the node contacts it (section 6). */
  'answers',
  /**
   * Verifies the contribution that promises the largest gain first, even while another level is under attack. The paper
   * does not specify the order between levels.
   */
  'rank-between-levels',
  /** Counts a window in full in the choice between levels by rank, however far it has grown (section 3.3). */
  'capped-window',
  /** Contacts a level first at the end of the period that includes the level's start time, as in section 3.5.1. */
  'start-timers',
] as const;
/** Name of a mechanism that can be switched off. */
export type Mechanism = (typeof mechanisms)[number];

/**
 * The parameters of Handel (v1.03 section 3.6). Times in milliseconds may be fractions, which are rounded to
 * microseconds.
 */
export interface HandelConfig {
  /** Number of individual contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /**
   * Dissemination period DP: time between two contacts on an active level, ms. Each contact sends a message to one
   * peer. Default 20.
   */
  readonly disseminationPeriodMs: number;
  /**
   * Time between the starts of two levels, ms: level l of the binary tree starts (l-1) times this interval after the
   * node's start. In other trees, a level starts with the binary tree's level that has the same own side. Default 50.
   */
  readonly levelStartMs: number;
  /** Number of peers contacted immediately when Out_l becomes complete; 0 contacts no peers. Default 10. */
  readonly fastPathPeers: number;
  /**
   * If true, a level with nothing new to send only requests missing contributions, at growing intervals (see
   * docs/concepts/back-off.md).
   */
  readonly backOff: boolean;
  readonly window: WindowConfig;
  /**
   * Maximum number of contributions verified together, 1 to {@link largestBatch}. With a value of 1, a node verifies
   * one contribution at a time, as in v1.03 section 6. Default 1. See docs/concepts/batch-verification.md.
   */
  readonly batch?: number;
  /** Mechanisms that are switched off, for experiments. Default: none. */
  readonly without?: readonly Mechanism[];
}

/** Size of the window of scored senders, and the rules by which it grows and shrinks (v1.03 sections 3.3 and 3.6). */
export type WindowConfig = FixedWindow | RelativeWindow;

interface WindowSteps {
  /** Factor by which a valid contribution widens the window, 1 to 1024. */
  readonly expansion: number;
  /** Divisor by which an invalid contribution shrinks the window, 1 to 1024. */
  readonly contraction: number;
}

/** A window in ranks of [0, N). With a larger N, the window contains a smaller share of a level's peers. */
export interface FixedWindow extends WindowSteps {
  readonly unit: 'ranks';
  /** Initial size in ranks, 1 to `max`. */
  readonly initial: number;
  /**
   * Maximum size in ranks, 1 to 2^20. The maximum limits the number of failures before the window shrinks to 1 under
   * attack.
   */
  readonly max: number;
}

/** A window whose size is a share of a level's peers. The share is the same on every level and for every N. */
export interface RelativeWindow extends WindowSteps {
  readonly unit: 'share';
  /** Initial size as a share of the level's peers, 2^-20 to `max`. */
  readonly initial: number;
  /**
   * Minimum initial size, in ranks of [0, N), 1 to 2^20; `max` still limits the initial size. With a small N, a share
   * alone would give a window of few ranks.
   */
  readonly atLeast: number;
  /** Maximum size as a share of the level's peers, 2^-20 to 1. */
  readonly max: number;
}

/** The window of v1.03 section 3.6. The paper does not state an initial size; this project uses 16. */
export const paperWindow: FixedWindow = { unit: 'ranks', initial: 16, max: 128, expansion: 2, contraction: 4 };

/**
 * Intentional divergence: a window that can grow to all of a level's peers, for any N. With 1024 nodes, this window
 * shrinks from its maximum size to 1 after 5 failures, and the paper's window after 4. With this window, slow honest
 * nodes verify fewer contributions that are of little use to them.
 */
export const relativeWindow: RelativeWindow = {
  unit: 'share',
  initial: 1 / 16,
  atLeast: 16,
  max: 1,
  expansion: 2,
  contraction: 4,
};

/** Constants of back-off. A *period* in these comments is a dissemination period. */
export const backOffRule = {
  /** Number of contacts after which a level becomes quiet if the node lacks no contribution of the level's peers. */
  contactsIfComplete: 1,
  /** Number of contacts after which a level becomes quiet if the node lacks contributions of the level's peers. */
  contacts: 8,
  /**
   * Minimum number of contacts before an incomplete level becomes quiet, if the node has no output and has found a
   * Byzantine peer.
   */
  contactsIfByzantine: 16,
  /** Number of periods that each quiet level waits after the node has received new contributions. */
  waitAfterLearning: 4,
  /** Number of first questions that a quiet level asks at half the rate, because the answers are still in transit. */
  firstQuestions: 7,
  /** Number of doublings of a level's wait per useless answer, if every question received a useless answer. */
  doublingsPerUseless: 12,
  /**
   * Number added to the count of questions asked, because a few useless answers to a few questions are weak evidence.
   */
  doubtedQuestions: 3,
  /** Minimum number of unanswered questions per doubling of a level's wait. */
  unansweredPerDoubling: 64,
  /**
   * Number of unanswered questions per missing contribution for one doubling of a level's wait, if the product exceeds
   * the minimum.
   */
  unansweredPerLacking: 3,
  /** Maximum wait of a level, in periods per quiet level that lacks contributions. */
  longestWaitPerLevel: 20,
  /** Maximum pause of a node with an output, in periods. */
  longestPause: 32,
} as const;

/** Maximum number of periods that a quiet level waits before its next question. */
export const maxWait = 0x7ff;
/** Maximum number of questions that a quiet level counts. */
export const maxAsked = 0xfff;
/** Maximum number of useless answers that a quiet level counts. */
export const maxUseless = 0xff;
/** Maximum credit of a node, in messages. */
export const maxCredit = 0x7ff;

/**
 * Default, range and meaning of each parameter. The defaults are the paper's values, except for the window, the
 * back-off and the mechanisms that {@link paperHandelConfig} switches off. The threshold has no entry, since its range
 * depends on the number of nodes.
 */
export const handelSettings: SettingsOf<Omit<HandelConfig, 'threshold'>> = {
  disseminationPeriodMs: { default: 20, range: periods, about: 'dissemination period' },
  levelStartMs: {
    default: 50,
    range: durations(0, periods.max),
    about: 'time between the starts of consecutive levels',
  },
  fastPathPeers: {
    default: 10,
    range: integers(0, 2 ** 20),
    about: 'number of peers contacted at once when a level is complete',
  },
  backOff: {
    default: true,
    range: onOff,
    about: 'on: a level with nothing new to send only requests missing contributions, at growing intervals; or off',
  },
  window: { default: relativeWindow, range: { kind: 'own', validate: requireWindow }, about: 'the window' },
  batch: {
    default: 1,
    range: integers(1, largestBatch),
    about: 'maximum contributions per verification batch; 1: no batches',
  },
  without: {
    default: [],
    range: listOf(oneOf(mechanisms)),
    about: 'switch off a mechanism of Handel to measure its effect',
  },
};

/** Default of each parameter except the threshold. */
export const defaultHandelConfig: Required<Omit<HandelConfig, 'threshold'>> = defaultsOf(handelSettings);

/**
 * Parameters of a node as v1.03 describes it, without this library's changes. Two more differences are set elsewhere:
 * the paper has independent rows of verification priorities (`IndependentPriorities`) and a tree whose empty leaves are
 * at the end (`packed`).
 */
export const paperHandelConfig: Required<Omit<HandelConfig, 'threshold'>> = {
  ...defaultHandelConfig,
  window: paperWindow,
  backOff: false,
  without: ['start-timers', 'rank-between-levels', 'answers'],
};

/**
 * Validates a config for a round with `nodes` nodes.
 *
 * @throws RangeError that names the parameter, its range and the actual value.
 */
export function validateHandelConfig(config: HandelConfig, nodes: number): void {
  requireKnownFields('config', config, ['threshold', ...Object.keys(handelSettings)]);
  requireInteger('threshold', config.threshold, 1, nodes);
  const { batch = defaultHandelConfig.batch, without = defaultHandelConfig.without } = config;
  requireAllIn({ ...config, batch, without }, handelSettings);
}

function requireWindow(label: string, window: WindowConfig): void {
  requireObject(label, window);
  requireIn(`${label}.unit`, window.unit, oneOf(['ranks', 'share']));
  requireKnownFields(label, window, Object.keys(window.unit === 'ranks' ? paperWindow : relativeWindow));
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

/**
 * Converts a config's `without` to one boolean per mechanism. Property access is faster on an object literal than on an
 * object that is filled in a loop.
 */
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
 * Converts the limits of a window to ranks (v1.03 section 3.6). Ranks are integers in [0, span), and only N of them
 * belong to a peer. The function therefore multiplies limits in ranks of [0, N) by span / N, so that the window covers
 * the same number of peers.
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
 * Returns the size of a level's window after a verification (v1.03 sections 3.3 and 3.6), at least 1 and at most the
 * maximum. A valid contribution multiplies the size by the expansion factor, rounded up, to make use of good
 * contributions. An invalid contribution divides the size by the contraction divisor, rounded down, so that a node under
 * attack soon verifies by rank alone.
 */
export function nextWindowSize(size: number, valid: boolean, window: WindowRanks): number {
  requireObject('window', window);
  return valid
    ? Math.min(window.max, Math.ceil(size * window.expansion))
    : Math.max(1, Math.floor(size / window.contraction));
}
