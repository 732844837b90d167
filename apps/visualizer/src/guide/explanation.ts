import { html, render, type TemplateResult } from 'lit-html';

type TextPiece = { readonly text: string; readonly term?: Term };

/**
 * Splits a sentence at its marked terms: `[[level]]` shows the term itself, and `[[level|a higher level]]` shows the
 * term in other words.
 */
export function pieces(sentence: string): readonly TextPiece[] {
  return sentence
    .split(/(\[\[[^\]]+\]\])/)
    .filter((part) => part !== '')
    .map((part) => {
      if (!part.startsWith('[[')) return { text: part };
      const [word, shown] = part.slice(2, -2).split('|') as [string, string?];
      if (!isTerm(word))
        throw new RangeError(`term in a guide's sentence: expected one of the defined terms, got "${word}"`);
      return { text: shown ?? word, term: word };
    });
}

/** Renders a sentence whose marked terms show an explanation when pressed. */
export function sentence(text: string): readonly (string | TemplateResult)[] {
  return pieces(text).map(({ text: words, term }) =>
    term === undefined
      ? words
      : html`<button type="button" class="term" @click=${(event: Event) => explain(event.currentTarget as HTMLElement, term)}>${words}</button>`,
  );
}

/** Adds explanations to the terms in the page's own text: `<button class="term" data-term="level">`. */
export function explainMarkedTerms(): void {
  document.addEventListener('click', ({ target }) => {
    const anchor = target instanceof Element ? target.closest<HTMLElement>('[data-term]') : null;
    const word = anchor?.dataset.term ?? '';
    if (anchor !== null && isTerm(word)) explain(anchor, word);
  });
}

function explain(anchor: HTMLElement, term: Term): void {
  const panel = document.querySelector<HTMLElement>('#explanation')!;
  const { text, section } = terms[term];
  render(html`<strong>${term}</strong><p>${text}</p><p class="section">${section}</p>`, panel);
  panel.showPopover();
  const box = anchor.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(edge, box.left - 16), room - panel.offsetWidth - edge);
  panel.style.left = `${left}px`;
  const paragraph = anchor.closest('p, li, td')?.getBoundingClientRect() ?? box;
  panel.style.top = `${explanationTop(paragraph, box, panel.offsetHeight, globalThis.innerHeight)}px`;
}

type Extent = Pick<DOMRect, 'top' | 'bottom'>;

/** Distances from an explanation to its term and to the edge of the window, px. */
const gap = 10;
const edge = 12;
/** Maximum distance between a term and an explanation that is placed outside the term's paragraph, px. */
const maxDistance = 140;

/**
 * Returns the position of an explanation's top edge in the window, px. If the window has enough space, the explanation
 * does not cover the term. The explanation also does not cover the term's paragraph, unless the paragraph's edge is too
 * far away.
 */
export function explanationTop(paragraph: Extent, word: Extent, height: number, windowHeight: number): number {
  const places: readonly (readonly [distance: number, top: number])[] = [
    [paragraph.bottom - word.bottom, paragraph.bottom + gap],
    [word.top - paragraph.top, paragraph.top - gap - height],
    [0, word.bottom + gap],
    [0, word.top - gap - height],
  ];
  const fits = places.find(
    ([distance, top]) => distance <= maxDistance && top >= edge && top + height <= windowHeight - edge,
  );
  return fits?.[1] ?? edge;
}

/** Terms of the papers, each with a short explanation and the section that defines it. */
export const terms = {
  contribution: {
    text: 'A signature together with the set of nodes that signed. A contribution from a single node is called an individual contribution. Two contributions that have no node in common can be combined into one.',
    section: 'Handel v1.03, section 2.1',
  },
  'multi-signature': {
    text: 'Many BLS signatures on one message, combined into a single signature of 96 bytes. Anyone who has the signers’ public keys can verify it in one check, whatever the number of signers.',
    section: 'Handel v1.03, section 2.2',
  },
  level: {
    text: 'Each node divides the other nodes into levels of 1, 2, 4, 8 and more nodes. Each level doubles the number of signatures that the node can hold, so a thousand nodes need ten levels.',
    section: 'Handel v1.03, section 3.2',
  },
  'peer set': {
    text: 'A node’s peers on one level, which are the nodes in the sibling subtree at that height of the tree. The node sends its peers all signatures from below that level, and the peers send the node all signatures from their subtree.',
    section: 'Handel v1.03, section 3.2',
  },
  rank: {
    text: 'A sender’s position in a node’s ordering of its peers. The paper calls it the verification priority. The ordering is pseudo-random, public and different for each node. No sender can choose its rank. After each valid contribution, its sender moves back behind the others.',
    section: 'Handel v1.03, section 3.3',
  },
  window: {
    text: 'The range of ranks from which contributions may be verified. A window of 16 covers 16 ranks, starting at the best-ranked sender with a useful contribution. The window doubles after each valid contribution and shrinks to a quarter after each invalid contribution.',
    section: 'Handel v1.03, section 3.3',
  },
  score: {
    text: 'The number of signatures that the level would hold if a contribution were added, according to the contribution’s sender. In the window of a level, the contribution with the best score is verified first.',
    section: 'Handel v1.03, section 3.3',
  },
  pruning: {
    text: 'Dropping contributions without verifying them. A node drops contributions that add nothing, contributions to a complete level, and contributions from senders on the blacklist.',
    section: 'Handel v1.03, section 3.5.3',
  },
  'dissemination period': {
    text: 'Once per period (20 ms by default), a node sends its best aggregate to one peer of each active level. The node contacts the peers in turn and skips peers that need no more signatures.',
    section: 'Handel v1.03, section 3.5.1',
  },
  'fast path': {
    text: 'As soon as a node holds all signatures below a level, it sends them to several peers of that level (ten by default) without waiting for the next dissemination period.',
    section: 'Handel v1.03, section 3.5.1',
  },
  blacklist: {
    text: 'The list of nodes that have sent invalid contributions. A node ignores the nodes on its list and never contacts them again. Channels are authenticated, so no node can send a contribution in another node’s name.',
    section: 'Handel v1.03, section 3.5.3',
  },
  threshold: {
    text: 'The number of signatures that a node’s output (the multi-signature with which it finishes) must contain. The default is 99 % of the honest working nodes, rounded up. The paper’s measurements use a threshold of 99 %.',
    section: 'Handel v1.03, section 2.4',
  },
  validator: {
    text: 'A participant with a stake in Ethereum who may vote on blocks. There are about a million validators. Each validator signs its votes with its own key.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  committee: {
    text: 'One of 32 random groups of validators. With 1,048,576 validators, a committee has 32,768 members. Today, one committee votes per slot. With the strawman and with Horn, all committees vote in every slot.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  subcommittee: {
    text: 'A group of 512 validators within a committee. With a million validators, a committee has 64 subcommittees. The members receive each other’s votes on the subcommittee’s own topic, which is called a subnet.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  aggregator: {
    text: 'A validator that is elected by the hash of its own signature on the slot. There are about 16 aggregators per subcommittee. No other node knows who the aggregators are until they send. At 8 s into the slot, an aggregator combines the votes that it has verified.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  aggregate: {
    text: 'The sum of the votes of one subcommittee: one signature, and one bit per member (512 bits) that shows whose votes are included.',
    section: 'Horn: Introduction to the current aggregation scheme',
  },
  collector: {
    text: 'A validator that is elected in the same way as an aggregator. There are about 16 collectors per committee. A collector merges the heaviest aggregate of each of its subcommittees into one collection.',
    section: 'Horn: Collectors',
  },
  collection: {
    text: 'The sum of the votes of a whole committee: one signature, and one bit per member. With a million validators, about 512 collections are sent per slot.',
    section: 'Horn: Collections',
  },
  'global topic': {
    text: 'The channel that every full node subscribes to. Every full node receives and verifies all messages on it, so the load on the global topic is the main cost.',
    section: 'Horn: A strawman proposal',
  },
  proposer: {
    text: 'The validator that proposes the next block. A proposer has verified a vote once it has verified a message on the global topic that contains the vote. Votes that arrive after the proposal are too late for that block.',
    section: 'Horn: Collections',
  },
  griefing: {
    text: 'Eve sends an aggregate that is heavier than the honest ones but omits some honest votes. A collector forwards only the heaviest aggregate, which is Eve’s. The validators whose votes are omitted lose their rewards.',
    section: 'Horn: Reward griefing attacks against Horn',
  },
} as const;

type Term = keyof typeof terms;

function isTerm(word: string): word is Term {
  return Object.hasOwn(terms, word);
}
