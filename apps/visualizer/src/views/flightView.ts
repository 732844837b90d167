import { type Fault, LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import { eachInFlight, type Face, faceOf, faces, faultyAt, inFlightAt } from '../timeline/flights.ts';
import { HeldCursor } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { cross, drawTick, heldIndices, type Palette, sharpCanvas } from './canvas.ts';
import { pointIn } from './drawing.ts';
import {
  addMessage,
  addWay,
  Burst,
  type Circle,
  chordX,
  chordY,
  inkInvalid,
  inkMessages,
  newChord,
  newMessages,
  setChord,
} from './messages.ts';
import { Lasso, nearestOnRing, type RingOrder, RingPen, RingTurn } from './ring.ts';

/** Maximum number of messages drawn as strokes. If there are more messages, they are drawn as a layer of pixels. */
const maxStrokes = 2500;
/** Minimum radius of a node drawn as a circle, px. Nodes with a smaller radius are drawn as squares. */
const minCircle = 1.5;
/** Minimum radius of a node that gets a tick, px. */
const minTicked = 4;
/** Number of pixels per message of the layer. */
const dots = 3;
/** Distance between two pixels of a message, as a share of the message's path. */
const dotSpacing = 0.012;
/** Distance from the nodes at which message paths start and end, px. */
const inset = 7;
/**
 * Limits on the time for drawing the messages of one layer, ms. If a frame takes longer than `max`, the next frame
 * contains half as many messages. If it takes less than `min`, the next frame contains twice as many.
 */
const layerMs = { max: 3, min: 1.2 } as const;
/** Maximum ratio of the layer's messages to the drawn messages. */
const maxThinned = 16;
/** Ratio of the layer's messages to the drawn messages in the first frame of an animation. */
const firstThinned = 4;
/** Time between two frames above which the frames do not count as an animation, ms. */
const restMs = 150;

/** Draws every message in transit between the nodes on a ring. */
export class FlightView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #burst = new Burst();
  readonly #chord = newChord();
  palette: Palette;
  #index: RunIndex | undefined;
  #ring: RingTurn | undefined;
  #circle: Circle = { x: 0, y: 0, radius: 1 };
  /** Circle on which message paths start and end. */
  #inner: Circle = this.#circle;
  /** Selected node. */
  node = 0;
  /** Faults whose nodes are marked. Default: the faults of the shown run. */
  faults: readonly Fault[] = [];
  #timeUs = 0;
  /** Number of messages in transit at the time of the last drawing. */
  inFlight = 0;
  /** Ratio of the messages in `RunIndex.flights` to the messages in the last drawing. */
  oneIn = 1;
  /** Ratio for the next frame of the layer. */
  #thinned = 1;
  /** Font of the names at the ring, cached because a request for the font makes the browser compute all styles. */
  #font = '';
  #pen: RingPen;
  /** Real time at which the messages of the last layer were drawn, ms. */
  #drawnAtMs = 0;
  /** Virtual time of the last layer, µs. */
  #drawnUs = -1;
  #held: HeldCursor | undefined;
  /** Index of a node's colour in the palette, by the number of contributions that the node holds. */
  #colourOf: Uint8Array = new Uint8Array(1);
  /** Timer that draws all messages once the clock has paused. */
  #completeTimer = 0;
  readonly #redraw: () => void;
  readonly #lasso: Lasso;

  constructor(
    host: HTMLElement,
    palette: Palette,
    on: { select(node: number): void; circle(nodes: readonly number[]): void; redraw(): void },
  ) {
    this.#host = host;
    this.#redraw = () => on.redraw();
    this.palette = palette;
    this.#surface = sharpCanvas(host);
    this.#pen = this.#newPen();
    this.#surface.canvas.setAttribute('role', 'img');
    this.#surface.canvas.setAttribute('aria-label', 'Messages in flight');
    this.#lasso = new Lasso(this.#surface.canvas, {
      moved: () => on.redraw(),
      closed: (isInside) => on.circle(this.#nodesIn(isInside)),
    });
    this.#surface.canvas.addEventListener('click', (event) => {
      if (this.#lasso.wasDrawn) return;
      const node = this.nodeUnder(...pointIn(host, event));
      if (node !== undefined) on.select(node);
    });
  }

  /** Sets the data of the shown run after the run has continued. */
  set index(index: RunIndex) {
    this.#index = index;
    this.faults = index.recording.scenario.faults;
    this.#held = new HeldCursor(index.steps);
  }

  show(index: RunIndex, order: RingOrder): void {
    this.index = index;
    const { nodes, threshold } = index.recording.world;
    this.#colourOf = heldIndices(nodes, threshold);
    this.#ring = new RingTurn(index.recording.world, order);
    this.resize();
  }

  /** Returns whether the given run is the shown run. */
  shows(index: RunIndex): boolean {
    return this.#ring !== undefined && this.#index?.recording.world === index.recording.world;
  }

  /** Moves every node to its position in another arrangement, either animated or immediately. */
  arrange(order: RingOrder, atOnce: boolean): void {
    this.#ring?.arrange(order, atOnce);
  }

  /** Whether nodes are still moving to their positions, which requires another frame. */
  get moving(): boolean {
    return this.#ring?.moving ?? false;
  }

  resize(): void {
    this.#font = getComputedStyle(this.#host).fontFamily;
    // The ring leaves space in the window for the timeline, so that both are visible.
    const room = Math.max(360, Math.min(760, globalThis.innerHeight - 450));
    // A host with a given height limits the ring.
    const given = this.#host.hasAttribute('data-given') ? this.#host.clientHeight : 0;
    const width = Math.min(this.#host.clientWidth, Math.max(820, given));
    this.#surface.resize(width, Math.min(width, given > 0 ? given : room));
  }

  /** Returns the node at a position in the host, or undefined if the position is not near the ring. */
  nodeUnder(x: number, y: number): number | undefined {
    const canvasLeft = (this.#host.clientWidth - this.#surface.width) / 2;
    const [across, down] = [x - canvasLeft - this.#circle.x, y - this.#circle.y];
    if (Math.abs(Math.hypot(across, down) - this.#circle.radius) > 22) return undefined;
    return this.#ring && nearestOnRing(this.#ring.angle, Math.atan2(across, -down));
  }

  draw(timeUs: number): void {
    const [index, ring] = [this.#index, this.#ring];
    // If the surface has no width, for example in a window that is being closed, image data cannot be created.
    if (!index?.flights || !ring || this.#surface.width === 0) return;
    this.#timeUs = timeUs;
    ring.advance();
    const { context, canvas, width, height } = this.#surface;
    const radius = Math.min(width / 2 - ring.margin, height / 2 - 42);
    this.#circle = { x: width / 2, y: height / 2, radius };
    this.#inner = { ...this.#circle, radius: radius - inset };
    this.#pen = this.#newPen();
    this.inFlight = inFlightAt(index.flights, timeUs);
    const isBurst = this.inFlight > maxStrokes;
    const hasLayer = isBurst || this.#nodeSize(index.recording.world.nodes) < minCircle;
    this.oneIn = 1;
    if (hasLayer) this.#drawLayer(index, ring, isBurst);
    else context.clearRect(0, 0, width, height);
    this.#pen.regions(ring);
    if (isBurst) this.#drawMine(index, ring);
    else this.#drawStrokes(index, ring);
    this.#drawInvalid(index, ring);
    this.#drawNodes(index, ring);
    this.#lasso.draw(context, this.palette.ink);
    const [flying, nodes] = [count(this.inFlight), count(ring.angle.length)];
    canvas.setAttribute('aria-label', `${flying} messages in flight between ${nodes} nodes.`);
  }

  #newPen(): RingPen {
    return new RingPen(this.#surface.context, this.#circle, this.palette, this.#font);
  }

  #nodesIn(isInside: (x: number, y: number) => boolean): number[] {
    const ring = this.#ring;
    if (ring === undefined) return [];
    const { x, y, radius } = this.#circle;
    return [...ring.sine.keys()].filter((id) => isInside(x + radius * ring.sine[id]!, y - radius * ring.cosine[id]!));
  }

  /**
   * Calls `visit` for each drawn message in transit, with the chord set to its path, and the completed share of the
   * path.
   */
  #each(
    { flights, recording }: RunIndex,
    ring: RingTurn,
    oneIn: number,
    visit: (line: number, share: number, face: Face) => void,
  ): void {
    const { line, face } = flights!.drawn;
    eachInFlight(flights!.drawn, this.#timeUs, (flight) => {
      // The selection contains the same messages in every frame.
      if (flight % oneIn !== 0) return;
      visit(line[flight]!, this.#follow(recording, ring, line[flight]!), faces[face[flight]!]!);
    });
  }

  /** Sets the chord to the path of a message. @returns the completed share of the path. */
  #follow({ node, peer, timeUs, untilUs }: Recording, ring: RingTurn, line: number): number {
    setChord(this.#chord, this.#inner, ring, node[line]!, peer[line]!);
    return (this.#timeUs - timeUs[line]!) / Math.max(1, untilUs[line]! - timeUs[line]!);
  }

  #drawStrokes(index: RunIndex, ring: RingTurn): void {
    const { peer } = index.recording;
    const { context } = this.#surface;
    const others = newMessages('others');
    const mine = newMessages('mine');
    this.#each(index, ring, 1, (line, share, face) => {
      addMessage(peer[line] === this.node ? mine : others, this.#chord, share, face);
    });
    inkMessages(context, this.palette, others, this.inFlight > 300 ? 0.25 : 0.45);
    inkMessages(context, this.palette, mine, 0.7);
  }

  /** Draws all messages in transit to the selected node, over a layer that may omit some of them. */
  #drawMine(index: RunIndex, ring: RingTurn): void {
    const { recording, lines } = index;
    const { kind, timeUs, untilUs } = recording;
    const mine = newMessages('mine');
    for (const line of lines.line.subarray(lines.offset[this.node]!, lines.offset[this.node + 1]!)) {
      if (kind[line] !== LineKind.send || timeUs[line]! > this.#timeUs || untilUs[line]! <= this.#timeUs) continue;
      const share = this.#follow(recording, ring, line);
      addMessage(mine, this.#chord, share, faceOf(recording, line));
    }
    inkMessages(this.#surface.context, this.palette, mine, 0.7);
  }

  /**
   * Draws the invalid contributions that are being verified: a dashed line from the sender, and a cross at the
   * verifying node.
   */
  #drawInvalid({ flights, recording: { node, peer } }: RunIndex, ring: RingTurn): void {
    const [ways, heads] = [new Path2D(), new Path2D()];
    eachInFlight(flights!.invalid, this.#timeUs, (check) => {
      const line = flights!.invalid.line[check]!;
      setChord(this.#chord, this.#inner, ring, peer[line]!, node[line]!);
      addWay(ways, this.#chord);
      cross(heads, chordX(this.#chord, 1), chordY(this.#chord, 1), 3.5);
    });
    inkInvalid(this.#surface.context, this.palette, ways, heads);
  }

  /** Draws the messages and nodes that are too many or too small to be drawn individually. */
  #drawLayer(index: RunIndex, ring: RingTurn, isBurst: boolean): void {
    const { context, canvas } = this.#surface;
    this.#burst.clear(canvas.width, canvas.height);
    if (isBurst) this.#addMessages(index, ring);
    this.#burst.ink(this.palette);
    this.#addSquares(index, ring);
    context.putImageData(this.#burst.image, 0, 0);
  }

  #addMessages(index: RunIndex, ring: RingTurn): void {
    const { ratio } = this.#surface;
    const chord = this.#chord;
    const burst = this.#burst;
    const beganMs = performance.now();
    const isSameMoment = this.#timeUs === this.#drawnUs;
    if (beganMs - this.#drawnAtMs > restMs) this.#thinned = isSameMoment ? 1 : firstThinned;
    const oneIn = this.#thinned;
    this.oneIn = oneIn;
    this.#each(index, ring, oneIn, (_, share, face) => {
      for (let dot = 0; dot < dots; dot++) {
        const along = Math.max(0, share - dot * dotSpacing);
        burst.add(chordX(chord, along) * ratio, chordY(chord, along) * ratio, face);
      }
    });
    this.#drawnAtMs = performance.now();
    this.#drawnUs = this.#timeUs;
    const tookMs = this.#drawnAtMs - beganMs;
    if (tookMs > layerMs.max) this.#thinned = Math.min(maxThinned, oneIn * 2);
    else if (tookMs < layerMs.min) this.#thinned = Math.max(1, oneIn / 2);
    // While the clock is paused, the picture contains all messages.
    clearTimeout(this.#completeTimer);
    if (oneIn > 1) this.#completeTimer = setTimeout(this.#redraw, restMs + 50);
  }

  /** Draws the nodes as squares, if circles would be too small. */
  #addSquares({ recording: { world } }: RunIndex, ring: RingTurn): void {
    const size = this.#nodeSize(world.nodes);
    if (size >= minCircle) return;
    const { x, y, radius } = this.#circle;
    const { ratio } = this.#surface;
    const { pixels } = this.palette;
    const side = Math.max(1, Math.round(2 * size * ratio));
    for (let id = 0; id < world.nodes; id++) {
      if (world.role[id] !== NodeRole.honest) continue;
      const word = pixels[this.#colourOf[this.#held!.at(id, this.#timeUs)]!]!;
      this.#burst.square((x + radius * ring.sine[id]!) * ratio, (y - radius * ring.cosine[id]!) * ratio, side, word);
    }
  }

  #nodeSize(nodes: number): number {
    return Math.min(7, Math.max(1.3, (this.#circle.radius * 2 * Math.PI) / nodes / 3));
  }

  #drawNodes({ recording: { world } }: RunIndex, ring: RingTurn): void {
    const { context } = this.#surface;
    const { x, y, radius } = this.#circle;
    const size = this.#nodeSize(world.nodes);
    // The layer contains the honest nodes if they are too small for circles.
    const isInLayer = size < minCircle;
    for (let id = 0; id < world.nodes; id++) {
      const role = world.role[id];
      const isHonest = role === NodeRole.honest;
      if (isHonest && isInLayer) continue;
      const [left, top] = [x + radius * ring.sine[id]!, y - radius * ring.cosine[id]!];
      const held = this.#held!.at(id, this.#timeUs);
      if (isHonest) context.fillStyle = this.palette.ramp[this.#colourOf[held]!] ?? this.palette.all;
      context.beginPath();
      if (role === NodeRole.byzantine) cross(context, left, top, size);
      else context.arc(left, top, size, 0, 2 * Math.PI);
      if (isHonest) {
        context.fill();
        if (size >= minTicked && held >= world.threshold) drawTick(context, left, top, size * 0.46, this.palette.paper);
      } else {
        context.strokeStyle = role === NodeRole.byzantine ? this.palette.bad : this.palette.dead;
        context.lineWidth = role === NodeRole.byzantine ? 2 : 1.2;
        context.stroke();
      }
    }
    for (const id of faultyAt(this.faults, this.#timeUs)) this.#pen.markFaulty(ring, id, size);
    this.#pen.markSelected(ring, this.node, size);
  }
}
