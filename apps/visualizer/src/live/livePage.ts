import { bitAt } from '@tutti/core/horn';
import { toHex } from '@tutti/core/input';
import { NodeRole } from '@tutti/simulation';
import { type LiveMember, type LiveView, type RoomBlock, type RoomResult, shownText } from '@tutti/transports/rooms';
import { html, render } from 'lit-html';
import { encode } from 'uqr';
import { counted } from '../formatNumber.ts';
import { query, say } from '../page.ts';
import { present } from '../player/present.ts';
import { Tip } from '../views/drawing.ts';
import { SignaturePanel } from '../views/signaturePanel.ts';
import { TreeView } from '../views/treeView.ts';
import { messageOf } from '../worker/task.ts';
import { BlockPanel } from './blockPanel.ts';
import { joinLive } from './joinLive.ts';
import { freshTabsLink, isForOthers, isOfThisMachine, type LiveLink, readLiveLink } from './liveLink.ts';
import { LiveStory } from './liveStory.ts';
import { drawGuesses, drawMembers, shortName, titleOf } from './membersView.ts';
import { nameOnSubmit } from './nickname.ts';
import { SlotView } from './slotView.ts';

/** Maximum length of a link that is drawn as a QR code, characters. A longer link would be too dense for a camera. */
const maxCodeLength = 500;

/** Draws a text as a QR code, with the blank border that scanners need. */
function drawCode(host: HTMLElement, text: string): void {
  const { data, size } = encode(text, { border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  render(
    html`<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code of ${text}"><path d=${path}></path></svg>`,
    host,
  );
}

/**
 * Time for which a message is marked in a live room, µs of real time. The time is longer than in a simulated run, whose
 * virtual time is slowed down.
 */
const heardForUs = 400_000;

/** Page for a live room: it joins the room and shows the member's view of the room. */
class LivePage {
  readonly #link: LiveLink;
  readonly #tree = new TreeView(query('#tree'), () => {}, heardForUs);
  readonly #signature = new SignaturePanel();
  readonly #slot = new SlotView((place) => this.#nameAt(place));
  readonly #block = new BlockPanel();
  readonly #message = query<HTMLInputElement>('#message');
  readonly #share = query<HTMLInputElement>('#share');
  #member: LiveMember | undefined;
  #story: LiveStory | undefined;
  /** Time at which the current round began, ms since the page was opened. */
  #beganMs = 0;
  #result: RoomResult | undefined;
  #shownBlock: RoomBlock | undefined;
  /** Error of the current round. */
  #failure: string | undefined;
  #frame = 0;

  constructor(link: LiveLink) {
    this.#link = link;
  }

  async open(): Promise<void> {
    if (this.#link.isByzantine) this.#markByzantine();
    present({
      follow: () => location.reload(),
      link: () => location.hash.slice(1),
      // The story redirects links to live rooms to this page.
      home: new URL('./', location.href).href,
      resize: () => this.#resize(),
      recolour: () => this.#slot.recolour(),
    });
    this.#invite();
    nameOnSubmit(query<HTMLFormElement>('#naming'));
    this.#listen();
    new Tip().follow(query('#tree'), (x, y) => this.#nameUnder(x, y));
    if (this.#link.kind === 'server' && typeof RTCPeerConnection === 'undefined') {
      this.#sayWithoutWebRtc();
      return;
    }
    try {
      this.#member = await joinLive(this.#link, {
        onChange: () => this.#wantFrame(),
        onBegin: (view) => this.#begin(view),
        onStep: (step) => {
          this.#story?.add(step);
          this.#wantFrame();
        },
        onResult: () => this.#wantFrame(),
        onBlock: () => this.#wantFrame(),
        onFailure: (error) => {
          this.#failure = error.message;
          this.#wantFrame();
        },
      });
    } catch (error) {
      say('error', `${messageOf(error)}.${this.#link.kind === 'server' ? ' Is tutti serve --live running?' : ''}`);
      return;
    }
    this.#member.setAwake(!document.hidden);
    this.#wantFrame();
  }

  /**
   * Reports that the browser lacks WebRTC. The page does not contact the server, because the server's error would be
   * misleading.
   */
  #sayWithoutWebRtc(): void {
    say('error', '');
    render(
      html`This browser does not support direct connections (WebRTC), which this room requires. Open the link in another browser, or <a href=${freshTabsLink()} target="_blank">open a room between tabs of this browser</a>.`,
      query('#status'),
    );
    query('#carrier').textContent = 'In this browser, members cannot communicate directly.';
  }

  /** Marks this tab as Byzantine. The other members' pages must detect the Byzantine member by themselves. */
  #markByzantine(): void {
    document.title = `Byzantine: ${document.title}`;
    document.documentElement.dataset.byzantine = '';
    query('#invite').hidden = true;
    query('#naming').hidden = true;
  }

  #invite(): void {
    // The address names the main page, which redirects to this page.
    const address = new URL(`./${location.hash}`, location.href).href;
    const isInvited = this.#link.kind === 'server' && this.#link.invitation !== undefined;
    query<HTMLAnchorElement>('#invite-byzantine').href = `${address}&byzantine=yes`;
    query('#byzantine-offer').hidden = isInvited;
    const link = query<HTMLAnchorElement>('#link');
    link.href = address;
    link.textContent = address;
    const isShort = address.length <= maxCodeLength;
    if (isShort) drawCode(query('#qr'), address);
    query('#qr').hidden = !isShort || !isForOthers(address);
    if (isOfThisMachine(address))
      query('#invite-sub').textContent =
        'Only browsers on this computer can open this link. To get a link for other computers, open this page at a network address of this computer.';
    if (isInvited)
      query('#invite-sub').textContent =
        'This room requires an invitation. Your link admits one member at a time, so do not share it.';
    if (this.#link.kind !== 'tabs') return;
    query('#invite-sub').textContent =
      'Open this link in more tabs of this browser. Each tab is a member, and no server is needed.';
    query('#carrier').textContent = 'The browser carries the messages from tab to tab.';
  }

  #listen(): void {
    query('#proposal').addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#propose()) this.#member?.start();
    });
    query('#start-slot').addEventListener('click', () => {
      if (this.#propose()) this.#member?.startSlot();
    });
    this.#message.addEventListener('change', () => this.#propose());
    // A message that the reader is correcting is not rejected before the reader has finished.
    this.#message.addEventListener('input', () => {
      this.#message.setCustomValidity('');
      this.#wantFrame();
    });
    this.#share.addEventListener('input', () => this.#showShare());
    this.#share.addEventListener('change', () => this.#propose());
    document.addEventListener('visibilitychange', () => {
      this.#member?.setAwake(!document.hidden);
    });
    globalThis.addEventListener('pagehide', () => void this.#member?.close());
    globalThis.addEventListener('pageshow', (event) => {
      // A page restored from the browser's memory has already left the room.
      if (event.persisted) location.reload();
    });
  }

  #resize(): void {
    this.#slot.resize();
    if (!this.#story) return;
    this.#tree.show(this.#story.story());
    this.#wantFrame();
  }

  /** Returns the number and the name of the node under the pointer. */
  #nameUnder(x: number, y: number): string | undefined {
    const node = this.#tree.nodeUnder(x, y);
    return node === undefined ? undefined : `node ${node}: ${this.#nameAt(node)}`;
  }

  /**
   * Returns the name of the member at a position in the tree or, during a slot, of the member whose validator is at the
   * position.
   */
  #nameAt(place: number): string {
    const { assignment, members } = this.#member!.view();
    const name = assignment[place] ?? '';
    const label = members.find((member) => member.name === name)?.label;
    return `${shortName(name)}${label ? `, ${label}` : ''}`;
  }

  /** Proposes the message and the share in the form. @returns whether this member leads and the proposal is valid. */
  #propose(): boolean {
    if (!this.#member?.isLeader) return false;
    try {
      this.#member.propose({ message: this.#message.value.trim(), share: Number(this.#share.value) / 100 });
      this.#message.setCustomValidity('');
    } catch (error) {
      this.#message.setCustomValidity(messageOf(error));
    }
    const isValid = this.#message.validity.valid;
    this.#enableStart(isValid);
    this.#wantFrame();
    return isValid;
  }

  #enableStart(can: boolean): void {
    for (const button of ['#start', '#start-slot']) query<HTMLButtonElement>(button).disabled = !can;
  }

  #showShare(): void {
    query('#share-value').textContent = `${this.#share.value} %`;
  }

  /** Shows that a round or a slot has begun. */
  #begin({ round, position, slot }: LiveView): void {
    this.#beganMs = performance.now();
    this.#failure = undefined;
    this.#signature.clear();
    this.#block.clear();
    this.#result = undefined;
    this.#shownBlock = undefined;
    const isSlot = slot !== undefined;
    for (const part of ['#slot-figure', '#block-panel']) query(part).hidden = !isSlot;
    for (const part of ['#tree-figure', '#signature-panel']) query(part).hidden = isSlot;
    query('#result').hidden = false;
    query('#result').append(query('#invite'));
    this.#story = isSlot ? undefined : new LiveStory(round!.entries.length, position!, round!.threshold);
    if (isSlot) this.#slot.show(slot);
    if (this.#story) this.#tree.show(this.#story.story());
  }

  #wantFrame(): void {
    if (this.#frame !== 0) return;
    // The browser gives a hidden page no frames, so the page is drawn when it becomes visible.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#member) this.#draw(this.#member.view());
    });
  }

  #draw(view: LiveView): void {
    drawMembers(query('#members'), view);
    query('#guesses').hidden = this.#link.isByzantine === true;
    drawGuesses(query('#guess-choices'), view, (at) => this.#member?.setAnswer(at));
    this.#showProposal(view);
    query('#title').textContent = this.#link.isByzantine ? 'This tab sends invalid contributions.' : titleOf(view);
    if (this.#story && view.round) {
      this.#tree.story = this.#story.story();
      this.#tree.draw((performance.now() - this.#beganMs) * 1000);
      query('#round-sub').textContent =
        `Round ${view.round.number}: this page is node ${view.position} of ${view.round.entries.length}; ${view.round.threshold} signatures are required. Registry ${toHex(view.digest!).slice(0, 16)}.`;
    }
    if (view.slot) this.#drawSlot(view);
    if (view.result && view.result !== this.#result) this.#showResult(view.result, view);
    this.#sayState(view);
  }

  #drawSlot({ slot, members, block }: LiveView): void {
    const timeUs = Math.min((performance.now() - this.#beganMs) * 1000, slot!.clock.endUs);
    this.#slot.draw(timeUs, members.find(({ isSelf }) => isSelf)?.progress?.reachedMs);
    if (block && block !== this.#shownBlock) {
      this.#shownBlock = block;
      void this.#block.show(block);
    }
    if (block === undefined) this.#wantFrame();
  }

  #showProposal(view: LiveView): void {
    const isLeader = view.leader === view.self;
    const { message, share } = view.proposal;
    for (const [input, value] of [
      [this.#message, shownText(message)],
      [this.#share, String(Math.round(share * 100))],
    ] as const) {
      // The page does not overwrite the leader's input while the leader edits it.
      if (!isLeader || document.activeElement !== input) input.value = value;
      input.disabled = !isLeader;
    }
    this.#showShare();
    this.#enableStart(isLeader && this.#message.validity.valid);
    query('#start').textContent = view.round === undefined ? 'Start' : 'Sign again';
    if (this.#link.isByzantine) {
      query('#leader-note').textContent =
        'In each round, this tab sends each member an invalid contribution and no valid one. A member that verifies an invalid contribution ignores this tab from then on.';
      return;
    }
    query('#leader-note').textContent = isLeader
      ? 'This page has been in the room the longest, so it chooses the message and starts the rounds. Sleeping members do not delay the others.'
      : `${shortName(view.leader ?? '')} has been in the room the longest, so it chooses the message and starts the rounds.`;
  }

  #showResult(result: RoomResult, { round }: LiveView): void {
    this.#result = result;
    const members = round!.entries.length;
    const signers = Uint8Array.from({ length: members }, (_, index) => bitAt(result.bits, index));
    this.#signature.showOutput(
      { signers, signature: result.signature, publicKeys: result.publicKeys, message: result.message },
      { nodes: members, role: new Uint8Array(members).fill(NodeRole.honest) },
      `This page’s multi-signature on “\u2068${shownText(new TextDecoder().decode(result.message))}\u2069” combines ${result.weight} of ${members} signatures in 96 bytes. It was complete after ${result.reachedMs} ms.`,
    );
  }

  /** Shows the state of the room and of its round. */
  #sayState({ round, result, lost, members, slot, block }: LiveView): void {
    const { validationMessage } = this.#message;
    if (validationMessage !== '') say('error', validationMessage);
    else if (this.#failure !== undefined) say('error', this.#failure);
    else if (lost !== undefined)
      say('error', `${lost}. Open connections stay open, and this page reconnects when the server is available again.`);
    else if (round === undefined) say('ready', 'No message has been signed yet.');
    else if (block !== undefined)
      say(
        'ready',
        `Slot ${round.number}: this page’s block contains ${block.block.votes} of ${block.publicKeys.length} votes. ${block.reachedMs === null ? `The required ${round.threshold} votes arrived too late or never.` : `The required ${round.threshold} votes had arrived after ${block.reachedMs} ms.`}`,
      );
    else if (slot !== undefined) say('running', `Slot ${round.number} is running: ${this.#slot.phase ?? 'the end'}.`);
    else {
      const done = members.filter(
        ({ inRound, progress }) => inRound && progress?.round === round.number && progress.reachedMs !== null,
      );
      const finished = `${done.length} of ${counted(round.entries.length, 'member')} finished.`;
      if (result === undefined) say('running', `Round ${round.number} is running: ${finished}`);
      else say('ready', `Round ${round.number}: signed. ${finished}`);
    }
  }
}

if (location.hash === '') history.replaceState(null, '', freshTabsLink());
const link = readLiveLink(location.href);
if (link === undefined) say('error', 'Link: expected #live=ROOM or #live=tabs:ROOM.');
else if (link.kind === 'bad') say('error', `Link: ${link.reason}.`);
else await new LivePage(link).open();
