import { bytesSent, checked, timeMs } from '@tutti/lab';
import { defaultScenario, type ProtocolName, protocolNames, type Scenario } from '@tutti/simulation';

/** What a figure's x axis may be, with the values that x takes, and whether these double. */
export const axes = {
  byzantine: { label: 'share of the nodes that attack', unit: '', values: [0, 0.1, 0.2, 0.3, 0.4], isLog: false },
  nodes: { label: 'nodes', unit: '', values: [16, 32, 64, 128, 256, 512], isLog: true },
  threshold: {
    label: 'threshold, share of the live nodes',
    unit: '',
    values: [0.51, 0.67, 0.8, 0.9, 0.99],
    isLog: false,
  },
  verifyMs: { label: 'cost of a check', unit: 'ms', values: [1, 2, 4, 8, 16, 32], isLog: true },
} as const;
export type XAxis = keyof typeof axes;

export const quantities = { timeMs, checks: checked, bytes: bytesSent } as const;
export type Quantity = keyof typeof quantities;

/** The attacks that every protocol leaves room for. */
export const figureAttacks = ['invalid', 'silent', 'flood', 'equivocate'] as const;

/** A small sweep and its drawing: all that a link holds. */
export interface FigurePlan {
  readonly title: string;
  readonly x: XAxis;
  readonly y: Quantity;
  /** One to four. */
  readonly protocols: readonly ProtocolName[];
  readonly nodes: number;
  readonly attack: (typeof figureAttacks)[number];
  /** How many, from 1 on: at least two, for an interval. */
  readonly seeds: number;
  readonly isLogX: boolean;
  readonly isLogY: boolean;
  readonly isTransparent: boolean;
  /** Of a journal's column, mm. */
  readonly widthMm: number;
}

export const firstPlan: FigurePlan = {
  title: '',
  x: 'byzantine',
  y: 'timeMs',
  protocols: ['handel', 'gossip', 'complete-graph'],
  nodes: 64,
  attack: 'invalid',
  seeds: 5,
  isLogX: false,
  isLogY: false,
  isTransparent: false,
  widthMm: 85,
};

export const widthsMm = [85, 114, 178] as const;
export const limits = { nodes: [16, 512], seeds: [2, 20] } as const;

/** A plan as the part of an address after `#`. */
export function encodePlan(plan: FigurePlan): string {
  const fields = new URLSearchParams({
    ...(plan.title === '' ? {} : { title: plan.title }),
    x: plan.x,
    y: plan.y,
    protocols: plan.protocols.join(','),
    n: String(plan.nodes),
    attack: plan.attack,
    seeds: String(plan.seeds),
    log: `${plan.isLogX ? 'x' : ''}${plan.isLogY ? 'y' : ''}`,
    ground: plan.isTransparent ? 'none' : 'white',
    mm: String(plan.widthMm),
  });
  return fields.toString().replaceAll('%2C', ',');
}

/** Reads a plan; what is missing or no such thing is as at first, and said. */
export function decodePlan(hash: string): { readonly plan: FigurePlan; readonly notices: readonly string[] } {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const notices: string[] = [];
  const take = <Value>(
    name: string,
    read: (text: string) => Value | undefined,
    otherwise: Value,
    words: string,
  ): Value => {
    const text = fields.get(name);
    if (text === null) return otherwise;
    const value = read(text);
    if (value === undefined) notices.push(`${name}: expected ${words}, got “${text.slice(0, 30)}”.`);
    return value ?? otherwise;
  };
  const among =
    <Value extends string>(values: readonly Value[]) =>
    (text: string) =>
      values.find((value) => value === text);
  const whole =
    ([from, to]: readonly [number, number]) =>
    (text: string) =>
      /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined;
  const xs = Object.keys(axes) as XAxis[];
  const ys = Object.keys(quantities) as Quantity[];
  const protocolsOf = (text: string) => {
    const names = text.split(',').map((name) => protocolNames.find((one) => one === name));
    return names.length <= 4 && new Set(names).size === names.length && names.every((name) => name !== undefined)
      ? (names as ProtocolName[])
      : undefined;
  };
  const log = take('log', among(['', 'x', 'y', 'xy']), '', 'x, y or xy');
  const plan: FigurePlan = {
    title: (fields.get('title') ?? '').slice(0, 80),
    x: take('x', among(xs), firstPlan.x, xs.join(', ')),
    y: take('y', among(ys), firstPlan.y, ys.join(', ')),
    protocols: take('protocols', protocolsOf, firstPlan.protocols, `one to four of ${protocolNames.join(', ')}`),
    nodes: take('n', whole(limits.nodes), firstPlan.nodes, `${limits.nodes.join(' to ')}`),
    attack: take('attack', among(figureAttacks), firstPlan.attack, figureAttacks.join(', ')),
    seeds: take('seeds', whole(limits.seeds), firstPlan.seeds, `${limits.seeds.join(' to ')}`),
    isLogX: log.includes('x'),
    isLogY: log.includes('y'),
    isTransparent: take('ground', among(['white', 'none']), 'white', 'white or none') === 'none',
    widthMm: Number(take('mm', among(widthsMm.map(String)), String(firstPlan.widthMm), widthsMm.join(', '))),
  };
  return { plan, notices };
}

/** The sweep of a plan as a file for `tutti sweep`, one a protocol-independent set of combinations. */
export function sweepOf(plan: FigurePlan): {
  readonly name: string;
  readonly base: Readonly<Record<string, unknown>>;
  readonly vary: Readonly<Record<string, readonly unknown[]>>;
  readonly seeds: { readonly from: number; readonly count: number };
} {
  const { x, protocols, nodes, attack, seeds, title } = plan;
  const varied: Readonly<Record<string, readonly unknown[]>> =
    x === 'byzantine'
      ? { attacks: axes.byzantine.values.map((share) => (share === 0 ? [] : [{ name: attack, share }])) }
      : { [x]: axes[x].values };
  return {
    name: title === '' ? 'figure' : title,
    base: x === 'nodes' ? {} : { nodes },
    vary: { protocol: protocols, ...varied },
    seeds: { from: 1, count: seeds },
  };
}

/** One mark's runs. */
export interface FigurePoint {
  readonly protocol: ProtocolName;
  readonly x: number;
  readonly scenarios: readonly Scenario[];
}

/** All runs of a plan, as `tutti sweep` plays them from {@link sweepOf}. */
export function pointsOf(plan: FigurePlan): readonly FigurePoint[] {
  const { base, vary, seeds } = sweepOf(plan);
  const [field, values] = Object.entries(vary).find(([name]) => name !== 'protocol')!;
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
