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
  {
    plan: 'invalid@front/invalid@450+light@550',
    found: 'N = 512, 30 %, seed 11, drawn ids and checks of 4 ms, among the first 4,008; 1.13 times silence',
  },
  {
    plan: '8invalid@300+invalid@front+light@front',
    found: 'the same search, checks of 8 ms; 1.51 times silence',
  },
  {
    plan: '32invalid@350+16invalid@front',
    found: 'the same search, checks of 15 ms; 2.34 times silence',
  },
  {
    plan: '1of128+0of256~70203.49233.4850.24756.12306:-/-',
    found:
      'the same search, chosen ids and checks of 4 ms; 53 of 359 honest nodes stuck before levels with few live peers were more patient',
  },
  {
    plan: '4x1of32+1of2~59213.70203.49233.4850.54817.66170:-',
    found: 'the same search, chosen ids and checks of 8 ms; 54 stuck before',
  },
  {
    plan: '1of16+5x1of16~25879.15009:invalid@front/invalid@front+light@always/invalid@ahead+8invalid@ahead+2light@front',
    found: 'N = 512, 30 %, seed 21, chosen ids and checks of 4 ms, among the first 4,568; 1.97 times silence',
  },
  {
    plan: '1of32:1borrowed@always/32invalid@350+16invalid@front+32invalid@450~11',
    found: 'the same search, chosen ids and checks of 8 ms; the last node after 21.6 s, 27 times silence',
  },
];
