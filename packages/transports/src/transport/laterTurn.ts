/**
 * Runs a task in a later turn of the event loop, first come, first served, without the delay of a timer. It uses
 * `setImmediate` if available, otherwise a message to itself, which browsers support.
 */
export const inLaterTurn: (task: () => void) => void =
  typeof setImmediate === 'function' ? (task) => void setImmediate(task) : byMessage();

function byMessage(): (task: () => void) => void {
  const tasks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: () => tasks.shift()!() });
  return (task) => {
    tasks.push(task);
    port2.postMessage(undefined);
  };
}
