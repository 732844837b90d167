import finds from './worstFinds.json' with { type: 'json' };

/**
 * Attacks that `tutti attack search` found to delay honest nodes most, by the rules of its version;
 * docs/research/attack-search.md describes the search.
 */
export const worstFinds: readonly { readonly plan: string; readonly found: string }[] = finds;
