import { type Selection, select } from 'd3';
import { arcPath, challengeConditions, challengeSpan, isClosed, placeTurns, pointAt } from './chainLayout.ts';
import { type ChainReport, ringMembers } from './ringMessages.ts';
import { shortHex, tagGlyph } from './tagGlyph.ts';

/** Radius of a member's circle, px. */
const nodeRadius = 17;
/** Space outside the circle for the first bytes of each challenge, px. */
const labelRoom = 74;
/** Radius of the ring in a wide page, px. */
const maxRadius = 178;
/** Gap between the end and the start of a chain that does not close, px. */
const openGap = 17;

/** Drawing of the ring's members, with one signature as the chain of challenges around the ring. */
export class ChainView {
  readonly #host: HTMLElement;
  readonly #choose: (member: number) => void;
  #shown: { readonly report: ChainReport | undefined; readonly isRevealed: boolean } | undefined;

  /** @param choose called with the member that the user presses. */
  constructor(host: HTMLElement, choose: (member: number) => void) {
    this.#host = host;
    this.#choose = choose;
    new ResizeObserver(() => this.#draw()).observe(host);
  }

  /** @param isRevealed whether the drawing shows the signer. */
  show(report: ChainReport | undefined, isRevealed: boolean): void {
    this.#shown = { report, isRevealed };
    this.#draw();
  }

  #draw(): void {
    const width = this.#host.clientWidth;
    if (width === 0 || this.#shown === undefined) return;
    const { report, isRevealed } = this.#shown;
    const radius = Math.max(0, Math.min(maxRadius, width / 2 - labelRoom));
    const height = 2 * radius + 92;
    const svg = select<HTMLElement, undefined>(this.#host)
      .selectAll<SVGSVGElement, null>('svg.chain')
      .data([null])
      .join('svg')
      .attr('class', 'chain')
      .attr('width', width)
      .attr('height', height)
      .attr('role', 'img')
      .attr('aria-label', describe(report, isRevealed));
    svg.selectAll('*').remove();
    const middle = svg.append('g').attr('transform', `translate(${width / 2},${height / 2 + 8})`);

    if (report === undefined) middle.append('circle').attr('class', 'waiting').attr('r', radius);
    else drawChain(middle, report, radius);
    const maker = report !== undefined && isRevealed && report.flaw !== 'stranger' ? report.signer : undefined;
    for (const [member, turn] of placeTurns(ringMembers).entries()) {
      const [x, y] = pointAt(turn, radius);
      const isChanged = member === report?.changed;
      const node = middle
        .append('g')
        .attr('class', `member${member === maker ? ' maker' : ''}${isChanged ? ' changed' : ''}`)
        .attr('transform', `translate(${x},${y})`)
        .on('click', () => this.#choose(member));
      node.append('title').text(`Sign as member ${member + 1}`);
      node.append('circle').attr('r', nodeRadius);
      node
        .append('text')
        .attr('dy', '0.35em')
        .text(member + 1);
    }
    if (maker !== undefined) {
      const [x, y] = pointAt(placeTurns(ringMembers)[maker]!, radius - nodeRadius - 16);
      middle.append('text').attr('class', 'maker-word').attr('x', x).attr('y', y).attr('dy', '0.35em').text('signer');
    }
    if (report !== undefined) {
      middle.append('text').attr('class', 'name').attr('y', -22).text('tag');
      middle
        .append('g')
        .attr('transform', 'translate(-48,-12)')
        .append(() => tagGlyph(report.tag, 96, 22));
      middle.append('text').attr('class', 'hex-label').attr('y', 30).text(shortHex(report.tag, 12));
    }
  }
}

type Group = Selection<SVGGElement, null, HTMLElement, undefined>;

function drawChain(middle: Group, report: ChainReport, radius: number): void {
  const last = ringMembers;
  const closes = isClosed(report);
  for (const [number, condition] of challengeConditions(report).entries()) {
    const [from, to] = challengeSpan(number, ringMembers);
    const misses = number === last && !closes;
    middle
      .append('path')
      .attr('class', `challenge ${condition}`)
      .attr('d', arcPath(from, to, radius, misses ? radius + openGap : radius));
    if (number === 0 || number === last) continue;
    const turn = (from + to) / 2;
    arrow(middle, turn, radius, condition);
    const [x, y] = pointAt(turn, radius + 13);
    label(middle, x, y, anchorAt(turn), number, report.challenges[number]!);
  }
  // The seam between the beginning and the end of the chain.
  const seam = middle.append('g').attr('class', `seam ${closes ? 'closed' : 'open'}`);
  const top = -radius - 30;
  label(seam, -14, top, 'end', last, report.challenges[last]!);
  seam
    .append('text')
    .attr('class', 'equals')
    .attr('y', top)
    .attr('dy', '0.35em')
    .text(closes ? '=' : '≠');
  label(seam, 14, top, 'start', 0, report.challenges[0]!);
  if (!closes) for (const at of [radius, radius + openGap]) seam.append('circle').attr('r', 3.5).attr('cy', -at);
}

function arrow(middle: Group, turn: number, radius: number, condition: string): void {
  const [x, y] = pointAt(turn, radius);
  middle
    .append('path')
    .attr('class', `arrow ${condition}`)
    .attr('d', 'M-4,-5L5,0L-4,5Z')
    .attr('transform', `translate(${x},${y}) rotate(${turn * 360})`);
}

function label(group: Group, x: number, y: number, anchor: string, number: number, hex: string): void {
  const text = group.append('text').attr('class', 'challenge-label').attr('x', x).attr('y', y).attr('dy', '0.35em');
  text.attr('text-anchor', anchor);
  text.append('tspan').attr('class', 'c').text('c');
  text.append('tspan').attr('class', 'index').attr('dy', '0.3em').text(number);
  text
    .append('tspan')
    .attr('dy', '-0.3em')
    .text(` ${hex.slice(0, 4)}`);
}

function anchorAt(turn: number): 'start' | 'middle' | 'end' {
  const [x] = pointAt(turn, 1);
  return Math.abs(x) < 0.2 ? 'middle' : x > 0 ? 'start' : 'end';
}

function describe(report: ChainReport | undefined, isRevealed: boolean): string {
  if (report === undefined) return 'A ring of eight members without a signature.';
  const end = isClosed(report)
    ? 'equals the first, so the chain is closed'
    : 'differs from the first, so the chain is open';
  const maker = isRevealed && report.flaw !== 'stranger' ? ` Member ${report.signer + 1} signed.` : '';
  return `A ring of eight members and a signature as a chain of challenges. The last challenge ${end}.${maker}`;
}
