import { readFileSync } from 'node:fs';

/**
 * Datagrams that the system has dropped so far at UDP sockets over IPv4, because nobody took them in time.
 *
 * @param pid a process of the network namespace that the sockets are in.
 * @param ports of the sockets that count; default: all of them.
 */
export function droppedAtSockets(pid: number | 'self', ports?: ReadonlySet<number>): number {
  return droppedIn(readFileSync(`/proc/${pid}/net/udp`, 'utf8'), ports);
}

/** @param table as Linux shows it in `net/udp`: a socket a line below a head, its address second and its drops last. */
export function droppedIn(table: string, ports?: ReadonlySet<number>): number {
  return table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address]) => ports === undefined || ports.has(Number.parseInt(address!.split(':')[1]!, 16)))
    .reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
}
