import { type Browser, expect, type Page, test } from '@playwright/test';
import { loadBls } from '@tutti/wasm-bls';
import { freePorts } from '../freePorts.ts';
import { isSigned, type Signed } from '../isSigned.ts';
import { testInCi } from './page.ts';
import { endAll, type Running, serveRoom, tutti, until } from './running.ts';

test.afterEach(endAll);

const peer = (link: string): Running => tutti('node', '--room-link', link, '--label', 'server', '--json-lines', '-');

/** Opens a link in a separate browser context, which shares no state with the others. */
async function enter(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

async function untilAllAreHere(pages: readonly Page[], count: number): Promise<void> {
  for (const page of pages) await expect(page.getByTestId('member')).toHaveCount(count);
}

interface SignedEvent extends Signed {
  readonly publicKeys: readonly string[];
}

/** Returns whether noble-curves accepts the message, signature and signers that a member reports. */
async function nobleAccepts(event: SignedEvent): Promise<boolean> {
  const publicKeys = event.publicKeys.map((key) => Uint8Array.from(Buffer.from(key, 'hex')));
  return isSigned(await loadBls({ engine: 'noble' }), event, publicKeys);
}

testInCi('the leader sees how many members guessed what, and the others only their own guess', async ({ context }) => {
  const link = './live.html#live=tabs:guesses';
  const pages = [await context.newPage(), await context.newPage(), await context.newPage()];
  for (const page of pages) await page.goto(link);
  await untilAllAreHere(pages, 3);
  await pages[1]!.getByTestId('guess-gossip').click();
  await pages[2]!.getByTestId('guess-handel').click();
  await pages[2]!.getByTestId('guess-gossip').click();
  const leader = pages[0]!;
  await expect(leader.getByTestId('guesses-gossip')).toHaveText('2');
  await expect(leader.getByTestId('guesses-handel')).toHaveText('0');
  await expect(leader.getByTestId('guesses-note')).toContainText('2 of 3 members');
  await expect(pages[1]!.getByTestId('guess-gossip')).toHaveAttribute('aria-pressed', 'true');
  await expect(pages[1]!.getByTestId('guesses').locator('output')).toHaveCount(0);
});

test('two browsers and two Node peers sign one message in a live room, and again after one has left', async ({
  browser,
}) => {
  const { link } = await serveRoom();
  // A Node peer that arrives first does not become the leader, because it has no user.
  const joined = (line: string) => (JSON.parse(line).event === 'joined' ? true : undefined);
  const nodes = [peer(link)];
  await until(nodes[0]!, joined);
  const first = await enter(browser, link);
  await untilAllAreHere([first], 2);
  await expect(first.getByTestId('link')).toHaveText(link);
  await expect(first.getByTestId('qr').locator('svg')).toHaveAttribute('aria-label', `QR code of ${link}`);
  // A phone could not open a link that contains this machine's loopback address.
  await expect(first.getByTestId('qr')).toBeHidden();
  const second = await enter(browser, link);
  nodes.push(peer(link));
  await untilAllAreHere([first, second], 4);
  await expect(second.getByTestId('start')).toBeDisabled();

  await first.getByTestId('message').fill('We were here.');
  await first.getByTestId('share').fill('100');
  await first.getByTestId('start').click();
  const signed = (node: Running) =>
    until(node, (line) => {
      const event = JSON.parse(line);
      return event.event === 'signed' ? (event as SignedEvent) : undefined;
    });
  for (const node of nodes) {
    const event = await signed(node);
    expect(event).toMatchObject({ round: 1, message: 'We were here.', signers: 4 });
    expect(event.publicKeys).toHaveLength(4);
    expect(await nobleAccepts(event)).toBe(true);
    expect(await nobleAccepts({ ...event, message: 'We were not.' })).toBe(false);
  }
  for (const page of [first, second]) {
    await expect(page.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves on this page/);
    await expect(page.locator('#title')).toHaveText('Four signatures became one.');
    await expect(page.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/4 of 4 contributions in/);
    for (const row of await page.getByTestId('member').all()) await expect(row).toContainText(/\d+ ms/);
  }

  // Members run a slot of Horn over the same links, in CI only. Another test votes on a slot between tabs.
  if (process.env.CI) {
    await first.getByTestId('start-slot').click();
    for (const node of nodes) {
      const block = (line: string) => (JSON.parse(line).event === 'block' ? JSON.parse(line) : undefined);
      expect(await until(node, block)).toMatchObject({ message: 'Slot 2: We were here.', votes: 32 });
    }
    for (const page of [first, second])
      await expect(page.getByTestId('block-verdict')).toHaveText(/^Verified by noble-curves on this page: 32 votes/);
  }

  // When the leader leaves, the next member takes over as leader, and signs with the remaining members.
  await first.context().close();
  await expect(second.getByTestId('start')).toBeEnabled();
  await expect(second.getByTestId('member').filter({ hasText: 'left' })).toHaveCount(1);
  await second.getByTestId('start').click();
  for (const node of nodes) {
    const event = await signed(node);
    expect(event).toMatchObject({ round: process.env.CI ? 3 : 2, message: 'We were here.', signers: 3 });
    expect(await nobleAccepts(event)).toBe(true);
  }
  await expect(second.locator('#title')).toHaveText('Three signatures became one.');
  await expect(second.getByTestId('member')).toHaveCount(3);
});

testInCi('a page and a Node peer outlive their server, and sign again when it is back', async ({ browser }) => {
  const [port] = await freePorts(1);
  const { server, link } = await serveRoom(port);
  const page = await enter(browser, link);
  const node = peer(link);
  await untilAllAreHere([page], 2);

  server.child.kill('SIGKILL');
  await expect(page.getByTestId('status')).toContainText('this page reconnects when the server is available again');
  await serveRoom(port);
  await until(node, (line) => (JSON.parse(line).event === 'back' ? true : undefined));
  await expect(page.getByTestId('status')).toHaveText('No message has been signed yet.');
  await untilAllAreHere([page], 2);
  await page.getByTestId('share').fill('100');
  await page.getByTestId('start').click();
  await until(node, (line) => (JSON.parse(line).signers === 2 ? true : undefined));
  await expect(page.locator('#title')).toHaveText('Two signatures became one.');
});

test('two tabs of one browser sign with no server', async ({ context }) => {
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto('./#live=tabs:kitchen');
    await expect(tab.getByTestId('status')).toHaveText('No message has been signed yet.');
  }
  await untilAllAreHere(tabs, 2);
  const [first, second] = tabs as [Page, Page];
  await expect(first.locator('#carrier')).toHaveText('The browser carries the messages from tab to tab.');
  await first.bringToFront();
  await first.getByTestId('message').fill(' ');
  await first.getByTestId('start').click();
  await expect(first.getByTestId('status')).toHaveText(/^message: expected 1 to 200 characters/);
  await expect(first.getByTestId('start')).toBeDisabled();
  await first.getByTestId('message').fill('Two tabs.');
  await first.getByTestId('share').fill('100');
  await first.getByTestId('start').click();
  await expect(first.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves on this page/);
  await second.bringToFront();
  await expect(second.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves on this page/);
  await first.close();
  await expect(second.getByTestId('member').filter({ hasText: 'left' })).toHaveCount(1);
});

testInCi('a link opens a Byzantine member, which its tab shows: the others sign without it', async ({ context }) => {
  const tabs = [await context.newPage(), await context.newPage(), await context.newPage()];
  for (const tab of tabs) await tab.goto('./live.html#live=tabs:class');
  await untilAllAreHere(tabs, 3);
  const [first] = tabs as [Page];
  const opened = context.waitForEvent('page');
  await first.getByTestId('invite-byzantine').click();
  const byzantine = await opened;
  await untilAllAreHere([...tabs, byzantine], 4);
  await expect(byzantine.locator('#title')).toHaveText('This tab sends invalid contributions.');
  await expect(byzantine).toHaveTitle(/^Byzantine: /);
  await expect(byzantine.getByTestId('invite-byzantine')).toBeHidden();
  await expect(byzantine.getByTestId('start')).toBeDisabled();

  await first.bringToFront();
  // Three of four members: all honest members.
  await first.getByTestId('share').fill('75');
  await first.getByTestId('start').click();
  await expect(first.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves on this page/);
  await expect(first.locator('#title')).toHaveText('Three signatures became one.');
  const row = first.getByTestId('member').filter({ hasText: 'Mallory' });
  await expect(row).toContainText('Byzantine');
  await expect(first.getByTestId('member').filter({ hasText: 'Byzantine' })).toHaveCount(1);
});

testInCi('four tabs vote a slot of Horn, and one leaves after the votes: all are in the block', async ({ context }) => {
  const tabs = await Promise.all(Array.from({ length: 4 }, () => context.newPage()));
  for (const tab of tabs) await tab.goto('./live.html#live=tabs:slot');
  await untilAllAreHere(tabs, 4);
  const [first, second, third, fourth] = tabs as [Page, Page, Page, Page];
  await expect(second.getByTestId('start-slot')).toBeDisabled();
  await first.bringToFront();
  await first.getByTestId('message').fill('A slot of ours.');
  await first.getByTestId('start-slot').click();
  await expect(first.getByTestId('tree')).toBeHidden();
  await expect(first.getByTestId('status')).toHaveText('Slot 1 is running: collections.');
  await fourth.close();
  for (const tab of [first, second, third]) {
    await tab.bringToFront();
    await expect(tab.getByTestId('block-verdict')).toHaveText(
      'Verified by noble-curves on this page: 32 votes, 1 signature.',
    );
    const field = tab.getByTestId('field').getByRole('img');
    await expect(field).toHaveAccessibleName(
      /32 of 32 cast, 32 verified by an aggregator, 32 verified by the proposer/,
    );
    await expect(tab.locator('#block-sub')).toContainText('Slot 1: A slot of ours.');
    await expect(tab.getByTestId('member').filter({ hasText: 'Byzantine' })).toHaveCount(0);
  }
});

test('a live room that cannot be joined is one line', async ({ page }) => {
  await page.goto('./live.html#live=nobody&signal=ws://127.0.0.1:1/signal');
  await expect(page.getByTestId('status')).toHaveText(
    'signalling: no server answers at ws://127.0.0.1:1/signal, or the server rejects the connection. Is tutti serve --live running?',
  );
  await page.goto('about:blank');
  await page.goto(`./live.html#live=tabs:long&junk=${'x'.repeat(4000)}`);
  await expect(page.getByTestId('status')).toHaveText('No message has been signed yet.');
  await expect(page.getByTestId('qr').locator('svg')).toHaveCount(0);
  await page.goto('./live.html#live=a%20b');
  await expect(page.getByTestId('status')).toHaveText(/^Link: live: expected ROOM or tabs:ROOM, .* got "a b"\.$/);
});

test('a browser without direct connections is told so, and where it can have a room', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
  });
  await page.goto('./live.html#live=some-room');
  await expect(page.locator('#status')).toContainText('This browser does not support direct connections (WebRTC)');
  await expect(page.locator('#status').getByRole('link')).toHaveAttribute('href', /^#live=tabs:/);
  await expect(page.locator('#carrier')).not.toContainText('directly over data channels');
});
