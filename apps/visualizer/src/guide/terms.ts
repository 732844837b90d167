/** The paper's words, each explained in a breath, with the section that defines it. */
export const terms = {
  contribution: {
    text: 'A signature together with the set of nodes whose signatures are in it. With one node in it, it is an individual contribution; two contributions that share no node add up to one.',
    section: 'v1.03, section 2.1',
  },
  'multi-signature': {
    text: 'Many signatures on one message, added up into a single one of 96 bytes. Who has the signers’ public keys checks it once, however many signed.',
    section: 'v1.03, section 2.2',
  },
  level: {
    text: 'Seen from one node, the others fall into levels: 1 neighbour, then 2, then 4, then 8. With each level the node doubles what it can hold, so a thousand nodes are ten levels away.',
    section: 'v1.03, section 3.2',
  },
  'peer set': {
    text: 'The nodes of one level: the sibling subtree at that height of the tree. A node talks to them about everything below that level, and they to it about everything on their side.',
    section: 'v1.03, section 3.2',
  },
  'verification priority': {
    text: 'A fixed, public, pseudo-random rank that each node gives to each other one. Nobody can choose to be checked first, so nobody can crowd the others out.',
    section: 'v1.03, section 3.3',
  },
  window: {
    text: 'Of all that waits to be checked, only what comes from the best-ranked few peers is looked at. The window doubles with each valid contribution and shrinks to a quarter with an invalid one, so a flood of bad ones is soon ignored.',
    section: 'v1.03, section 3.3',
  },
  score: {
    text: 'What checking a contribution would gain: the weight that the level would have with it. Of those in the window the best score is checked first.',
    section: 'v1.03, section 3.3',
  },
  'dissemination period': {
    text: 'Every 20 ms a node sends what it has to one peer of each active level, one after the other, until they say that they need no more.',
    section: 'v1.03, section 3.5.1',
  },
  'fast path': {
    text: 'The moment a node holds everything below a level it stops waiting for the next period and sends it to ten peers of that level at once.',
    section: 'v1.03, section 3.5.1',
  },
  blacklist: {
    text: 'Who sent one contribution that does not verify is never listened to again, and never contacted: a liar costs each node one check.',
    section: 'v1.03, section 3.5.3',
  },
  threshold: {
    text: 'How many contributions an output must contain. Here it is 99 % of the nodes that live, rounded down.',
    section: 'v1.03, section 2.4',
  },
} as const;

export type Term = keyof typeof terms;

export function isTerm(word: string): word is Term {
  return Object.hasOwn(terms, word);
}
