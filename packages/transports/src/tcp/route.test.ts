import { expect, it } from 'vitest';
import { TcpRoute } from './route.ts';

const to = { host: '127.0.0.1', port: 1 };

it('waits twice as long after each failure, five seconds at most, and not at all after a success', () => {
  const route = new TcpRoute(to, 1);
  const waitsMs = Array.from({ length: 8 }, () => {
    route.onFailure(1000);
    let waitMs = 0;
    while (route.waiting(1000 + waitMs)) waitMs += 100;
    return waitMs;
  });
  expect(waitsMs).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  route.onSuccess();
  expect(route.waiting(0)).toBe(false);
  route.onFailure(0);
  expect([route.waiting(99), route.waiting(100)]).toEqual([true, false]);
});

it('is worth remembering while packets wait or a failure is fresh', () => {
  const route = new TcpRoute(to, 1);
  expect(route.idle).toBe(true);
  route.queue.push(Uint8Array.of(1));
  expect(route.idle).toBe(false);
  route.queue.clear();
  route.onFailure(0);
  expect(route.idle).toBe(false);
  route.onSuccess();
  expect(route.idle).toBe(true);
});
