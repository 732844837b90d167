import { NodeRole } from '@tutti/core/simulation';

/** The class of a mark that stands for nodes with these roles: empty where one of them is honest; a lie outweighs a death. */
export function roleClass(roles: Uint8Array): '' | 'byzantine' | 'dead' {
  if (roles.includes(NodeRole.honest)) return '';
  return roles.includes(NodeRole.byzantine) ? 'byzantine' : 'dead';
}
