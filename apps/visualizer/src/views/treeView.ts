import { Tree } from '@tutti/core';
import { LineKind } from '@tutti/simulation';
import { arc } from 'd3';
import { nothing, render, svg, type TemplateResult } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { write } from '../page.ts';
import { checksAt, type InLevel, inLevelAt, type NodeStory, stepsUntil } from '../timeline/nodeStory.ts';
import { drawingIn, lineFrom, pointIn, set, textAt } from './drawing.ts';
import { type Box, crossPath, firstHonest, roleClass, tickPath, tickWidth } from './nodeMarks.ts';
import { cellBox, cellUnder, idsOfCell, type TreeLayout, type TreeRow, treeLayout } from './treeLayout.ts';

/** Default duration for which a message stays marked, µs of virtual time. The page plays this time slowly. */
const defaultHeardForUs = 16_000;
/** Radius of the circle at which a branch leaves the spine, px. */
const jointRadius = 7;

/** Peers [from, to) that the drawing shows as one bar. */
interface BarOfPeers {
  readonly from: number;
  readonly to: number;
  /**
   * Number of peers in the bar whose contributions are included; undefined if only the number for the whole level is
   * known.
   */
  readonly inside: number | undefined;
}

/**
 * Draws the binary tree from one node's point of view: the peers on each level whose contributions are included, the
 * verification in progress, and recent messages.
 */
export class TreeView {
  readonly #host: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #heardForUs: number;
  #layout: TreeLayout | undefined;
  /** Tree of the run, which determines the tiers and the starts of the levels. */
  #tree = new Tree(1);
  /** Events of the shown node, which a longer story of the same node may replace after the run has continued. */
  story: NodeStory | undefined;
  #rows: DrawnRow[] = [];
  /** Marks over the cells of nodes with a recent message or a verification in progress, reused by each drawing. */
  #marks: SVGRectElement[] = [];
  /** Cell under the pointer; undefined if there is none. */
  #over: SVGRectElement | undefined;
  #total: SVGTextElement | undefined;
  /** Part of the spine above the highest level. */
  #top: SVGLineElement | undefined;

  /**
   * @param heardForUs duration for which a cell stays marked after a message from its node has arrived, µs of virtual
   * time.
   */
  constructor(host: HTMLElement, onSelect: (node: number) => void, heardForUs = defaultHeardForUs) {
    this.#host = host;
    this.#heardForUs = heardForUs;
    this.#svg = drawingIn(host, 'tree', 'A node’s tree');
    const under = (event: MouseEvent) => this.nodeUnder(...pointIn(host, event));
    host.addEventListener('click', (event) => {
      const node = under(event);
      if (node !== undefined) onSelect(node);
    });
    host.addEventListener('pointermove', (event) => this.#pointAt(under(event)));
    host.addEventListener('pointerleave', () => this.#pointAt(undefined));
  }

  /** Returns the node for the cell at a position, or undefined outside the cells. */
  nodeUnder(x: number, y: number): number | undefined {
    const [layout, story] = [this.#layout, this.story];
    const cell = layout && cellUnder(layout, x, y);
    return cell && story && firstHonest(story.recording.world.role, ...idsOfCell(cell.row, cell.place));
  }

  #pointAt(node: number | undefined): void {
    const cell = node === undefined ? undefined : this.#cellOf(node);
    this.#host.style.cursor = cell ? 'pointer' : '';
    this.#over?.setAttribute('class', cell ? 'mark over' : 'mark');
    if (this.#over && cell) set(this.#over, { ...cell.box });
  }

  /** Returns the bar that contains a node; undefined if the node has its own cell, or no row contains the node. */
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

  /** Returns the cell of a node, with the first id in that cell as its key; undefined if no row contains the node. */
  #cellOf(id: number): { readonly key: number; readonly box: Box } | undefined {
    const row = this.#rowOf(id)?.row;
    if (!row) return undefined;
    const place = Math.floor((id - row.start) / row.perCell);
    return { key: row.start + place * row.perCell, box: cellBox(this.#layout!, row, place) };
  }

  show(story: NodeStory): void {
    this.story = story;
    const { world, scenario } = story.recording;
    const { nodes, role } = world;
    const layout = treeLayout(
      nodes,
      story.node,
      Math.max(280, this.#host.clientWidth),
      scenario.tree,
      scenario.branching,
    );
    this.#tree = new Tree(nodes, scenario.tree, scenario.branching);
    this.#layout = layout;
    const { spineX, wordsX, self } = layout;
    for (const mark of [...this.#marks, this.#over]) mark?.remove();
    this.#marks = [];
    set(this.#svg, { width: layout.width, height: layout.height });
    this.#svg.classList.toggle('still', nodes > maxElements);
    const joint = layout.rows[0]?.jointY ?? 0;
    const rows = layout.rows.map((row, index) =>
      rowTemplate({ layout, row, below: layout.rows[index + 1]?.jointY ?? self.y, role }),
    );
    render(nothing, this.#svg);
    render(
      svg`${rows}${textAt('head', [spineX - 10, 12], 'sends', { anchor: 'end' })}${textAt('head', [wordsX, 12], 'has received')}${lineFrom('spine top', [spineX, joint - 9], [spineX, joint])}<g transform="translate(${self.x},${self.y})"><circle class="self ${roleClass(role.subarray(story.node, story.node + 1))}" r="6"></circle>${textAt('name', [14, 4], `node ${count(story.node)}`)}</g><text class="tally total" x=${wordsX} y=${self.y + 4}></text>`,
      this.#svg,
    );
    const groups = this.#svg.querySelectorAll<SVGGElement>('.row');
    this.#rows = layout.rows.map((row, index) => drawnRow(row, groups[index]!));
    this.#top = this.#svg.querySelector<SVGLineElement>('.top')!;
    this.#total = this.#svg.querySelector<SVGTextElement>('.total')!;
    this.#over = this.#addMark();
  }

  #addMark(): SVGRectElement {
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    set(mark, { class: 'mark', rx: this.#layout!.cell > 8 ? 2 : 1 });
    this.#svg.append(mark);
    return mark;
  }

  draw(timeUs: number): void {
    const story = this.story;
    const layout = this.#layout;
    if (!story || !layout) return;
    const { world, scenario, peer, level: levels } = story.recording;
    const startUs = world.startUs[story.node]!;
    const started = startUs >= 0 && startUs <= timeUs;
    const checks = checksAt(story, timeUs);

    const isWide = layout.width >= 480;
    // Only Handel has timers for levels, unless they are switched off.
    const hasTimers = scenario.protocol === 'handel' && !scenario.without.includes('start-timers');
    let weight = started ? 1 : 0;
    let size = 1;
    // The message of a level contains the contributions held by the lower tiers.
    let [out, outSize, tier] = [weight, size, 0];
    for (let index = this.#rows.length - 1; index >= 0; index--) {
      const drawn = this.#rows[index]!;
      const { row } = drawn;
      const peers = row.end - row.start;
      const inLevel = inLevelAt(story, row.level, timeUs);
      fillRow(drawn, layout, inLevel);
      if (this.#tree.tier(row.level) !== tier) [out, outSize, tier] = [weight, size, this.#tree.tier(row.level)];
      flow(drawn.spine, weight, size, world.nodes);
      write(drawn.out, out === 0 ? '' : count(out));
      drawn.out.classList.toggle('complete', out === outSize);
      const check = checks.find((line) => levels[line] === row.level);
      drawn.group.classList.toggle('complete', inLevel.weight === peers);
      this.#drawJoint(drawn.joint, check, timeUs);
      const activeUs = startUs + this.#tree.levelOrder(row.level) * scenario.levelStartMs * 1000;
      const isActive = started && (out === outSize || !hasTimers || timeUs >= activeUs);
      let state = isActive || !started ? '' : `from ${activeUs / 1000} ms`;
      if (inLevel.weight === peers) state = 'complete';
      if (check !== undefined) state = 'checking';
      write(drawn.name, `level ${row.level}${state && isWide ? ` · ${state}` : ''}`);
      write(drawn.tally, `${count(inLevel.weight)} of ${count(peers)}`);
      weight += inLevel.weight;
      size += peers;
    }
    if (this.#top) flow(this.#top, weight, size, world.nodes);
    this.#mark(
      timeUs,
      checks.map((line) => peer[line]!),
    );
    if (this.#total) {
      write(this.#total, `${count(weight)} of ${count(world.nodes)}${isWide ? ' in all' : ''}`);
      this.#total.classList.toggle('complete', weight >= world.threshold);
    }
    set(this.#svg, {
      'aria-label': `Tree of node ${count(story.node)} at ${ms(timeUs)}: ${count(weight)} of ${count(world.nodes)} contributions included. ${this.#rows
        .map(({ row, tally }) => `Level ${row.level}: ${tally.textContent}.`)
        .join(' ')}`,
    });
  }

  /** Draws the elapsed share of a verification as a sector. @param check line of the verification, if there is one. */
  #drawJoint(joint: SVGPathElement, check: number | undefined, timeUs: number): void {
    const { timeUs: since, untilUs } = this.story!.recording;
    const d =
      check === undefined ? '' : sector((timeUs - since[check]!) / Math.max(1, untilUs[check]! - since[check]!));
    // Setting a path to the same value would make the browser lay it out again.
    if (joint.getAttribute('d') !== d) joint.setAttribute('d', d);
  }

  /** Marks nodes with recent messages, using fading marks, and nodes whose contributions are being verified. */
  #mark(timeUs: number, checked: readonly number[]): void {
    const story = this.story!;
    const { kind, node } = story.recording;
    const marked = new Set<number>();
    const mark = (id: number, what: 'heard' | 'checked', opacity: number) => {
      const cell = this.#cellOf(id);
      if (cell === undefined || marked.has(cell.key)) return;
      const rect = this.#marks[marked.size] ?? this.#addMark();
      this.#marks[marked.size] = rect;
      marked.add(cell.key);
      rect.setAttribute('class', `mark ${what}`);
      rect.setAttribute('stroke-opacity', opacity.toFixed(2));
      set(rect, { ...cell.box });
    };
    for (const peer of checked) mark(peer, 'checked', 1);
    for (let step = stepsUntil(story, timeUs) - 1; step >= 0; step--) {
      const { timeUs: atUs, line } = story.steps[step]!;
      if (atUs < timeUs - this.#heardForUs) break;
      if (kind[line] === LineKind.send) mark(node[line]!, 'heard', 1 - (timeUs - atUs) / this.#heardForUs);
    }
    for (const left of this.#marks.slice(marked.size)) left.setAttribute('class', 'mark');
  }
}

/**
 * Sets the thickness of a part of the spine, which grows by one step per doubling of the weight that flows through this
 * part.
 */
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
const jointCircle = `M0 ${-jointRadius}A${jointRadius} ${jointRadius} 0 1 1 0 ${jointRadius}A${jointRadius} ${jointRadius} 0 1 1 0 ${-jointRadius}Z`;

/** Returns a circle with a filled sector, as an SVG path. */
function sector(share: number): string {
  return jointCircle + (sectorOf(Math.min(1, Math.max(0, share))) ?? '');
}

/**
 * Maximum number of nodes with which each cell is a separate element whose colour changes gradually. With more nodes,
 * all cells of a row form a single path, for speed.
 */
const maxElements = 256;

/** Level of the tree in the drawing, with the state that was last shown. */
interface DrawnRow {
  readonly row: TreeRow;
  readonly group: SVGGElement;
  /** Elements of the cells; empty if all cells form a single path. */
  readonly cells: readonly SVGRectElement[];
  /** Filled area of the row, if all cells form a single path. */
  readonly fill: SVGPathElement;
  readonly spine: SVGLineElement;
  readonly joint: SVGPathElement;
  readonly out: SVGTextElement;
  readonly name: SVGTextElement;
  readonly tally: SVGTextElement;
  shown: InLevel | undefined;
}

/** Data needed to draw a row. */
interface RowToDraw {
  readonly layout: TreeLayout;
  readonly row: TreeRow;
  /** Vertical position of the joint of the row below, or of the node itself. */
  readonly below: number;
  /** Roles of all nodes. */
  readonly role: Uint8Array;
}

function rowTemplate({ layout, row, below, role }: RowToDraw): TemplateResult {
  const places = [...Array(Math.ceil((row.end - row.start) / row.perCell)).keys()];
  const boxes = places.map((at) => cellBox(layout, row, at));
  const roles = places.map((at) => roleClass(role.subarray(...idsOfCell(row, at))));
  const isElements = role.length <= maxElements;
  const boxesOf = (kind: string) => boxes.filter((_, at) => roles[at] === kind);
  const path = (kind: string, d: string) => svg`<path class=${kind} d=${d}></path>`;
  const cellsOf = (kind: '' | 'dead' | 'byzantine') =>
    isElements
      ? nothing
      : path(
          `cell ${kind}`,
          boxesOf(kind)
            .map((box) => boxPath(box))
            .join(''),
        );
  const cellOf = (at: number) => {
    const { x, y, width, height } = boxes[at]!;
    return svg`<rect class="cell ${roles[at]}" data-node=${firstHonest(role, ...idsOfCell(row, at))} rx=${layout.cell > 8 ? 2 : 1} x=${x} y=${y} width=${width} height=${height}></rect>`;
  };
  const width = tickWidth(Math.min(layout.cell, row.cellHeight) - layout.inset);
  // Ticks are shown once the level is complete.
  const marks = [
    ['crosses', boxesOf('byzantine').map(crossPath)],
    ['ticks', boxes.map(tickPath)],
  ] as const;
  return svg`<g class="row">${path('branches', row.branches)}${isElements ? places.map(cellOf) : cellsOf('')}<path class="fill"></path>${cellsOf('dead')}${cellsOf('byzantine')}${marks.map(
    ([kind, paths]) => svg`<path class=${kind} d=${paths.join('')} stroke-width=${width}></path>`,
  )}<line class="spine" x1=${layout.spineX} x2=${layout.spineX} y1=${row.jointY} y2=${below}></line><text class="out" x=${layout.spineX - 10} y=${(row.jointY + below) / 2 + 4}></text><path class="joint" transform="translate(${layout.spineX},${row.jointY})"></path><g transform="translate(${layout.wordsX},${row.bottom - 20})"><text class="name"></text><text class="tally" y="16"></text></g></g>`;
}

/** Returns the elements of a row that {@link rowTemplate} has created. */
function drawnRow(row: TreeRow, group: SVGGElement): DrawnRow {
  const find = <E extends Element>(kind: string): E => group.querySelector<E>(`.${kind}`)!;
  return {
    row,
    group,
    cells: [...group.querySelectorAll('rect')],
    fill: find('fill'),
    spine: find('spine'),
    joint: find('joint'),
    out: find('out'),
    name: find('name'),
    tally: find('tally'),
    shown: undefined,
  };
}

/** Fills the cells of the peers whose contributions are included. */
function fillRow(drawn: DrawnRow, layout: TreeLayout, now: InLevel): void {
  if (drawn.shown?.sinceUs === now.sinceUs && drawn.shown.weight === now.weight) return;
  drawn.shown = now;
  const { row, cells, fill } = drawn;
  if (cells.length > 0) {
    cells.forEach((cell, bit) => {
      cell.classList.toggle('in', now.has(bit));
    });
    return;
  }
  const parts: string[] = [];
  for (let at = 0; at * row.perCell < row.end - row.start; at++) {
    const [from, to] = idsOfCell(row, at);
    // If only the number of included peers is known, all bars on the level have the same height.
    const share = now.named
      ? now.count(from - row.start, to - row.start) / (to - from)
      : now.weight / (row.end - row.start);
    if (share > 0) parts.push(boxPath(cellBox(layout, row, at), share));
  }
  fill.setAttribute('d', parts.join(''));
}

/** Returns a box, or only its filled lower part, as part of an SVG path. */
function boxPath({ x, y, width, height }: Box, share = 1): string {
  return `M${x.toFixed(2)} ${(y + height).toFixed(2)}h${width}v-${(share * height).toFixed(2)}h${-width}z`;
}
