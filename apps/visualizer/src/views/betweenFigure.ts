import { part } from '../page.ts';
import { mostNodesWithMessages, mostPeersWithNames, type RunIndex } from '../timeline/runIndex.ts';
import { count, figure } from '../words.ts';
import { FlightView } from './flightView.ts';
import { drawFlightLegend, drawLevelsLegend } from './legends.ts';
import { LevelsView } from './levelsView.ts';
import type { Palette } from './palette.ts';
import type { RingOrder } from './ringLayout.ts';

/** What a message costs a recording while it is made, bytes. */
const bytesPerMessage = 46;

/** What goes on between the nodes: their messages, or where these are not there to be drawn, how far all nodes are on each level. */
export class BetweenFigure {
  readonly #host = part('#flight');
  readonly #sub = part('#flight-sub');
  readonly #flight: FlightView;
  readonly #levels: LevelsView;
  #index: RunIndex | undefined;
  #node = 0;

  constructor(palette: Palette, on: ConstructorParameters<typeof FlightView>[2]) {
    this.#flight = new FlightView(this.#host, palette, on);
    this.#levels = new LevelsView(this.#host);
  }

  set palette(palette: Palette) {
    this.#flight.palette = palette;
  }

  set node(node: number) {
    this.#node = node;
    this.#flight.node = node;
  }

  /** More of the run that is shown. */
  set index(index: RunIndex) {
    this.#index = index;
    this.#flight.index = index;
  }

  get moving(): boolean {
    return this.#flight.moving;
  }

  show(index: RunIndex, order: RingOrder): void {
    this.#index = index;
    const { world } = index.recording;
    const asLevels = index.flights === undefined;
    this.#host.toggleAttribute('data-levels', asLevels);
    part('#flight-title').textContent = asLevels ? 'Level by level' : 'Messages in flight';
    part('#flight-note').textContent = asLevels ? whyNoMessages(index) : '';
    part('#ring-order').hidden = asLevels || world.regionNames.length < 2;
    if (asLevels) {
      drawLevelsLegend(part('#flight-legend'));
      this.#levels.show(index);
    } else {
      drawFlightLegend(part('#flight-legend'), world.alive);
      this.#levels.clear();
      this.#flight.show(index, order);
    }
  }

  arrange(order: RingOrder, atOnce: boolean): void {
    this.#flight.arrange(order, atOnce);
  }

  resize(): void {
    if (this.#index?.flights) this.#flight.resize();
    else this.#levels.resize();
  }

  nodeUnder(x: number, y: number): number | undefined {
    return this.#index?.flights ? this.#flight.nodeUnder(x, y) : undefined;
  }

  draw(timeUs: number): void {
    if (!this.#index) return;
    if (!this.#index.flights) {
      this.#levels.draw(timeUs);
      this.#sub.textContent = `${count(this.#levels.checking)} nodes are checking a contribution.`;
      return;
    }
    this.#flight.draw(timeUs);
    const { inFlight } = this.#flight;
    const oneIn = this.#index.flights.oneIn * this.#flight.oneIn;
    const drawn = oneIn > 1 ? `, one in ${oneIn} of them drawn` : '';
    this.#sub.textContent = `${count(inFlight)} on their way${drawn}. Heavier strokes go to node ${this.#node}.`;
  }
}

function whyNoMessages({ recording }: RunIndex): string {
  const { result, sends, world } = recording;
  if (!sends && world.nodes <= mostNodesWithMessages) return 'This recording was made without its messages.';
  const sent = result.messagesSent.mean * result.live;
  const most = figure(mostNodesWithMessages);
  if (sends)
    return `The ${count(Math.round(sent))} messages of this recording are too many to be drawn; up to ${most} nodes they are.`;
  const gigabytes = ((sent * bytesPerMessage) / 1e9).toFixed(1);
  return `Messages are drawn up to ${most} nodes. The ${count(Math.round(sent))} of this run were counted and not kept, for they would have taken ${gigabytes} GB; every check, every improvement and every output of every node is kept, with who is in on levels of up to ${figure(mostPeersWithNames)} peers and how many on larger ones.`;
}
