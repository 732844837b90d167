import { count } from '../formatNumber.ts';
import type { MapView } from '../map/mapView.ts';
import { hasPlaces } from '../map/places.ts';
import { query, sayError, write } from '../page.ts';
import { type BetweenView, betweenViews } from '../state/pageState.ts';
import { hasLevels } from '../timeline/heldSteps.ts';
import { maxNodesWithMessages, maxPeersWithNames, type RunIndex } from '../timeline/runIndex.ts';
import type { Palette } from '../views/canvas.ts';
import { FlightView } from '../views/flightView.ts';
import { drawFlightLegend, drawLevelsLegend } from '../views/legends.ts';
import { LevelsView } from '../views/levelsView.ts';
import type { RingOrder } from '../views/ring.ts';

/** Memory that a recording needs per message, bytes. */
const bytesPerMessage = 46;

const titles: Readonly<Record<BetweenView, string>> = {
  tree: 'Messages in flight',
  region: 'Messages in flight',
  map: 'Locations of the nodes',
  levels: 'Level by level',
};

/**
 * Figure of the events between the nodes in the chosen view. If the run lacks the data for this view, the figure uses
 * the most similar view that the data allow.
 */
export class BetweenFigure {
  readonly #host = query('#flight');
  readonly #sub = query('#flight-sub');
  readonly #choice = query('#ring-order');
  readonly #flight: FlightView;
  readonly #levels: LevelsView;
  readonly #on: { select(node: number): void; redraw(): void };
  #palette: Palette;
  #map: MapView | undefined;
  #index: RunIndex | undefined;
  #node = 0;
  #shown: BetweenView = 'tree';

  constructor(palette: Palette, on: ConstructorParameters<typeof FlightView>[2]) {
    this.#palette = palette;
    this.#on = on;
    this.#flight = new FlightView(this.#host, palette, on);
    this.#levels = new LevelsView(this.#host);
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#flight.palette = palette;
    if (this.#map) this.#map.palette = palette;
  }

  set node(node: number) {
    this.#node = node;
    this.#flight.node = node;
    if (this.#map) this.#map.node = node;
  }

  /** Sets more data about the shown run. */
  set index(index: RunIndex) {
    this.#index = index;
    this.#flight.index = index;
    if (this.#shown === 'levels') this.#levels.show(index);
    if (this.#shown === 'map' && this.#map) this.#map.index = index;
  }

  /** Shown view: the requested view, or the most similar view that the run supports. */
  get shown(): BetweenView {
    return this.#shown;
  }

  get moving(): boolean {
    return this.#flight.moving;
  }

  /** Shows another run. */
  show(index: RunIndex, view: BetweenView): void {
    this.#index = index;
    const has = viewsOf(index);
    for (const input of this.#choice.querySelectorAll<HTMLInputElement>('input'))
      input.closest('label')!.hidden = !has.includes(input.value as BetweenView);
    this.#choice.hidden = has.length < 2;
    this.#showView(nearestView(view, has), true);
  }

  /**
   * Shows the same run in another view. On the ring, every node moves to its new position, either animated or
   * immediately.
   */
  arrange(view: BetweenView, atOnce: boolean): void {
    if (this.#index) this.#showView(nearestView(view, viewsOf(this.#index)), atOnce);
  }

  #showView(view: BetweenView, atOnce: boolean): void {
    const index = this.#index!;
    const before = this.#shown;
    const isSameRing = isRing(before) && isRing(view) && this.#flight.shows(index);
    this.#shown = view;
    this.#host.dataset.view = view;
    // If the run has neither levels, places nor recorded messages, there is nothing to draw.
    this.#host.hidden = isRing(view) && index.flights === undefined;
    query<HTMLInputElement>(`#ring-order input[value="${view}"]`).checked = true;
    query('#flight-title').textContent = titles[view];
    query('#flight-note').textContent = index.flights === undefined && view !== 'map' ? whyNoMessages(index) : '';
    if (view === 'levels') {
      drawLevelsLegend(query('#flight-legend'));
      this.#levels.show(index);
    } else {
      drawFlightLegend(query('#flight-legend'), index.recording);
      this.#levels.clear();
    }
    if (view === 'map') this.#showMap(index).catch((error) => sayError(error, 'The map could not be loaded'));
    else this.#map?.clear();
    if (!isRing(view)) return;
    if (isSameRing) this.#flight.arrange(view, atOnce);
    else this.#flight.show(index, view);
  }

  /** Shows the map. The map's code and coastline are loaded on first use. */
  async #showMap(index: RunIndex): Promise<void> {
    const { MapView } = await import('../map/mapView.ts');
    this.#map ??= new MapView(this.#host, this.#palette, (node) => this.#on.select(node));
    if (this.#shown !== 'map' || this.#index?.recording.world !== index.recording.world) return;
    this.#map.node = this.#node;
    if (this.#map.show(index)) this.#on.redraw();
    else {
      // A file may name a network with places, and regions without a known place.
      const others = viewsOf(index).filter((one) => one !== 'map');
      this.#showView(nearestView('tree', others), true);
    }
  }

  resize(): void {
    if (this.#shown === 'levels') this.#levels.resize();
    else if (this.#shown === 'map') this.#map?.resize();
    else if (this.#index?.flights) this.#flight.resize();
  }

  /** Returns the node at a position of the host, if the view shows nodes there. */
  nodeUnder(x: number, y: number): number | undefined {
    if (this.#shown === 'map') return this.#map?.nodeUnder(x, y);
    return isRing(this.#shown) ? this.#flight.nodeUnder(x, y) : undefined;
  }

  /** Draws a moment. @param hasWords false to leave the current text next to a ring or a map unchanged. */
  draw(timeUs: number, hasWords = true): void {
    const index = this.#index;
    if (!index) return;
    if (this.#shown === 'levels') {
      this.#levels.draw(timeUs);
      write(this.#sub, `Contributions being verified: ${count(this.#levels.checking)}.`);
      return;
    }
    if (this.#host.hidden) {
      this.#sub.textContent = '';
      return;
    }
    const view = this.#shown === 'map' ? this.#map : this.#flight;
    // The code of the map may still be loading.
    if (!view) return;
    view.draw(timeUs);
    if (!hasWords) return;
    if (!index.flights) {
      this.#sub.textContent = 'Each square is a node at its location. The messages were not recorded.';
      return;
    }
    const oneIn = index.flights.oneIn * view.oneIn;
    const drawn = oneIn > 1 ? `, 1 in ${oneIn} drawn` : '';
    const heavier =
      this.#shown === 'map'
        ? `Thick strokes are messages from or to node ${this.#node}.`
        : `Large dots are messages to node ${this.#node}.`;
    write(this.#sub, `${count(view.inFlight)} messages in flight${drawn}. ${heavier}`);
  }
}

function isRing(view: BetweenView): view is RingOrder {
  return view === 'tree' || view === 'region';
}

/** Returns the views that a run supports. */
function viewsOf({ flights, recording: { world, scenario } }: RunIndex): readonly BetweenView[] {
  return betweenViews.filter((view) => {
    if (view === 'tree') return flights !== undefined;
    if (view === 'region') return flights !== undefined && world.regionNames.length > 1;
    if (view === 'map') return hasPlaces(scenario.network);
    return hasLevels(scenario.protocol);
  });
}

/** Returns the view `view`, or the most similar one that is available. */
function nearestView(view: BetweenView, has: readonly BetweenView[]): BetweenView {
  if (has.includes(view)) return view;
  return has.includes('tree') ? 'tree' : has.includes('levels') ? 'levels' : (has[0] ?? 'tree');
}

function whyNoMessages({ recording }: RunIndex): string {
  const { result, sends, world, scenario } = recording;
  const maxNodes = maxNodesWithMessages(scenario.protocol);
  if (!sends && world.nodes <= maxNodes) return 'This recording contains no messages.';
  const sent = result.messagesSent.mean * result.live;
  const max = count(maxNodes);
  if (sends)
    return `This recording has ${count(Math.round(sent))} messages, which is too many to draw. Messages are drawn only for up to ${max} nodes.`;
  const gigabytes = ((sent * bytesPerMessage) / 1e9).toFixed(1);
  return `Messages are drawn only for up to ${max} nodes. The ${count(Math.round(sent))} messages of this run were counted but not stored, because they would need ${gigabytes} GB. All checks, improvements and outputs are stored. They name the signers on levels with up to ${count(maxPeersWithNames)} peers, and give only the number of signers on larger levels.`;
}
