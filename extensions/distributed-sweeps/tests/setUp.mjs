/**
 * Finds a Redis server: the one that REDIS_SERVER names, one on the PATH, or Debian's package if it may be installed.
 */
export default async function setUp({ onPathOrDebians }) {
  const command = process.env.REDIS_SERVER || (await onPathOrDebians('redis-server'));
  if (command === undefined) console.log('• No redis-server: the tests of sweeps through Redis are skipped');
  return command === undefined ? {} : { REDIS_SERVER: command };
}
