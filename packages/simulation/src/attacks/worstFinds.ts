import finds from './worstFinds.json' with { type: 'json' };

/**
 * The attacks that `tutti attack-search` found to slow honest nodes most, by the rule of its time;
 * docs/research/attack-search.md describes the search.
 */
export const worstFinds: readonly { readonly plan: string; readonly found: string }[] = finds;
