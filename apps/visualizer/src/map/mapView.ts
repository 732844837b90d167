import { NodeRole } from '@tutti/simulation';
import { geoGraticule10, geoPath } from 'd3';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import land110 from 'world-atlas/land-110m.json' with { type: 'json' };
import { count } from '../formatNumber.ts';
import { eachInFlight, faces, inFlightAt } from '../timeline/flights.ts';
import { heldAt } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { cross, drawTick, heldColour, type Palette, sharpCanvas } from '../views/canvas.ts';
import { pointIn } from '../views/drawing.ts';
import { faceColour, inkInvalid, thicker } from '../views/messages.ts';
import { alongGreatCircle, type MapLayout, mapLayout, unitVectors } from './mapLayout.ts';
import { type Place, placesOf } from './places.ts';

const topology = land110 as unknown as Topology<{ land: GeometryCollection }>;

/**
 * Number of messages per pixel of width above which only some of the messages are drawn. A message that is drawn at all
 * is drawn along its whole path.
 */
const strokesPerPixel = 1.3;
/** Length of a stroke, as a share of the path of the message. */
const strokeLength = 0.1;
/** Maximum number of places that have names on the map. */
const maxNames = 24;
/** Minimum half side of a square in which a tick is drawn, CSS pixels. */
const minTicked = 3;
/** Distance from a node within which a pointer selects the node, CSS pixels. */
const maxReach = 10;

/** Draws the nodes at their places on the globe, and the messages in transit along great circles. */
export class MapView {
  readonly #host: HTMLElement;
  readonly #surface;
  /** Layer with land, graticule and names. The layer is painted again when the run, the width or the theme changes. */
  readonly #ground = document.createElement('canvas');
  #palette: Palette;
  #index: RunIndex | undefined;
  #places: readonly Place[] = [];
  #vectors: Float64Array = new Float64Array(0);
  #layout: MapLayout | undefined;
  #node = 0;
  /** Longitude and latitude, reused for each point of a stroke. */
  readonly #point: [number, number] = [0, 0];
  /** Number of messages in transit at the time of the last drawing. */
  inFlight = 0;
  /** Ratio of the messages in `RunIndex.flights` to the messages in the last drawing. */
  oneIn = 1;

  constructor(host: HTMLElement, palette: Palette, select: (node: number) => void) {
    this.#host = host;
    this.#palette = palette;
    this.#surface = sharpCanvas(host);
    this.#surface.canvas.className = 'map';
    this.#surface.canvas.setAttribute('role', 'img');
    this.#surface.canvas.addEventListener('click', (event) => {
      const node = this.nodeUnder(...pointIn(host, event));
      if (node !== undefined) select(node);
    });
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#paintGround();
  }

  set node(node: number) {
    this.#node = node;
  }

  /** Sets more data about the shown run. */
  set index(index: RunIndex) {
    this.#index = index;
  }

  /** Shows a run on the map. @returns whether the run's nodes have places. */
  show(index: RunIndex): boolean {
    const places = placesOf(index.recording);
    this.#surface.canvas.hidden = places === undefined;
    this.#index = places && index;
    if (places === undefined) return false;
    this.#places = places;
    this.#vectors = unitVectors(places);
    this.resize();
    return true;
  }

  clear(): void {
    this.#index = undefined;
    this.#surface.canvas.hidden = true;
  }

  resize(): void {
    const width = Math.min(this.#host.clientWidth, 1100);
    if (!this.#index || width === 0) return;
    this.#layout = mapLayout(this.#places, this.#index.recording.world.nodes, width);
    this.#surface.resize(width, this.#layout.height);
    this.#paintGround();
  }

  /** Returns the node closest to a position within the host, or undefined if no node is near. */
  nodeUnder(x: number, y: number): number | undefined {
    const layout = this.#layout;
    if (!this.#index || !layout) return undefined;
    const across = x - (this.#host.clientWidth - layout.width) / 2;
    let [nearest, min] = [-1, maxReach ** 2];
    for (let id = 0; id < layout.x.length; id++) {
      const apart = (layout.x[id]! - across) ** 2 + (layout.y[id]! - y) ** 2;
      if (apart < min) [nearest, min] = [id, apart];
    }
    return nearest < 0 ? undefined : nearest;
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    const { context, canvas } = this.#surface;
    context.clearRect(0, 0, layout.width, layout.height);
    context.drawImage(this.#ground, 0, 0, layout.width, layout.height);
    this.#drawMessages(index, layout, timeUs);
    this.#drawNodes(index, layout, timeUs);
    const flying = index.flights === undefined ? '' : `, ${count(this.inFlight)} messages in flight`;
    canvas.setAttribute(
      'aria-label',
      `${count(layout.x.length)} nodes at ${count(this.#places.length)} places on the globe${flying}.`,
    );
  }

  #drawMessages(index: RunIndex, layout: MapLayout, timeUs: number): void {
    const { flights, recording } = index;
    if (flights === undefined) return;
    const { node, peer, timeUs: departUs, untilUs } = recording;
    this.inFlight = inFlightAt(flights, timeUs);
    const prepared = this.inFlight / flights.oneIn;
    const thinned = Math.max(1, Math.ceil(prepared / (strokesPerPixel * layout.width)));
    this.oneIn = thinned;
    // The paths of other nodes' messages are drawn first, then the paths from and to the selected node, then the
    // crosses of invalid contributions.
    const paths = [...faces, ...faces].map(() => new Path2D());
    const crosses = new Path2D();
    eachInFlight(flights.drawn, timeUs, (flight) => {
      const line = flights.drawn.line[flight]!;
      const isMine = peer[line] === this.#node || node[line] === this.#node;
      if (!isMine && flight % thinned !== 0) return;
      const share = (timeUs - departUs[line]!) / Math.max(1, untilUs[line]! - departUs[line]!);
      const face = flights.drawn.face[flight]!;
      const path = paths[(isMine ? faces.length : 0) + face]!;
      const head = this.#addStroke(path, layout, layout.placeOf[node[line]!]!, layout.placeOf[peer[line]!]!, share);
      if (faces[face] === 'invalid') cross(crosses, ...head, isMine ? 4 : 2.5);
    });
    const { context } = this.#surface;
    context.lineCap = 'round';
    paths.forEach((path, at) => {
      const isMine = at >= faces.length;
      context.globalAlpha = isMine ? 1 : prepared > 600 ? 0.5 : 0.75;
      const face = faces[at % faces.length]!;
      context.lineWidth = (isMine ? 2.75 : 1.4) * thicker[face];
      context.strokeStyle = faceColour(this.#palette, face);
      context.stroke(path);
    });
    const ways = new Path2D();
    eachInFlight(flights.invalid, timeUs, (check) => {
      const line = flights.invalid.line[check]!;
      const [from, to] = [layout.placeOf[peer[line]!]!, layout.placeOf[node[line]!]!];
      for (let share = strokeLength; share < 1; share += strokeLength) this.#addStroke(ways, layout, from, to, share);
      cross(crosses, ...this.#addStroke(ways, layout, from, to, 1), 3.5);
    });
    inkInvalid(context, this.#palette, ways, crosses);
  }

  /** Adds a stroke that ends where the message is on its path. @returns the end of the stroke. */
  #addStroke(path: Path2D, layout: MapLayout, from: number, to: number, share: number): readonly [number, number] {
    const tail = Math.max(0, share - strokeLength);
    let [lastX, lastY] = [0, 0];
    for (let at = 0; at < 3; at++) {
      const along = tail + ((share - tail) * at) / 2;
      alongGreatCircle(this.#vectors, from, to, along, this.#point);
      const [x, y] = layout.projection(this.#point)!;
      // The path connects the groups of nodes, which may be drawn at an offset from their places.
      const [a, b] = [layout.places[from]!, layout.places[to]!];
      const shownX = x + (a.x - a.trueX) * (1 - along) + (b.x - b.trueX) * along;
      const shownY = y + (a.y - a.trueY) * (1 - along) + (b.y - b.trueY) * along;
      // Paths do not cross the map's edge.
      if (at === 0 || Math.abs(shownX - lastX) > layout.width / 2) path.moveTo(shownX, shownY);
      else path.lineTo(shownX, shownY);
      [lastX, lastY] = [shownX, shownY];
    }
    return [lastX, lastY];
  }

  #drawNodes({ recording: { world }, steps }: RunIndex, { x, y, half }: MapLayout, timeUs: number): void {
    const { context } = this.#surface;
    for (let id = 0; id < world.nodes; id++) {
      const [left, top] = [x[id]! - half, y[id]! - half];
      const role = world.role[id];
      if (role !== NodeRole.honest) {
        context.strokeStyle = role === NodeRole.byzantine ? this.#palette.bad : this.#palette.dead;
        context.lineWidth = Math.min(1.25, half);
        context.beginPath();
        if (role === NodeRole.byzantine) cross(context, x[id]!, y[id]!, half);
        else context.rect(left, top, half * 2, half * 2);
        context.stroke();
        continue;
      }
      const held = heldAt(steps, id, timeUs);
      context.fillStyle = held === 0 ? this.#palette.line : heldColour(this.#palette, held, world.threshold);
      context.fillRect(left, top, half * 2, half * 2);
      if (held >= world.threshold && half >= minTicked)
        drawTick(context, x[id]!, y[id]!, half * 0.57, this.#palette.paper);
    }
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 1.75;
    context.beginPath();
    context.arc(x[this.#node]!, y[this.#node]!, half * 1.4 + 3, 0, 2 * Math.PI);
    context.stroke();
  }

  /** Paints the layer below the messages. */
  #paintGround(): void {
    const layout = this.#layout;
    if (!layout) return;
    const { ratio, canvas } = this.#surface;
    this.#ground.width = canvas.width;
    this.#ground.height = canvas.height;
    const context = this.#ground.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const path = geoPath(layout.projection, context);
    context.beginPath();
    path(geoGraticule10());
    context.strokeStyle = this.#palette.line;
    context.lineWidth = 0.5;
    context.stroke();
    context.beginPath();
    path(feature(topology, topology.objects.land));
    context.fillStyle = this.#palette.land;
    context.fill();
    this.#paintOffsets(context, layout);
    if (this.#places.length <= maxNames) this.#paintNames(context, layout);
  }

  /** Draws a line from each group of nodes to its place, if the group does not cover the place. */
  #paintOffsets(context: CanvasRenderingContext2D, { places }: MapLayout): void {
    context.strokeStyle = this.#palette.muted;
    context.fillStyle = this.#palette.muted;
    context.lineWidth = 0.75;
    for (const { trueX, trueY, x, y, radius } of places) {
      if (Math.hypot(trueX - x, trueY - y) < radius + 2) continue;
      context.beginPath();
      context.moveTo(trueX, trueY);
      context.lineTo(x, y);
      context.stroke();
      context.fillRect(trueX - 1.25, trueY - 1.25, 2.5, 2.5);
    }
  }

  /** Draws the name of a place below, next to or above the place, if there is space. */
  #paintNames(context: CanvasRenderingContext2D, { places, width, height }: MapLayout): void {
    context.font = `12px ${getComputedStyle(this.#host).fontFamily}`;
    context.fillStyle = this.#palette.muted;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const boxAt = (x: number, y: number, halfWidth: number, halfHeight: number) => ({
      left: x - halfWidth,
      right: x + halfWidth,
      top: y - halfHeight,
      bottom: y + halfHeight,
    });
    const taken = places.map(({ x, y, radius }) => boxAt(x, y, radius, radius));
    for (const [at, { name }] of this.#places.entries()) {
      const { x, y, radius } = places[at]!;
      const halfWidth = context.measureText(name).width / 2;
      const middles: readonly [x: number, y: number][] = [
        [x, y + radius + 9],
        [x + radius + 5 + halfWidth, y],
        [x - radius - 5 - halfWidth, y],
        [x, y - radius - 9],
      ];
      const free = middles.find((middle) => {
        const one = boxAt(...middle, halfWidth, 7);
        const isInside = one.left >= 2 && one.right <= width - 2 && one.top >= 2 && one.bottom <= height - 2;
        return (
          isInside &&
          taken.every(
            (two) => one.right < two.left || one.left > two.right || one.bottom < two.top || one.top > two.bottom,
          )
        );
      });
      if (free === undefined) continue;
      taken.push(boxAt(...free, halfWidth, 7));
      context.fillText(name, ...free);
    }
  }
}
