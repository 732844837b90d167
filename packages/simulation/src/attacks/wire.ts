import {
  type Contribution,
  type HandelConfig,
  noContribution,
  type ProtocolNode,
  RandomStream,
  relativeWindow,
  windowRanks,
} from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { equivocate, invalidAmongBaselines } from './alteredMessages.ts';
import { type Attack, type AttackSetting, type ByzantinePort, type Coalition, honestRules } from './attack.ts';
import { delay, eclipse, silent } from './attacks.ts';
import { invalid, worthless } from './composedAttacks.ts';
import { Forgeries } from './forgery.ts';
import { flood, honestPeersByLevel, malformed, PeriodicAttacker, periodMs, spoof } from './periodicAttacks.ts';

/** Number of peers per level to which a member sends in one period. */
const peersAtOnce = 16;

/**
 * Attacks for real networks, carried out by Byzantine nodes alone. A real adversary cannot intercept a victim's
 * messages and choose the moment, so its nodes send as early as possible. Attacks that require such an adversary, or
 * chosen ids, are not supported.
 */
export const wireAttacks: readonly Attack[] = [
  silent,
  {
    ...invalid,
    aim: 'Makes victims verify invalid contributions with the highest claimed scores, one per honest peer.',
    form(setting) {
      if (setting.protocol !== 'handel') return invalidAmongBaselines(setting);
      const forgeries = new Forgeries(setting);
      return sentToEach(setting, (block) => forgeries.full(block));
    },
  },
  {
    ...worthless,
    aim: 'Makes victims verify valid contributions that add only one signer, one per honest peer.',
    form(setting) {
      const forgeries = new Forgeries(setting);
      return sentToEach(setting, (block, id) => forgeries.alone(block, id));
    },
  },
  flood,
  equivocate,
  malformed,
  spoof,
  delay,
  eclipse,
];

/** A round of real nodes, as far as the Byzantine nodes know it. */
export interface WireRound extends Omit<AttackSetting, 'without' | 'rules' | 'plan' | 'random'> {
  /** Parameters of the honest nodes. */
  readonly config: Pick<HandelConfig, 'window' | 'without'>;
  readonly seed: number;
  /** Name of the round's random streams. */
  readonly purpose: string;
}

/** Returns the setting of an attack in a round of real nodes. @throws TypeError for an argument of another type. */
export function wireSetting(round: WireRound): AttackSetting {
  requireObject('round', round);
  requireObject('round.config', round.config);
  requireObject('round.scheme', round.scheme);
  requireObject('round.priorities', round.priorities);
  const { config, seed, purpose, ...known } = round;
  const { priorities, scheme } = known;
  const { window = relativeWindow, without = [] } = config;
  requireObject('round.scheme.tree', scheme.tree);
  return {
    ...known,
    without,
    rules: honestRules(priorities, windowRanks(window, scheme.tree.nodes, priorities.span)),
    plan: undefined,
    random: (of) => new RandomStream(seed, `${purpose}: ${of}`),
  };
}

/**
 * Creates a coalition in which each member sends one contribution to each honest peer of each level, first to the peers
 * that rank the member best.
 */
function sentToEach(setting: AttackSetting, contributionOf: (block: number, id: number) => Contribution): Coalition {
  const { tree } = setting.scheme;
  const join = (id: number, port: ByzantinePort): ProtocolNode => {
    const levels = honestPeersByLevel(setting, id);
    return new PeriodicAttacker(port, periodMs, (round) => {
      for (const [level, peers] of levels.entries())
        for (const to of peers.slice(round * peersAtOnce, (round + 1) * peersAtOnce))
          port.send(to, level, contributionOf(tree.peerBlock(to, level), id), noContribution, 0);
    });
  };
  return { join };
}
