import { NodeRole, protocols, type Recording } from '@tutti/simulation';
import { count } from '../formatNumber.ts';

/** Describes a run and its result in one sentence. */
export function captionOf({ scenario, world, result }: Recording): string {
  const countOf = (role: number) => world.role.filter((one) => one === role).length;
  const [dead, byzantine] = [countOf(NodeRole.dead), countOf(NodeRole.byzantine)];
  const { attacks, nodes, protocol, network, seed } = scenario;
  const parts = [
    `${protocols[protocol].title}, ${count(nodes)} nodes (${network}, seed ${seed})`,
    dead > 0 ? `${count(dead)} dead` : '',
    byzantine > 0 ? `${count(byzantine)} Byzantine (${attacks.map(({ name }) => name).join(', ')})` : '',
  ].filter((part) => part !== '');
  const { reached, live, timeToThresholdMs } = result;
  const end =
    reached === 0
      ? `no node holds ${count(world.threshold)} signatures`
      : `${reached === live ? `all ${count(live)}` : `${count(reached)} of ${count(live)}`} honest nodes hold at least ${count(world.threshold)} signatures, the last after ${timeToThresholdMs.max.toFixed(0)}\u00a0ms`;
  return `${parts.join(', ')}: ${end}.`;
}
