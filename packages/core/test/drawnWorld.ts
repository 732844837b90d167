import type { Draw } from '../../../tests/digests.ts';
import type { CountingScheme } from '../src/contribution/countingScheme.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode } from '../src/protocol.ts';
import { contributionOf, forgeryOf, idsOfBlock, signersOf } from './sets.ts';

/** Pending event at a node. */
interface Due {
  readonly atUs: number;
  readonly to: number;
  readonly happen: (node: ProtocolNode) => void;
}

export interface DrawnWorldOptions {
  readonly scheme: CountingScheme;
  /** Creates the node with the given id. */
  readonly node: (id: number, port: Port) => ProtocolNode;
  /** Share of the messages that are lost. */
  readonly loss: number;
  /** Share of the messages that are duplicated. */
  readonly copies: number;
  /** Share of the messages that are replaced with random messages. */
  readonly replacements: number;
  /** Share of the messages whose aggregate is replaced with a forged one that has the same signers. */
  readonly forgeries: number;
  /** Maximum duration of a verification, microseconds. */
  readonly checkUs: number;
  /** Maximum number of events. */
  readonly maxEvents: number;
}

/**
 * Simulates a small number of nodes on a hostile network, with randomly drawn events. Messages take any time, and may
 * be lost, duplicated or replaced with random messages. Verifications take any time. @returns all calls of every node
 * to its port, in order, one line per call.
 */
export function runDrawnWorld(draw: Draw, options: DrawnWorldOptions): string[] {
  const { scheme, loss, copies, replacements, forgeries, checkUs, maxEvents } = options;
  const { nodes } = scheme.tree;
  const calls: unknown[] = [];
  const due: Due[] = [];
  let nowUs = 0;
  let tickets = 0;
  const later = (inUs: number, to: number, happen: Due['happen']) => due.push({ atUs: nowUs + inUs, to, happen });
  const said = (contribution: Contribution) =>
    contribution === noContribution ? '-' : `${scheme.block(contribution)}:${signersOf(scheme, contribution)}`;
  const portOf = (id: number): Port => ({
    nowUs: () => nowUs,
    send(to, level, aggregate, individual, flags) {
      calls.push([nowUs, 'send', id, to, level, said(aggregate), said(individual), flags]);
      for (let copy = draw.chance(loss) ? 0 : draw.chance(copies) ? 2 : 1; copy > 0; copy--) {
        scheme.retain(aggregate);
        scheme.retain(individual);
        const isReplaced = draw.chance(replacements);
        const forged = draw.chance(forgeries);
        later(draw.integer(1000, 40_000), to, (node) => {
          if (isReplaced) node.onMessage(...drawMessage(draw, scheme, to));
          else {
            const heard = forged ? forgedLike(draw, scheme, aggregate) : aggregate;
            node.onMessage(id, level, heard, individual, flags);
            if (forged) scheme.release(heard);
          }
          scheme.release(aggregate);
          scheme.release(individual);
        });
      }
    },
    setTimer(delayUs, timer) {
      calls.push([nowUs, 'timer', id, delayUs, timer]);
      later(delayUs, id, (node) => node.onTimer(timer));
    },
    verify(contribution, level, peer) {
      const ticket = ++tickets;
      calls.push([nowUs, 'verify', id, said(contribution), level, peer]);
      later(draw.integer(500, checkUs), id, (node) => node.onVerified(ticket, scheme.verify(contribution)));
      return ticket;
    },
    output: (contribution) => calls.push([nowUs, 'output', id, said(contribution)]),
    refuse: (level, peer, code) => calls.push([nowUs, 'refuse', id, level, peer, code]),
    trace: (kind, level, peer, what) => calls.push([nowUs, 'trace', id, kind, level, peer, said(what)]),
  });
  const all = Array.from({ length: nodes }, (_, id) => options.node(id, portOf(id)));
  for (let id = 0; id < nodes; id++) later(draw.integer(0, 30_000), id, (node) => node.start());
  for (let left = maxEvents; left > 0 && due.length > 0; left--) {
    const next = due.reduce((first, one) => (one.atUs < first.atUs ? one : first));
    due.splice(due.indexOf(next), 1);
    nowUs = next.atUs;
    next.happen(all[next.to]!);
  }
  return calls.map((line) => JSON.stringify(line));
}

/** Creates an invalid contribution with the signers of a valid one. */
function forgedLike(draw: Draw, scheme: CountingScheme, contribution: Contribution): Contribution {
  if (contribution === noContribution) return contribution;
  const block = scheme.block(contribution);
  const ids = idsOfBlock(scheme.tree, block);
  const some = draw.some(ids, 0.8);
  return forgeryOf(scheme, block, some.length === 0 ? ids : some);
}

/** Draws arbitrary input from a peer, mostly in a useful form. */
function drawMessage(
  draw: Draw,
  scheme: CountingScheme,
  to: number,
): [number, number, Contribution, Contribution, number] {
  const { tree } = scheme;
  const from = draw.integer(draw.chance(0.05) ? -1 : 0, draw.chance(0.05) ? tree.nodes : tree.nodes - 1);
  const level = draw.integer(draw.chance(0.1) ? 0 : 1, tree.levels + (draw.chance(0.1) ? 1 : 0));
  const known = level >= 1 && level <= tree.levels;
  const block = draw.chance(0.1) || !known ? draw.one([1, 2, 3, tree.leaf(0)]) : tree.peerBlock(to, level);
  const ids = draw.some(idsOfBlock(tree, block));
  const make = draw.chance(0.4) ? forgeryOf : contributionOf;
  const aggregate = ids.length === 0 ? noContribution : make(scheme, block, ids);
  const author = draw.chance(0.9) ? Math.max(0, Math.min(from, tree.nodes - 1)) : draw.integer(0, tree.nodes - 1);
  const individual = draw.chance(0.7) ? scheme.individual(author) : noContribution;
  return [from, level, aggregate, individual, draw.one([0, 0, 0, 1, 1, 2, 3, 4])];
}
