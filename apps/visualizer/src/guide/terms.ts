/** Terms of the papers, each with a short explanation and the section that defines it. */
export const terms = {
  contribution: {
    text: 'A signature together with the set of nodes whose signatures are in it. With one node in it, it is an individual contribution; two contributions that share no node add up to one.',
    section: 'Handel v1.03, section 2.1',
  },
  'multi-signature': {
    text: 'Many signatures on one message, added up into a single one of 96 bytes. Anyone with the signers’ public keys verifies it in one check, however many signed.',
    section: 'Handel v1.03, section 2.2',
  },
  level: {
    text: 'Seen from one node, the others fall into levels: 1 neighbour, then 2, then 4, then 8. With each level the node doubles what it can hold, so a thousand nodes make ten levels.',
    section: 'Handel v1.03, section 3.2',
  },
  'peer set': {
    text: 'The nodes of one level: the sibling subtree at that height of the tree. A node talks to them about everything below that level, and they to it about everything on their side.',
    section: 'Handel v1.03, section 3.2',
  },
  'verification priority': {
    text: 'The rank: a fixed, public, pseudo-random order that each node gives to the other nodes. No node can choose to be verified first, so none can crowd out the others.',
    section: 'Handel v1.03, section 3.3',
  },
  window: {
    text: 'Only contributions of the best-ranked few senders may be verified. The window counts ranks: a window of 16 reaches 16 ranks from the best one. It doubles with each valid contribution and shrinks to a quarter with an invalid one.',
    section: 'Handel v1.03, section 3.3',
  },
  score: {
    text: 'The number of signatures that the level would hold with a contribution, as its sender claims. Of those in the window, the best score is verified first.',
    section: 'Handel v1.03, section 3.3',
  },
  pruning: {
    text: 'Dropping contributions without a check: those that cannot add to the level, those of a complete level, and those of a sender of invalid contributions.',
    section: 'v1.03 section 3.5.3',
  },
  'dissemination period': {
    text: 'Once per period (20 ms by default), a node sends what it has to one peer of each active level, one after the other, until they say that they need no more.',
    section: 'Handel v1.03, section 3.5.1',
  },
  'fast path': {
    text: 'The moment a node holds everything below a level it stops waiting for the next period and sends it to several peers of that level at once, by default ten.',
    section: 'Handel v1.03, section 3.5.1',
  },
  blacklist: {
    text: 'The senders of invalid contributions. A node never listens to them or contacts them again. Channels are authenticated, so a contribution cannot be sent in another node’s name.',
    section: 'Handel v1.03, section 3.5.3',
  },
  threshold: {
    text: 'How many signatures an output must contain. By default it is 99 % of the honest working nodes, rounded up.',
    section: 'Handel v1.03, section 2.4',
  },
  validator: {
    text: 'Someone with a stake in Ethereum, and so a vote on every block. There are about a million; each signs its votes with a key of its own.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  committee: {
    text: 'A 32nd of the validators, 32,768 of a million, shuffled anew. Today one committee votes in a slot; with the strawman and with Horn all of them do, in every slot.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  subcommittee: {
    text: '512 validators of a committee, a 64th of it where there are a million, who hear each other’s votes on a topic of their own, their subnet.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  aggregator: {
    text: 'A validator whose signature of the slot hashes to a lucky number: about 16 of a subcommittee. Nobody knows who, until they speak. It adds up the votes that it has verified two thirds into the first twelve seconds.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  aggregate: {
    text: 'The votes of one subcommittee added up: one signature, and a bit for each of its 512 members that says who is in.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  collector: {
    text: 'Elected like an aggregator, about 16 of a committee. It takes the heaviest aggregate of each of its subcommittees and joins them into one collection.',
    section: 'Horn: Collectors',
  },
  collection: {
    text: 'The votes of a whole committee added up: one signature and a bit for each member. About 512 of them stand for a million votes.',
    section: 'Horn: Collections',
  },
  'global topic': {
    text: 'The channel that every full node listens to. Everybody receives and verifies all that is sent there, so what matters most is to send little.',
    section: 'Horn: A strawman proposal',
  },
  proposer: {
    text: 'The validator that makes the next block. A vote is in its reach once it has verified something from the global topic that contains it. A vote that comes later is too late for that block.',
    section: 'Horn: Collections',
  },
  griefing: {
    text: 'Eve sends an aggregate that is heavier than the honest ones and leaves out honest votes. A collector that forwards only the heaviest forwards hers, and those whom she left out lose their reward.',
    section: 'Horn: Reward griefing attacks against Horn',
  },
} as const;

export type Term = keyof typeof terms;

export function isTerm(word: string): word is Term {
  return Object.hasOwn(terms, word);
}
