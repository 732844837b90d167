import { expect, it } from 'vitest';
import { TcpRoute } from './connection.ts';

it('is idle only if no packet waits and no failure is recent', () => {
  const route = new TcpRoute({ host: '127.0.0.1', port: 1 }, 1);
  expect(route.idle).toBe(true);
  route.queue.push(Uint8Array.of(1));
  expect(route.idle).toBe(false);
  route.queue.clear();
  route.backoff.onFailure(0);
  expect(route.idle).toBe(false);
  route.backoff.onSuccess();
  expect(route.idle).toBe(true);
});
