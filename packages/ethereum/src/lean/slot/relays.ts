/**
 * Returns whom a member passes a message on to.
 *
 * @param from who it came from; the member itself for its own. @param by who published it.
 */
export type Relays = (node: number, from: number, by: number) => readonly number[];

/**
 * BEAMSIM's grid: members in rows of floor(sqrt n). The publisher sends along its row and its column; who got it along
 * the row sends down its column, and the other way round: two hops, at most two copies.
 */
export function gridRelays(members: number): Relays {
  const width = Math.max(1, Math.floor(Math.sqrt(members)));
  const all = Array.from({ length: members }, (_, member) => member);
  const row = (node: number) => Math.floor(node / width);
  const column = (node: number) => node % width;
  const along = (node: number) => all.filter((one) => one !== node && row(one) === row(node));
  const down = (node: number) => all.filter((one) => one !== node && column(one) === column(node));
  return (node, from, by) => {
    if (node === by) return [...along(node), ...down(node)];
    if (from !== by) return [];
    return row(node) === row(by) ? down(node) : along(node);
  };
}

/** BEAMSIM's direct: to one global aggregator, which forwards to the other ones, the first positions. */
export function directRelays(globals: number): Relays {
  const all = Array.from({ length: globals }, (_, member) => member);
  return (node, from, by) => {
    if (node === by) return node < globals ? all.filter((one) => one !== node) : [by % globals];
    return from === by && by >= globals ? all.filter((one) => one !== node && one !== by) : [];
  };
}
