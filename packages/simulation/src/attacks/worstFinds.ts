/**
 * The attacks that `tutti attack-search` found to slow honest nodes most, by the rule of its time;
 * docs/attack-search.md describes the search.
 */
export const worstFinds: readonly { readonly plan: string; readonly found: string }[] = [
  {
    plan: 'invalid@front/32mixed@550+8borrowed@550~7',
    found: 'N = 256, 45 %, seed 1, the 104th of those that were tried',
  },
  {
    plan: '16borrowed@50~19+invalid@front/mixed@250/invalid@650~17+32mixed@550',
    found:
      'N = 1024, 30 %, seed 3, among the first 304; 1.67 times silence before windows that have grown ceased to count between levels',
  },
  {
    plan: '16borrowed@300+invalid@front/invalid@always/32mixed@550+8borrowed@550~7',
    found: 'the same search; 1.57 times silence before',
  },
];
