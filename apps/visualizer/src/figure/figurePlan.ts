import { bytesSent, checked, type Measure, timeMs } from '@tutti/lab';
import { defaultScenario, type ProtocolName, protocolNames, type Scenario } from '@tutti/simulation';
import { choice, Fields, text, whole, words } from '../links/fields.ts';

/** Quantities offered for a figure's x axis, with the values of x and whether each value is double the previous one. */
export const axes = {
  byzantine: { label: 'share of attackers', unit: '', values: [0, 0.1, 0.2, 0.3, 0.4], doubles: false },
  nodes: { label: 'nodes', unit: '', values: [16, 32, 64, 128, 256, 512], doubles: true },
  threshold: {
    label: 'threshold (share of live nodes)',
    unit: '',
    values: [0.51, 0.67, 0.8, 0.9, 0.99],
    doubles: false,
  },
  verifyMs: { label: 'cost of a check', unit: 'ms', values: [1, 2, 4, 8, 16, 32], doubles: true },
} as const;
/** Name of a quantity on the x axis. */
export type XAxis = keyof typeof axes;

/** Time at which the last node of a run reaches the threshold. The guided tour and the matrix show this quantity. */
const lastMs: Measure = {
  ...timeMs,
  label: `${timeMs.label}, last node`,
  of: (run) => {
    // A run in which some node never reached the threshold has no time of the last node.
    if (run.reached < run.live) return undefined;
    const { max } = run.timeToThresholdMs;
    return { min: max, mean: max, max };
  },
};

/** Quantities that a figure can show. Each quantity except `lastMs` is a mean over the nodes of a run. */
export const quantities = {
  timeMs: { ...timeMs, label: `${timeMs.label}, mean node` },
  lastMs,
  checks: checked,
  bytes: bytesSent,
} as const;
type Quantity = keyof typeof quantities;

/** Attacks supported by every protocol. */
const figureAttacks = ['invalid', 'silent', 'flood', 'equivocate'] as const;

/** Ranges of the numbers of nodes and seeds of a figure. */
export const limits = { nodes: { min: 16, max: 512 }, seeds: { min: 2, max: 20 } } as const;

/** Fields of a link to a figure: a small sweep and its drawing. */
export const planFields = new Fields({
  title: text(80),
  x: choice(Object.keys(axes) as XAxis[], 'byzantine'),
  y: choice(Object.keys(quantities) as Quantity[], 'timeMs'),
  protocols: words<ProtocolName>(protocolNames, ['handel', 'gossip', 'complete-graph'], {
    min: 1,
    max: protocolNames.length,
  }),
  n: whole(limits.nodes, 64),
  attack: choice(figureAttacks, 'invalid'),
  /** Number of seeds; the seeds are 1, 2, and so on; at least two, so that there is a confidence interval. */
  seeds: whole(limits.seeds, 5),
  /** Axes that are logarithmic. */
  log: choice<'' | 'x' | 'y' | 'xy'>(['', 'x', 'y', 'xy'], ''),
  ground: choice<'white' | 'none'>(['white', 'none'], 'white'),
  /** Width of the figure, mm. The offered widths are common column widths of journals. */
  mm: choice<number>([85, 114, 178], 85),
});

/** Values of the fields of a figure's link. */
export type FigurePlan = typeof planFields.first;

/** Returns the field of the scenario that a plan varies along the x axis, and the field's values. */
function variedBy({ x, attack }: FigurePlan): readonly [field: string, values: readonly unknown[]] {
  if (x !== 'byzantine') return [x, axes[x].values];
  return ['attacks', axes.byzantine.values.map((share) => (share === 0 ? [] : [{ name: attack, share }]))];
}

/** Returns the sweep of a plan as a file for `tutti sweep`, with one set of combinations for all protocols. */
export function sweepOf(plan: FigurePlan): {
  readonly name: string;
  readonly base: Readonly<Record<string, unknown>>;
  readonly vary: Readonly<Record<string, readonly unknown[]>>;
  readonly seeds: { readonly from: number; readonly count: number };
} {
  const { x, protocols, n: nodes, seeds, title } = plan;
  const [field, values] = variedBy(plan);
  return {
    name: title === '' ? 'figure' : title,
    base: x === 'nodes' ? {} : { nodes },
    vary: { protocol: protocols, [field]: values },
    seeds: { from: 1, count: seeds },
  };
}

/** The runs behind one mark. */
interface FigurePoint {
  readonly protocol: ProtocolName;
  readonly x: number;
  readonly scenarios: readonly Scenario[];
}

/** Returns all runs of a plan, in the order in which `tutti sweep` runs the points of {@link sweepOf}. */
export function pointsOf(plan: FigurePlan): readonly FigurePoint[] {
  const { base, seeds } = sweepOf(plan);
  const [field, values] = variedBy(plan);
  return plan.protocols.flatMap((protocol) =>
    values.map((value, place) => ({
      protocol,
      x: axes[plan.x].values[place]!,
      scenarios: Array.from({ length: seeds.count }, (_, run) => ({
        ...defaultScenario,
        ...base,
        protocol,
        [field]: value,
        seed: seeds.from + run,
      })),
    })),
  );
}
