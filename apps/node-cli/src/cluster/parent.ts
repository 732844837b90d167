/** Sends a message to the process that started this one. */
export function sendToParent<From>(message: From): void {
  if (process.connected) process.send!(message);
}

/** Reports an error to the parent, and ends the process. */
export function fail(error: Error): void {
  if (!process.connected) process.exit(1);
  const line = process.env.TUTTI_DEBUG ? (error.stack ?? error.message) : error.message;
  process.send!({ type: 'failed', line }, () => process.exit(1));
}

/** Handles the parent's messages. The process ends when its parent does. */
export function serveParent<To>(onMessage: (message: To) => Promise<void> | void): void {
  process.on('message', (message: To) => void (async () => onMessage(message))().catch(fail));
  process.on('uncaughtException', fail);
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal, but the parent decides when this process ends.
  process.on('SIGINT', () => {});
}
