/** What `tutti attack-search` found to slow honest nodes most, by the rule for choosing as it is; docs/attack-search.md says how it was searched. */
export const worstFinds: readonly { readonly plan: string; readonly found: string }[] = [
  {
    plan: 'invalid@front/32mixed@550+8borrowed@550~7',
    found: 'N = 256, 45 %, seed 1, the 104th of those that were tried',
  },
];
