import { readFileSync } from 'node:fs';
import { createSimulation, decodeScenario, LineKind, NodeRole, QueueReplay, type Recording } from '@tutti/simulation';
import { alwaysSampled } from '../sampled.ts';

/** The scenario of the chapter on the verification queue. */
const link = 'n=64&scheme=counting&attack=invalid:0.4&verify-ms=20&window=paper';
const { scenario } = decodeScenario(new URLSearchParams(link), []);
const source = readFileSync('packages/core/src/handel/handel.ts', 'utf8').split('\n');

/** Returns the number, from 1, of the line of a function that contains a text. */
function lineOf(name: string, text: string): number {
  const from = source.findIndex((line) => line.includes(`function ${name}(`));
  const line = source.findIndex((one, at) => at > from && one.includes(text));
  if (from < 0 || line < 0) throw new RangeError(`handel.ts: expected "${text}" in ${name}, got none`);
  return line + 1;
}

const verifies = lineOf('verifyNext', 'ticket = port.verify(');
const byShare = lineOf('choose', 'return found.sort(');
const byRank = lineOf('chooseUnderAttack', 'return found.sort(');
const taken = lineOf('takeValid', 'verifications.set(');
const listed = lineOf('blacklistSender', 'blacklist.add(sender)');
/** Lines that show a decision. */
export const tellingLines: readonly number[] = [verifies, byShare, byRank, taken, listed];

export interface DecisionOfNode {
  readonly timeUs: number;
  /** Lines of {@link tellingLines} whose branch the node reports to have taken. */
  readonly lines: readonly number[];
  /**
   * Lines that do not apply at this time, for example because a node that found nothing to verify did not compare
   * anything.
   */
  readonly open: readonly number[];
}

/** Returns a node's decisions as the node reports them. The result omits times with more than one event at the node. */
function decisionsOf(me: number, recording: Recording): readonly DecisionOfNode[] {
  const { length, kind, node, peer, timeUs, untilUs } = recording;
  const all = Array.from({ length }, (_, line) => line);
  const checks = all.filter((line) => kind[line] === LineKind.check && node[line] === me && untilUs[line]! >= 0);
  // A recording does not have lines for messages of Byzantine nodes. The simultaneous arrivals from all other nodes are
  // known.
  const arrivals = all.filter((line) => kind[line] === LineKind.send && peer[line] === me);
  const begun = new Map(checks.map((line) => [timeUs[line]!, peer[line]!]));
  const done = new Set(checks.map((line) => untilUs[line]!));
  const replay = new QueueReplay(scenario, me);
  const isAlone = (atUs: number) =>
    !arrivals.some((line) => untilUs[line] === atUs && (done.has(atUs) || node[line] !== begun.get(atUs)));
  return [...new Set([...begun.keys(), ...done])]
    .filter(isAlone)
    .sort((a, b) => a - b)
    .map((atUs) => {
      const { choice, verdicts } = replay.at(atUs)!;
      const chosen = begun.has(atUs) ? [verifies, choice?.rule === 'rank' ? byRank : byShare] : [];
      const judged = done.has(atUs) ? [verdicts[0]!.valid ? taken : listed] : [];
      return { timeUs: atUs, lines: [...chosen, ...judged], open: begun.has(atUs) ? [] : [byShare, byRank] };
    });
}

/** Returns a hundred decisions of some nodes, by node. */
export function someDecisions(): readonly (readonly [node: number, decisions: readonly DecisionOfNode[]])[] {
  const simulation = createSimulation(scenario, { record: true });
  while (simulation.advance(1 << 16));
  const recording = simulation.recording();
  const honest = [...recording.world.role.keys()].filter((id) => recording.world.role[id] === NodeRole.honest);
  const each = alwaysSampled(honest, 4).map((id) => [id, decisionsOf(id, recording)] as const);
  return each.map(([id, decisions]) => [id, alwaysSampled(decisions, 26)] as const);
}

/**
 * Shows a node's queue and returns the numbers of the highlighted lines at each time. This function runs in the page.
 * The function must not use other functions of this file, because it is sent to the browser as text.
 */
export async function litLinesAt({
  node,
  timesUs,
}: {
  readonly node: number;
  readonly timesUs: readonly number[];
}): Promise<number[][]> {
  const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  find('#queue-code').scrollIntoView({ block: 'center' });
  const of = find<HTMLInputElement>('#queue-of');
  of.value = String(node);
  of.dispatchEvent(new Event('change', { bubbles: true }));
  const isShown = () =>
    new RegExp(`, node ${node}\\D`).test(document.querySelector('#queue-code .code-head')?.textContent ?? '') &&
    document.querySelector('#queue-code li.ran') !== null;
  while (!isShown()) await frame();
  const scrub = find<HTMLInputElement>('#scrub');
  const step = scrub.step;
  scrub.step = '1';
  const lit: number[][] = [];
  for (const timeUs of timesUs) {
    scrub.value = String(timeUs);
    scrub.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    await frame();
    lit.push([...document.querySelectorAll<HTMLLIElement>('#queue-code li.ran')].map(({ value }) => value));
  }
  scrub.step = step;
  return lit;
}

/** Returns the decisions whose highlighted lines differ from the branches that the node took. */
export function differing(
  decisions: readonly DecisionOfNode[],
  lit: readonly (readonly number[])[],
): readonly object[] {
  return decisions.flatMap(({ timeUs, lines, open }, place) => {
    const told = tellingLines.filter((line) => !open.includes(line));
    const shown = told.filter((line) => lit[place]!.includes(line));
    const expected = told.filter((line) => lines.includes(line));
    return shown.join() === expected.join() ? [] : [{ timeUs, expected, shown }];
  });
}
