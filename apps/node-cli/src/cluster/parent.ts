/** Sends a message to the process that started this one. */
export function tellParent<From>(message: From): void {
  if (process.connected) process.send!(message);
}

/** Says what went wrong, and ends the process. */
export function fail(error: Error): void {
  if (!process.connected) process.exit(1);
  const line = process.env.TUTTI_DEBUG ? (error.stack ?? error.message) : error.message;
  process.send!({ type: 'failed', line }, () => process.exit(1));
}

/** Handles what the parent says. The process lives no longer than its parent. */
export function serveParent<To>(onMessage: (message: To) => Promise<void> | void): void {
  process.on('message', (message: To) => void (async () => onMessage(message))().catch(fail));
  process.on('uncaughtException', fail);
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the parent decides what becomes of it.
  process.on('SIGINT', () => {});
}
