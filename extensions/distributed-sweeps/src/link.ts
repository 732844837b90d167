import { EnvironmentError } from '@tutti/core/input';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { shownUrl } from './shownUrl.ts';

/** Timeout for a connection to Redis, ms. */
const connectTimeoutMs = 5000;
/** Time without a connection after which the program stops waiting for Redis, ms; a shorter outage may be a restart. */
const maxOutageMs = 60_000;
/** Time between two attempts to reconnect, ms. */
const retryMs = 500;

/** Returns the options for BullMQ's connections to Redis. BullMQ retries as long as this process runs. */
export function connectionOptions(url: string): ConnectionOptions {
  return { url, maxRetriesPerRequest: null, retryStrategy: () => retryMs };
}

/**
 * A connection to Redis in addition to BullMQ's connections. The connection reports whether Redis can be reached, and
 * the time of Redis's clock.
 */
export class RedisLink {
  readonly #url: string;
  readonly #redis: Redis;
  /** Latest error of the connection; undefined if there is none. */
  #error: string | undefined;
  #downSinceMs: number | undefined;

  private constructor(url: string, redis: Redis) {
    this.#url = url;
    this.#redis = redis;
    redis.on('error', (error: NodeJS.ErrnoException) => {
      this.#error = reason(error);
    });
    redis.on('close', () => {
      this.#downSinceMs ??= performance.now();
    });
    redis.on('ready', () => {
      this.#downSinceMs = undefined;
    });
  }

  /** Opens a connection. @throws EnvironmentError `redis-unreachable` after one failed attempt. */
  static async open(url: string): Promise<RedisLink> {
    let retry: number | null = null;
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: connectTimeoutMs,
      maxRetriesPerRequest: null,
      retryStrategy: () => retry,
    });
    const link = new RedisLink(url, redis);
    try {
      await redis.connect();
      await redis.ping();
    } catch (cause) {
      link.close();
      const why = link.#error ?? reason(cause as Error);
      throw new EnvironmentError('redis-unreachable', `${shownUrl(url)}: Redis cannot be reached (${why})`, { cause });
    }
    retry = retryMs;
    return link;
  }

  /** Returns the time of Redis's clock, ms; Redis identifies the events of its streams by this time. */
  async timeMs(): Promise<number> {
    const [seconds, microseconds] = await this.#redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  }

  /** Whether the connection is open. */
  get isUp(): boolean {
    return this.#downSinceMs === undefined;
  }

  /**
   * Checks the connection.
   *
   * @throws EnvironmentError `redis-unreachable` if Redis has been unreachable for a minute or longer.
   */
  check(): void {
    if (this.#downSinceMs === undefined || performance.now() - this.#downSinceMs < maxOutageMs) return;
    throw new EnvironmentError(
      'redis-unreachable',
      `${shownUrl(this.#url)}: Redis has been gone for ${maxOutageMs / 1000} s (${this.#error ?? 'no answer'})`,
    );
  }

  close(): void {
    // Closing a connection that was never established would keep the process alive for two seconds.
    if (this.#redis.status !== 'end') this.#redis.disconnect();
  }
}

function reason(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
