import { NodeRole } from '@tutti/simulation';

/**
 * The class of a mark that stands for nodes with these roles: empty if one of them is honest; a Byzantine node
 * outweighs a dead one.
 */
export function roleClass(roles: Uint8Array): '' | 'byzantine' | 'dead' {
  if (roles.includes(NodeRole.honest)) return '';
  return roles.includes(NodeRole.byzantine) ? 'byzantine' : 'dead';
}
