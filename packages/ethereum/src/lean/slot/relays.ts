/**
 * Returns the members to which a member forwards a message.
 *
 * @param from the member from which the member received the message, or the member itself for its own message.
 * @param by the publisher.
 */
export type Relays = (node: number, from: number, by: number) => readonly number[];

/**
 * Returns the relays of BEAMSIM's grid: members are in rows of floor(sqrt n). The publisher sends along its row and its column. A member that
 * received the message along the row sends it down its column, and vice versa. This takes two hops, and at most two
 * copies.
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

/**
 * Returns the relays of BEAMSIM's direct way: a member sends to one global aggregator, which forwards to the other
 * global aggregators, the first positions.
 */
export function directRelays(globals: number): Relays {
  const all = Array.from({ length: globals }, (_, member) => member);
  return (node, from, by) => {
    if (node === by) return node < globals ? all.filter((one) => one !== node) : [by % globals];
    return from === by && by >= globals ? all.filter((one) => one !== node && one !== by) : [];
  };
}
