import { Tree } from '@tutti/core';
import { LineKind, NodeRole } from '@tutti/core/simulation';
import { arc, type Selection, select } from 'd3';
import { checksAt, type InLevel, inLevelAt, type NodeStory, stepsUntil } from '../timeline/nodeStory.ts';
import { figure, ms } from '../words.ts';
import { roleClass } from './roles.ts';
import { type Box, tickPath, tickWidth } from './tick.ts';
import { cellAt, type Point, type TreeLayout, type TreeRow, treeLayout } from './treeLayout.ts';

/** Of virtual time, which is played slowed down. */
const virtuallyHeardForUs = 16_000;
const jointRadius = 7;

type Svg = Selection<SVGSVGElement, unknown, null, undefined>;

/** Peers that share a bar of the drawing, and how many of them are in. */
export interface BarOfPeers {
  readonly from: number;
  readonly to: number;
  /** Undefined where it is only known of the whole level. */
  readonly inside: number | undefined;
}

interface DrawnRow {
  readonly row: TreeRow;
  readonly group: SVGGElement;
  readonly cells: readonly SVGRectElement[];
  /** What fills the bars, where cells are bars. */
  readonly fill: SVGPathElement;
  readonly spine: SVGLineElement;
  readonly joint: SVGPathElement;
  readonly out: SVGTextElement;
  readonly name: SVGTextElement;
  readonly tally: SVGTextElement;
  shown: InLevel | undefined;
}

/** The binary tree as one node sees it: which peers of each level are in, what it checks, who it hears. */
export class TreeView {
  readonly #host: HTMLElement;
  readonly #svg: Svg;
  readonly #select: (node: number) => void;
  readonly #heardForUs: number;
  #layout: TreeLayout | undefined;
  #tiers = new Tree(1);
  #story: NodeStory | undefined;
  #rows: DrawnRow[] = [];
  #marked: SVGRectElement[] = [];
  #total: SVGTextElement | undefined;
  #top: SVGLineElement | undefined;

  /** @param heardForUs how long a cell stays marked after a message of its node arrived, µs of the story. */
  constructor(host: HTMLElement, onSelect: (node: number) => void, heardForUs = virtuallyHeardForUs) {
    this.#host = host;
    this.#heardForUs = heardForUs;
    this.#select = onSelect;
    this.#svg = select(host)
      .append('svg')
      .attr('class', 'tree')
      .attr('role', 'img')
      .attr('aria-label', 'A node’s tree');
    host.addEventListener('click', (event) => {
      const node = (event.target as Element).getAttribute?.('data-node');
      if (node) this.#select(Number(node));
    });
  }

  /** What a cell of the drawing stands for, of a bar its first live node; undefined beside the cells. */
  nodeUnder(x: number, y: number): number | undefined {
    const box = this.#host.getBoundingClientRect();
    const node = document.elementFromPoint(box.left + x, box.top + y)?.getAttribute('data-node');
    return node ? Number(node) : undefined;
  }

  /** The bar that a node is in; undefined where it has a cell of its own. */
  barOf(id: number): BarOfPeers | undefined {
    const drawn = this.#rowOf(id);
    if (!drawn || drawn.row.perCell === 1) return undefined;
    const [from, to] = idsOfCell(drawn.row, Math.floor((id - drawn.row.start) / drawn.row.perCell));
    const { start } = drawn.row;
    return { from, to, inside: drawn.shown?.named ? drawn.shown.count(from - start, to - start) : undefined };
  }

  #rowOf(id: number): DrawnRow | undefined {
    return this.#rows.find(({ row }) => id >= row.start && id < row.end);
  }

  #cellOf(id: number): SVGRectElement | undefined {
    const drawn = this.#rowOf(id);
    return drawn?.cells[Math.floor((id - drawn.row.start) / drawn.row.perCell)];
  }

  /** More of what the same node saw. */
  set story(story: NodeStory) {
    this.#story = story;
  }

  show(story: NodeStory): void {
    this.#story = story;
    const { world, scenario } = story.recording;
    const { nodes, alive } = world;
    const layout = treeLayout(
      nodes,
      story.node,
      Math.max(280, this.#host.clientWidth),
      scenario.tree,
      scenario.branching,
    );
    this.#tiers = new Tree(nodes, scenario.tree, scenario.branching);
    this.#layout = layout;
    const svg = this.#svg;
    svg.selectAll('*').remove();
    svg.attr('width', layout.width).attr('height', layout.height);
    svg.classed('still', nodes > 256);
    this.#marked = [];
    this.#rows = layout.rows.map((row, index) => this.#drawRow(row, layout.rows[index + 1]?.jointY ?? layout.self.y));
    const head = (x: number, text: string) =>
      svg.append('text').attr('class', 'head').attr('x', x).attr('y', 12).text(text);
    head(layout.spineX - 10, 'sends').attr('text-anchor', 'end');
    head(layout.wordsX, 'has received');
    const first = layout.rows[0];
    this.#top = svg
      .append('line')
      .attr('class', 'spine')
      .attr('x1', layout.spineX)
      .attr('x2', layout.spineX)
      .attr('y1', (first?.jointY ?? 0) - 9)
      .attr('y2', first?.jointY ?? 0)
      .node()!;
    const self = svg.append('g').attr('transform', `translate(${layout.self.x},${layout.self.y})`);
    self
      .append('circle')
      .attr('class', `self ${roleClass(alive.subarray(story.node, story.node + 1))}`)
      .attr('r', 6);
    self
      .append('text')
      .attr('class', 'name')
      .attr('x', 14)
      .attr('y', 4)
      .text(`node ${figure(story.node)}`);
    this.#total = svg
      .append('text')
      .attr('class', 'tally')
      .attr('x', layout.wordsX)
      .attr('y', layout.self.y + 4)
      .node()!;
  }

  #drawRow(row: TreeRow, below: number): DrawnRow {
    const layout = this.#layout!;
    const { alive } = this.#story!.recording.world;
    const group = this.#svg.append('g').attr('class', 'row');
    group.append('path').attr('class', 'branches').attr('d', row.branches);
    const { inset } = layout;
    const boxes: Box[] = [];
    const cells = Array.from({ length: Math.ceil((row.end - row.start) / row.perCell) }, (_, place) => {
      const [from, to] = idsOfCell(row, place);
      const roles = alive.subarray(from, to);
      const firstLive = roles.indexOf(NodeRole.honest);
      const at: Point = cellAt(layout, row, from);
      const box = {
        x: at.x + inset / 2,
        y: at.y + inset / 2,
        width: layout.cell - inset,
        height: row.cellHeight - inset,
      };
      boxes.push(box);
      const cell = group
        .append('rect')
        .attr('class', `cell ${roleClass(roles)}`)
        .attr('data-node', from + Math.max(0, firstLive))
        .attr('x', box.x)
        .attr('y', box.y)
        .attr('width', box.width)
        .attr('height', box.height)
        .attr('rx', layout.cell > 8 ? 2 : 1);
      return cell.node()!;
    });
    const fill = group.append('path').attr('class', 'fill');
    // To be seen once the level is complete.
    group
      .append('path')
      .attr('class', 'ticks')
      .attr('d', boxes.map(tickPath).join(''))
      .attr('stroke-width', tickWidth(Math.min(layout.cell, row.cellHeight) - inset));
    const spine = group
      .append('line')
      .attr('class', 'spine')
      .attr('x1', layout.spineX)
      .attr('x2', layout.spineX)
      .attr('y1', row.jointY)
      .attr('y2', below);
    const out = group
      .append('text')
      .attr('class', 'out')
      .attr('x', layout.spineX - 10)
      .attr('y', (row.jointY + below) / 2 + 4);
    const joint = group
      .append('path')
      .attr('class', 'joint')
      .attr('transform', `translate(${layout.spineX},${row.jointY})`);
    const words = group.append('g').attr('transform', `translate(${layout.wordsX},${row.bottom - 20})`);
    const name = words.append('text').attr('class', 'name');
    const tally = words.append('text').attr('class', 'tally').attr('y', 16);
    return {
      row,
      group: group.node()!,
      cells,
      fill: fill.node()!,
      spine: spine.node()!,
      joint: joint.node()!,
      out: out.node()!,
      name: name.node()!,
      tally: tally.node()!,
      shown: undefined,
    };
  }

  draw(timeUs: number): void {
    const story = this.#story;
    const layout = this.#layout;
    if (!story || !layout) return;
    const { world, scenario, peer, untilUs, timeUs: since, level: levels } = story.recording;
    const startUs = world.startUs[story.node]!;
    const started = startUs >= 0 && startUs <= timeUs;
    const checks = checksAt(story, timeUs);

    let weight = started ? 1 : 0;
    let size = 1;
    // What a level sends is what the tiers below it hold.
    let [out, outSize, tier] = [weight, size, 0];
    for (let index = this.#rows.length - 1; index >= 0; index--) {
      const drawn = this.#rows[index]!;
      const { row } = drawn;
      const peers = row.end - row.start;
      const inLevel = inLevelAt(story, row.level, timeUs);
      this.#fill(drawn, inLevel);
      if (this.#tiers.tier(row.level) !== tier) [out, outSize, tier] = [weight, size, this.#tiers.tier(row.level)];
      const outComplete = out === outSize;
      flow(drawn.spine, weight, size, world.nodes);
      setText(drawn.out, out === 0 ? '' : figure(out));
      drawn.out.classList.toggle('complete', outComplete);

      const complete = inLevel.weight === peers;
      const activeUs = startUs + tier * scenario.levelStartMs * 1000;
      const active = started && (outComplete || timeUs >= activeUs);
      const here = checks.find((line) => levels[line] === row.level);
      drawn.group.classList.toggle('complete', complete);
      drawn.group.classList.toggle('waiting', !active && inLevel.weight === 0);
      drawn.joint.setAttribute(
        'd',
        here === undefined ? '' : sector((timeUs - since[here]!) / Math.max(1, untilUs[here]! - since[here]!)),
      );
      const doing =
        here !== undefined
          ? 'checking'
          : complete
            ? 'complete'
            : active || !started
              ? ''
              : `from ${activeUs / 1000} ms`;
      const roomy = layout.width >= 480;
      setText(drawn.name, `level ${row.level}${doing && roomy ? ` · ${doing}` : ''}`);
      setText(drawn.tally, `${figure(inLevel.weight)} of ${figure(peers)}`);
      weight += inLevel.weight;
      size += peers;
    }
    if (this.#top) flow(this.#top, weight, size, world.nodes);
    this.#mark(
      timeUs,
      checks.map((line) => peer[line]!),
    );
    if (this.#total) {
      setText(this.#total, `${figure(weight)} of ${figure(world.nodes)}${layout.width >= 480 ? ' in all' : ''}`);
      this.#total.classList.toggle('complete', weight >= world.threshold);
    }
    this.#svg.attr(
      'aria-label',
      `Tree of node ${story.node} at ${ms(timeUs)}: ${weight} of ${world.nodes} contributions in. ${this.#rows
        .map(({ row, tally }) => `Level ${row.level}: ${tally.textContent}.`)
        .join(' ')}`,
    );
  }

  #fill(drawn: DrawnRow, now: InLevel): void {
    if (drawn.shown?.sinceUs === now.sinceUs && drawn.shown.weight === now.weight) return;
    drawn.shown = now;
    const { row, cells, fill } = drawn;
    if (row.perCell === 1) {
      cells.forEach((cell, bit) => {
        cell.classList.toggle('in', now.has(bit));
      });
      return;
    }
    const { cell, inset } = this.#layout!;
    const [width, height] = [cell - inset, row.cellHeight - inset];
    const bars = cells.map((_, place) => {
      const [from, to] = idsOfCell(row, place);
      // Where it is known only how many are in, all bars of the level stand at one height.
      const share = now.named
        ? now.count(from - row.start, to - row.start) / (to - from)
        : now.weight / (row.end - row.start);
      const filled = share * height;
      if (filled === 0) return '';
      const left = row.x + place * cell + inset / 2;
      const bottom = row.y + row.cellHeight - inset / 2;
      return `M${left.toFixed(2)} ${bottom.toFixed(2)}h${width}v-${filled.toFixed(2)}h${-width}z`;
    });
    fill.setAttribute('d', bars.join(''));
  }

  /** Marks who was heard lately, fading, and whose contributions are being checked. */
  #mark(timeUs: number, checked: readonly number[]): void {
    for (const cell of this.#marked) {
      cell.classList.remove('checked');
      cell.style.removeProperty('--heard');
    }
    this.#marked = [];
    const story = this.#story!;
    const { kind, node } = story.recording;
    for (let step = stepsUntil(story, timeUs) - 1; step >= 0; step--) {
      const { timeUs: atUs, line } = story.steps[step]!;
      if (atUs < timeUs - this.#heardForUs) break;
      if (kind[line] !== LineKind.send) continue;
      const cell = this.#cellOf(node[line]!);
      if (cell?.style.getPropertyValue('--heard') !== '') continue;
      cell.style.setProperty('--heard', (1 - (timeUs - atUs) / this.#heardForUs).toFixed(2));
      this.#marked.push(cell);
    }
    for (const peer of checked) {
      const cell = this.#cellOf(peer);
      if (!cell) continue;
      cell.classList.add('checked');
      this.#marked.push(cell);
    }
  }
}

/** The ids of a row's cell, [from, to). */
function idsOfCell(row: TreeRow, place: number): [from: number, to: number] {
  const from = row.start + place * row.perCell;
  return [from, Math.min(row.end, from + row.perCell)];
}

/** What flows up a piece of the spine: thicker with each doubling of what is in it. */
function flow(spine: SVGLineElement, weight: number, size: number, nodes: number): void {
  const doublings = weight <= 1 ? 0 : Math.log2(weight) / Math.log2(nodes);
  spine.style.strokeWidth = weight === 0 ? '1' : (1.75 + 5 * doublings).toFixed(2);
  spine.classList.toggle('flowing', weight > 0);
  spine.classList.toggle('complete', weight > 0 && weight === size);
}

const sectorOf = arc<number>()
  .innerRadius(0)
  .outerRadius(jointRadius)
  .startAngle(0)
  .endAngle((share) => share * 2 * Math.PI);
const ring = `M0 ${-jointRadius}A${jointRadius} ${jointRadius} 0 1 1 0 ${jointRadius}A${jointRadius} ${jointRadius} 0 1 1 0 ${-jointRadius}Z`;

function sector(share: number): string {
  return ring + (sectorOf(Math.min(1, Math.max(0, share))) ?? '');
}

function setText(element: SVGTextElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
