import { expect, type Page, test } from '@playwright/test';
import { isWhole, sampled } from '../sampled.ts';
import { errorsOf, testInCi, untilNothingSticksOut, untilReady } from './page.ts';

/** Waits until the page has this chapter's run and clock. */
async function untilIn(page: Page, chapter: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-chapter', chapter);
  await untilReady(page);
}

test.describe('the race', () => {
  test('the race asks for a guess, names the first two protocols, and repeats with ten invalid signers, one and none', async ({
    page,
  }) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('./');
    await untilIn(page, 'race');
    await page.clock.runFor(100);
    await expect(page.getByTestId('race-question')).toContainText('Which is first?');
    await expect(page).toHaveURL(/#race$/);
    await expect(page.getByTestId('race-question').getByRole('button')).toHaveCount(6);
    await expect(page.locator('#marks')).not.toContainText(/\w/);
    await page.getByTestId('guess-gossip').click();
    await page.clock.runFor(100);
    await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
    await expect(page.locator('#marks')).toContainText('bulk verification; Handel');
    await page.clock.runFor(9000);
    await expect(page.getByTestId('race-first')).toHaveText(
      /^Bulk verification is first, after 0\.35\ss\. Handel follows after 0\.39\ss\.$/,
    );
    await expect(page.getByTestId('race-question')).toContainText('Your guess: gossip.');
    await page.getByTestId('now-byzantine').click();
    await untilReady(page);
    await expect(page).toHaveURL(/#race&byzantine=10/);
    await page.clock.runFor(21_000);
    await expect(page.getByTestId('race-byzantine')).toHaveText(
      /^With ten invalid signers, bulk verification takes 2\.04\ss instead of 0\.35\ss, and Handel takes 0\.7\d\ss instead of 0\.39\ss\. Handel wins\. An invalid/,
    );
    await page.getByTestId('byzantine-1').click();
    await untilReady(page);
    await page.clock.runFor(21_000);
    await expect(page.getByTestId('race-byzantine')).toContainText('Bulk verification still wins.');
    await page.getByTestId('byzantine-0').click();
    await page.clock.runFor(21_000);
    await expect(page.getByTestId('verdict')).toContainText('Handel leads in none of the three');
    await page.getByTestId('race-end').click();
    await expect(page).toHaveURL(/#doubling/);
    await expect(page).toHaveTitle('How Handel works · Tutti');
  });

  test('a first visit loads less than 250 kB, compressed, until the race is shown', async ({ page }) => {
    const loaded: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      loaded.push(request.sizes().then((size) => size.responseHeadersSize + size.responseBodySize));
    });
    // While the clock is paused, the neighbouring chapters do not load.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('./');
    await untilIn(page, 'race');
    const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(250_000);
  });

  test('starts by itself a few seconds after it is opened', async ({ page }) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('./');
    await untilIn(page, 'race');
    await page.clock.runFor(5000);
    await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
    await page.clock.runFor(5000);
    await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
  });

  test('an old link shows the same moment; failed nodes change what it took', async ({ page }) => {
    await page.goto('./race.html#dead=0.2&t=3000');
    await expect(page.locator('#clock')).toHaveText('3.00 s');
    await expect(page.getByTestId('race-dead')).toBeChecked();
    await expect(page.locator('[data-protocol="handel"] .count')).toHaveText(/^all after/);
    await expect(page).toHaveURL(/#race&dead=0\.2&t=3000$/);
    const bars = page.getByTestId('bars');
    const dying = (await bars.textContent())!;
    await page.getByTestId('race-dead').uncheck();
    await expect(bars).not.toHaveText(dying);
    await expect(page.locator('[data-protocol="handel"] .count')).toHaveText(/each holds 1|done|all after/);
  });

  test('a race that fails to load does not replace the race that was requested after it', async ({ page }) => {
    let fail = () => {};
    await page.route('**/raceDead-*.json', (route) => {
      fail = () => void route.abort();
    });
    await page.goto('./#race&dead=0.2');
    await expect(page.getByTestId('race-question')).toHaveText('Loading the recorded race …');
    await page.route('**/raceByzantine-*.json', async (route) => {
      await expect(page.getByTestId('race-question')).toHaveText('Loading the recorded race …');
      await route.continue();
    });
    await page.goto('./#race&byzantine=10&t=3000');
    await untilIn(page, 'race');
    const failed = page.waitForEvent('requestfailed');
    fail();
    await failed;
    await expect(page).toHaveURL(/#race&byzantine=10/);
    await expect(page.locator('#status')).toBeEmpty();
    const asked = page.waitForRequest('**/raceDead-*.json');
    await page.getByTestId('race-dead').check();
    await asked;
    fail();
    await expect(page.locator('#status')).toContainText('The race could not be loaded');
    await expect(page.getByTestId('race-dead')).not.toBeChecked();
    await page.unroute('**/raceDead-*.json');
    await page.getByTestId('race-dead').check();
    await expect(page.getByTestId('bars')).toContainText('0.74\u00a0s');
  });

  testInCi('runs again in the page with the same digests, Handel first', async ({ page }) => {
    await page.goto('./#race&t=0');
    // The button exists on the page before its chapter is ready.
    await untilIn(page, 'race');
    await page.locator('#again').click();
    for (const protocol of ['handel', 'san-fermin'])
      await expect(page.locator(`[data-protocol="${protocol}"] .again-line`)).toHaveText(/^same digest, [0-9a-f]{16}$/);
  });
});

for (const { chapter, link, worker, status, said } of [
  { chapter: 'growth', link: 'growth&n=128', worker: 'simulation', status: '#status', said: 'With 128 nodes' },
  { chapter: 'proofs', link: 'proofs', worker: 'lean', status: '#proofs-said', said: 'Without assignment' },
])
  test(`a run that failed is simulated when it is requested again: ${chapter}`, async ({ page }) => {
    await page.route(`**/${worker}Worker-*.js`, (route) => route.abort());
    await page.goto(`./#${link}`);
    await expect(page.locator(status)).toContainText(/The (run|slot) could not be simulated:/);
    await page.unroute(`**/${worker}Worker-*.js`);
    await page.goto(`./#${link}&t=5`);
    await untilIn(page, chapter);
    await expect(page.getByTestId(`${chapter}-said`)).toContainText(said);
  });

test('a chapter that failed to load is loaded when it is requested again', async ({ page }) => {
  await page.route('**/matrix-*.json', (route) => route.abort());
  await page.goto('./#matrix');
  await expect(page.locator('#status')).toContainText('This chapter could not be loaded');
  await page.unroute('**/matrix-*.json');
  await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Scaling' }).click();
  await untilIn(page, 'growth');
  await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Rules under attack' }).click();
  await untilIn(page, 'matrix');
  await expect(page.locator('#matrix-table tbody tr')).not.toHaveCount(0);
  await expect(page.locator('#status')).toBeEmpty();
});

test('the clock starts even if the attack of a link does not apply to the baseline', async ({ page }) => {
  await page.goto('./#switch-off&row=gossip&attack=censor');
  await expect(page.getByTestId('pair-of-runs')).toContainText('this attack does not apply to this baseline');
  await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
});

test('each chapter reacts to its controls', async ({ page }) => {
  test.setTimeout(600_000);
  const errors = errorsOf(page);
  await page.goto('./#race&t=100');
  await untilIn(page, 'race');
  const chapters = page.getByRole('navigation', { name: 'Chapters' });

  await test.step('doubling: nodes hold 1, 2, 4 and 8 signatures, and a path leads to each node', async () => {
    await chapters.getByRole('link', { name: 'How Handel works' }).click();
    await untilIn(page, 'doubling');
    await expect(page).toHaveURL(/#doubling/);
    const scale = page.getByTestId('doubling-scale').locator('li');
    await expect(scale).toHaveText(['1', '2', '4', '8']);
    await page.getByTestId('scrub').fill('0');
    await expect(page.getByTestId('matrix').getByRole('img')).toHaveAccessibleName(/8 nodes holds 1\.0 of 8/);
    for (const [held, place] of [
      ['2', 1],
      ['4', 2],
      ['8', 3],
    ] as const) {
      await page.locator('body').press(']');
      await expect(scale.nth(place)).toHaveAttribute('aria-current', 'step');
      await expect(page.getByTestId('matrix').getByRole('img')).toHaveAccessibleName(
        new RegExp(`8 nodes holds ${held}\\.0 of 8`),
      );
    }
    await page.getByText('64, 50 ms apart', { exact: true }).click();
    await expect(scale).toHaveCount(7);
    await page.getByTestId('follow').click();
    await page.getByTestId('scrub').fill((await page.getByTestId('scrub').getAttribute('max'))!);
    await expect(page.getByTestId('way').locator('li').first()).toHaveText(/^Node 0 sends the signature to node /);
    await expect(page.getByTestId('way').locator('li').last()).toHaveText(/to node 63 at .* verified at /);
    await page.getByText('64 on AWS', { exact: true }).click();
    await expect(scale).toHaveCount(7);
    await expect(page).toHaveURL(/#doubling&n=64&network=aws/);
  });

  await test.step('switched off: both runs on one clock, and the claim that breaks', async () => {
    await chapters.getByRole('link', { name: 'Purpose of each rule' }).click();
    await untilIn(page, 'switch-off');
    await page.getByTestId('off-blacklist').click();
    const fields = page.getByTestId('pair-of-runs').getByRole('img');
    await expect(fields).toHaveCount(2);
    await expect(page).toHaveURL(/#switch-off&without=blacklist/);
    await page.getByTestId('scrub').fill((await page.getByTestId('scrub').getAttribute('max'))!);
    await expect(fields.first()).toHaveAccessibleName(/all 45 after/);
    await expect(page.getByTestId('switch-said')).toContainText('in 20 of 20 runs, at least one node never finished');
    const branches = page.getByTestId('switch-branches');
    // The table is drawn again after each result.
    await expect(branches).not.toContainText('running');
    const lamp = branches.locator('.lamp.broken');
    await expect(lamp).toHaveText(/blacklist, at/);
    const [moment] = /\d+\.\d\sms/.exec((await lamp.textContent())!)!;
    await lamp.click();
    await expect(page.locator('#clock')).toHaveText(moment);
  });

  await test.step('the matrix: a cell opens its run next to Handel’s, with a sentence', async () => {
    await page.goto('./#matrix');
    await untilIn(page, 'matrix');
    await page.getByTestId('matrix-measure').getByText('checks').click();
    await page.getByTestId('cell-gossip-flood').click();
    await untilIn(page, 'switch-off');
    await expect(page).toHaveURL(/#switch-off&row=gossip&attack=flood/);
    await expect(page.getByTestId('switch-said')).toHaveText(
      /^With the attack “flood”, gossip: .* checks per node instead of /,
    );
    await expect(page.getByTestId('pair-of-runs').getByRole('img')).toHaveCount(2);
    await page.goto('./#switch-off&row=gossip&attack=censor');
    await expect(page.getByTestId('pair-of-runs')).toContainText('this attack does not apply to this baseline');
  });

  await test.step('break it: a node that is pressed stops, and both runs stay', async () => {
    await page.goto('./#break-it&t=120');
    await untilIn(page, 'break-it');
    const ring = page.getByTestId('ring').locator('canvas');
    await expect(page.getByTestId('break-said')).toContainText(/^No fault yet: all 64 nodes finish after \d+ ms/);
    await ring.scrollIntoViewIfNeeded();
    // The ring has margins of 84 px on each side for the names of regions and 42 px above and below.
    const { width, height } = (await ring.boundingBox())!;
    const along = Math.min(width / 2 - 84, height / 2 - 42) * Math.SQRT1_2;
    await ring.click({ position: { x: width / 2 + along, y: height / 2 - along } });
    const rows = page.getByTestId('break-branches').locator('tbody tr');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(/node \d+ stopped at 120 ms/i);
    await expect(page).toHaveURL(/#break-it&run&/);
    await expect(page.getByTestId('break-said')).toContainText(/[Tt]he last node finished/);
    await page.goBack();
    await expect(page).not.toHaveURL(/run/);
  });

  await test.step('Eve excludes votes in Horn, and none in the other systems', async () => {
    await page.goto('./#horn&t=12000');
    await untilIn(page, 'horn');
    await expect(page.getByTestId('three-strawman')).toContainText('78 %');
    const said = page.getByTestId('horn-said');
    await page.getByTestId('horn-eve').fill('40');
    await expect(said).toContainText('Eve controls 40 % of 65,536 validators');
    await expect(page).toHaveURL(/#horn&n=65536&eve=0\.4/);
    const [, lost, cast] = /She keeps ([\d,]+) of ([\d,]+) honest votes/.exec((await said.textContent())!)!;
    expect(Number(lost!.replaceAll(',', ''))).toBeGreaterThan(10_000);
    await expect(said).toContainText('In the status quo and the strawman, she excludes no vote');
    await expect(page.getByTestId('three-strawman')).toContainText(`verified ${cast} of ${cast} votes`);
    await expect(page.getByTestId('three-handel')).toContainText(/of 1,229 nodes hold 99/);
    await expect(said).toContainText('With Handel, all 1,229 honest nodes');
    if (!isWhole) return;
    const { height } = (await said.boundingBox())!;
    await page.getByTestId('horn-size').click();
    await expect(said).toContainText('Running 1,048,576 validators');
    expect(await said.boundingBox(), 'the page does not move').toMatchObject({ height });
    await page.getByTestId('horn-size').click();
    await expect(said).toContainText('With Handel, all 1,229 honest nodes');
    await expect(said).toContainText('of 65,536 validators');
  });

  await test.step('try it: a link opens a new room, and Back leads to the previous chapter', async () => {
    await chapters.getByRole('link', { name: 'Try it' }).click();
    await untilIn(page, 'live');
    await expect(page.getByTestId('room-link')).toHaveAttribute('href', /live\.html#live=tabs:\w+$/);
    await page.goBack();
    await untilIn(page, 'horn');
    await expect(page).toHaveURL(/#horn&n=65536&eve=0\.4/);
    await expect(page.locator('#chapter-links [aria-current]')).toHaveText('Ethereum: Horn');
  });
  expect(errors).toEqual([]);
});

test('the code next to the queue highlights executed lines, and a click on a line moves to its next execution', async ({
  page,
}) => {
  await page.goto('./#desk&t=232');
  await untilIn(page, 'desk');
  const code = page.getByTestId('queue-code');
  await code.scrollIntoViewIfNeeded();
  await expect(code.locator('.code-head')).toContainText(/at \d+\.\d\sms, node 1Handel v1\.03, section \d/);
  await expect(code.locator('li.ran').first()).toBeVisible();
  const waiting = page.locator('.queue-waiting .queue-item').first();
  const sender = await waiting.getAttribute('data-sender');
  await waiting.click();
  await expect(code.locator('.code-head')).toContainText(`A message arrives from node ${sender}, level`);
  await expect(code.locator('li.ran', { hasText: 'return isNew || isUseful;' })).toHaveCount(1);
  await expect(code.locator('.code-head')).toContainText(`node ${sender}’s contribution on level`);
  await page.locator('.queue-item.checking').click();
  await expect(code.locator('.code-head')).toContainText(/’s contribution on level \d is chosen/);
  await expect(code.locator('li.ran', { hasText: 'ticket = port.verify(' })).toHaveCount(1);
  await page.getByTestId('queue-stamps').locator('.invalid button').first().click();
  await expect(code.locator('.code-head')).toContainText(/’s contribution on level \d is dropped/);
  await expect(code.locator('li.ran', { hasText: /^\s*blacklist\.add\(sender\);$/ })).toHaveCount(1);
  // This line runs after a verification that found an invalid contribution.
  const line = code.locator('[data-line]', { hasText: /^\s*blacklist\.add\(sender\);$/ });
  await line.click();
  await expect(code.locator('.code-head')).toContainText('A check is done');
  await expect(code.locator('li.ran', { hasText: /^\s*blacklist\.add\(sender\);$/ })).toHaveCount(1);
  const first = await page.locator('#clock').textContent();
  await expect(page.getByTestId('queue-stamps').locator('li').first()).toContainText(`${first}invalid`);
  await line.click();
  await expect(page.locator('#clock')).not.toHaveText(first!);
  await expect(code.locator('li.ran', { hasText: /^\s*blacklist\.add\(sender\);$/ })).toHaveCount(1);
});

test('the node of the queue: a number out of range is replaced by the node that is shown, and no choice starts the run again', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const runs: string[] = [];
    Object.assign(window, { runs });
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: unknown, ...rest: never[]) {
      const { request } = message as { readonly request?: object };
      if (request && Object.keys(request).join() === 'scenario') runs.push(JSON.stringify(request));
      postMessage.call(this, message, ...rest);
    };
  });
  let release = () => {};
  const isChosen = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/simulationWorker/, async (route) => {
    await isChosen;
    await route.continue();
  });
  await page.goto('./#desk&node=62&t=232');
  await expect(page.locator('#desk .stage')).toHaveAttribute('aria-busy', 'true');
  const node = page.getByTestId('queue-of');
  const choose = async (text: string) => {
    await node.fill(text);
    await node.dispatchEvent('change');
  };
  await choose('63');
  release();
  await untilIn(page, 'desk');
  const code = page.getByTestId('queue-code');
  await code.scrollIntoViewIfNeeded();
  await expect(code.locator('.code-head')).toContainText('node 63');
  await choose('99');
  await expect(node).toHaveValue('63');
  await choose('1');
  await choose('');
  await expect(node).toHaveValue('1');
  const runs = await page.evaluate(() => (window as unknown as { readonly runs: string[] }).runs);
  expect(runs.length).toBeGreaterThan(0);
  expect(new Set(runs).size).toBe(runs.length);
});

test('a rule of the code is changed: the run forks, the link has the choice, and a link with code is refused', async ({
  page,
}) => {
  await page.goto('./#desk&order=()=>0&contraction=16&t=232');
  await untilIn(page, 'desk');
  await expect(page.locator('#status')).toHaveText(/^order: expected share or gain .*, got "\(\)=>0"; share is used$/);
  const said = page.getByTestId('rule-said');
  await expect(said).toHaveText(/fewer invalid contributions\. This is (not )?the case in this run: /);
  await expect(page.getByTestId('rule-branches').getByRole('row')).toHaveCount(3);
  await page.getByTestId('queue-code').scrollIntoViewIfNeeded();
  const mark = page.getByTestId('queue-code').locator('[data-rule=contraction]');
  await expect(mark).toHaveText('change contraction ÷16');
  await mark.click();
  await expect(page.getByTestId('rule-contraction')).toBeFocused();
  await page.getByTestId('rule-contraction').fill('1');
  await page.getByTestId('rule-order').selectOption('lowest');
  await expect(said).toHaveText(/^Several rules have been changed\. .* checks per node/);
  await expect(page.getByTestId('rule-branches').getByRole('row')).toHaveCount(3);
  await expect(page.getByTestId('rule-branches')).toContainText('contraction ÷1, first: lowest level');
  await expect(page).toHaveURL(/#desk&contraction=1&order=lowest&t=232$/);
});

test('a slot that fails to load leaves the controls at the slot that is shown', async ({ page }) => {
  await page.route('**/slotWorker-*.js', (route) => route.abort());
  await page.goto('./#horn&t=12000');
  await untilIn(page, 'horn');
  await page.getByTestId('horn-eve').fill('40');
  await expect(page.locator('#horn-said')).toHaveText('The slot could not be loaded. Check the connection.');
  await expect(page.getByTestId('horn-eve')).toHaveValue('30');
  // The recorded slot is shown if the slot of the first link fails.
  await page.goto('about:blank');
  await page.goto('./#horn&eve=0.2');
  await expect(page.locator('#horn-said')).toHaveText('The slot could not be loaded. Check the connection.');
  await untilIn(page, 'horn');
  await expect(page.locator('#horn-conclusion')).not.toBeEmpty();
});

test('the chapter of proofs explains a wasted merge, and its link shows the explanation again', async ({ page }) => {
  await page.goto('./');
  await page
    .getByRole('navigation', { name: 'Chapters' })
    .getByRole('link', { name: 'After quantum computers' })
    .click();
  await untilIn(page, 'proofs');
  const strategies = page.getByTestId('two-strategies').locator('.strategy');
  await expect(strategies).toHaveCount(2);
  await page.getByTestId('scrub').fill('4000000');
  const said = page.getByTestId('proofs-said');
  await expect(said).toHaveText(
    /^Without assignment, \d{2,} merges \(\d{2,} wasted: .* and 50\s.* With owners, \d+ merges? \(none wasted\) and 11\s/,
  );
  const [, merges, wasted] = /(\d+) merges \((\d+) wasted/.exec((await said.textContent())!)!;
  expect(Number(wasted)).toBeGreaterThan(20);
  // The drawing follows the clock one frame later.
  await expect(strategies.nth(0).locator('.tally')).toContainText(`${wasted} of ${merges} merges wasted`);
  await page.getByTestId('proofs-next').click();
  const why = page.getByTestId('proofs-why');
  await expect(why).toContainText(
    /Wasted: prover \d+ \(subnet \d\) had already finished a proof with all of these votes\./,
  );
  await expect(page.locator('#proofs .job rect.asked')).toHaveCount(1);
  await page.getByTestId('proofs-next').click();
  await page.getByTestId('scrub').fill('2860000');
  const [, prover] = /prover (\d+)/.exec((await why.locator('h3').textContent())!)!;
  await expect(page.locator('#proofs .chapter-text')).toContainText(`Greedy pairs: prover ${prover} `);
  await expect(page.locator('#proofs .onward-link a')).toHaveAttribute('href', /lean\.html#start=free$/);
  await strategies.nth(0).locator('.job.superseded rect').first().click();
  await expect(why).toContainText('Greedy pairs, prover');
  await expect(page).toHaveURL(/#proofs&job=greedy:\d+&t=/);
  const words = await why.textContent();
  await page.goto('about:blank');
  await page.goBack();
  await untilIn(page, 'proofs');
  await expect(why).toHaveText(words!);
});

test('a link of a run still opens the run, and begins no story meanwhile', async ({ page }) => {
  // States that the visited pages report.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const { state } = document.documentElement.dataset;
      sessionStorage.setItem('said', `${sessionStorage.getItem('said') ?? ''} ${location.pathname} ${state}`);
    }).observe(document, { subtree: true, attributeFilter: ['data-state'] });
  });
  await page.goto('./#n=16&scheme=counting&t=100');
  await expect(page).toHaveURL(/run\.html#n=16/);
  const said = await page.evaluate(() => sessionStorage.getItem('said'));
  expect(said).toMatch(/^ \/ leaving(?! \/ )/);
  await expect(page.locator('#clock')).toHaveText('100.0 ms');
});

const figures = {
  race: '.lane .field-host canvas',
  doubling: '.matrix canvas',
  desk: '.queue-row',
  'switch-off': '.field-host canvas',
  matrix: 'table',
  'break-it': '.ring canvas',
  growth: '#growth-chart svg',
  horn: 'figure canvas, figure svg',
  proofs: '.strategy svg',
  live: '.two-pages',
} as const;
const sizes = [
  [1440, 900],
  [1280, 720],
  [390, 844],
  [844, 390],
  // Viewport of 1440 x 900 at a zoom of 200 %.
  [720, 450],
] as const;

/** Returns a stage's controls that are covered or out of view. @param scrolls whether the page may scroll. */
function coveredControls(page: Page, chapter: string, scrolls: boolean): Promise<string[]> {
  return page.locator(`#${chapter} .stage`).evaluate((stage, scrolls) => {
    const controls = [...stage.querySelectorAll<HTMLElement>('button, select, label:has(input), a:not(td a)')];
    const isCovered = (control: HTMLElement) => {
      if (scrolls) control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      // A link that wraps has one box per line.
      return [...control.getClientRects()].some(({ left, top, width, height }) => {
        const inset = Math.min(4, width / 4, height / 4);
        const points = [
          [left + width / 2, top + height / 2],
          [left + inset, top + inset],
          [left + width - inset, top + height - inset],
        ] as const;
        return !points.every(([x, y]) => control.contains(document.elementFromPoint(x, y)));
      });
    };
    return controls
      .filter((one) => one.checkVisibility())
      .filter(isCovered)
      .map((one) => one.textContent || one.id);
  }, scrolls);
}

for (const [width, height] of sampled(sizes, 1))
  test(`figure and caption of each chapter have room at ${width} x ${height}`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width, height });
    // Checked: the first screen, the end of the race, and that with ten invalid signers.
    for (const [link, button] of [
      ['', 'guess-gossip'],
      ['#race&t=13000', 'now-byzantine'],
      ['#race&byzantine=10&t=3000', 'byzantine-0'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`./${link}`);
      await untilIn(page, 'race');
      await expect(page.getByTestId(button)).toBeVisible();
      expect.soft(await coveredControls(page, 'race', false), `./${link}: covered controls`).toEqual([]);
    }
    for (const [chapter, figure] of sampled(Object.entries(figures), 4)) {
      await page.goto('about:blank');
      await page.goto(`./#${chapter}&t=120`);
      await untilIn(page, chapter);
      await untilNothingSticksOut(page);
      const found = page.locator(`#${chapter} .stage`).locator(figure).first();
      await found.scrollIntoViewIfNeeded();
      await expect.soft(found, `${chapter}: the figure`).toBeInViewport({ ratio: chapter === 'matrix' ? 0.3 : 0.5 });
      const { width: wide, height: high } = (await found.boundingBox())!;
      expect.soft(Math.min(wide, 6 * high), `${chapter}: the figure, pixels`).toBeGreaterThan(60);
      const outside = await page.locator(`#${chapter} .stage`).evaluate((stage, selector) => {
        const box = stage.getBoundingClientRect();
        return [...stage.querySelectorAll(selector)]
          .map((one) => one.getBoundingClientRect())
          .filter(({ width, bottom }) => width > 0 && bottom > box.bottom + 1).length;
      }, figure);
      expect.soft(outside, `${chapter}: figures that stand out of their stage`).toBe(0);
      const cutOff = await page
        .locator(`#${chapter} .queue-waiting`)
        .evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth + 1).length);
      expect.soft(cutOff, `${chapter}: rows of the queue that are cut off`).toBe(0);
      if (chapter === 'matrix' || chapter === 'live') continue;
      const caption = page.locator('.stage-caption .chapter-text');
      await expect.soft(caption, `${chapter}: the caption`).toBeInViewport({ ratio: 1 });
      const covered = await caption.evaluate((text) => {
        const { left, top, width, height } = text.getBoundingClientRect();
        const inside = [0.05, 0.95].map((share) => document.elementFromPoint(left + width / 50, top + height * share));
        return !inside.every((one) => one !== null && text.contains(one)) || text.textContent === '';
      });
      expect.soft(covered, `${chapter}: the caption is covered`).toBe(false);
      expect.soft(await coveredControls(page, chapter, true), `${chapter}: covered controls`).toEqual([]);
    }
  });

test('a link opens at its chapter, and the layout does not shift, whatever loads above it, also on a phone in either orientation', async ({
  page,
}) => {
  // Adds up the layout shifts without user input, as fractions of the window.
  await page.addInitScript(() => {
    const shifted = { sum: 0 };
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifted.sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const cases = [
    ['doubling', 390, 844],
    ['horn', 390, 844],
    ['break-it', 390, 844],
    ['desk', 844, 390],
    ['doubling', 1440, 900],
    ['switch-off', 1440, 900, '&without=individual-contributions&attack=censor'],
  ] as const;
  for (const [chapter, width, height, state = ''] of sampled(cases, 2)) {
    await page.setViewportSize({ width, height });
    await page.goto('about:blank');
    await page.goto(`./#${chapter}${state}`);
    await untilIn(page, chapter);
    await page.waitForLoadState('networkidle');
    const top = () =>
      page.evaluate((id) => Math.abs(document.getElementById(id)!.getBoundingClientRect().top), chapter);
    if (state === '') await expect.poll(top).toBeLessThan(45);
    else await expect(page.getByRole('heading', { name: 'A tempting shortcut' })).toBeInViewport();
    const { sum } = await page.evaluate(() => (window as unknown as { readonly shifted: { sum: number } }).shifted);
    expect.soft(sum, `${chapter} at ${width} x ${height}: layout shift`).toBeLessThan(0.05);
  }
});

test('the menu of pages opens, is left and closes by keyboard, at both widths', async ({ page }) => {
  await page.goto('./horn.html');
  const menu = page.getByTestId('more-pages');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByTestId('to-horn')).toBeFocused();
    await expect(page.getByTestId('to-horn')).toHaveAttribute('aria-current', 'page');
    for (const link of await page.locator('.more-list a').all()) await expect(link).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('to-horn')).toBeHidden();
    await expect(menu).toBeFocused();
  }
});

testInCi('a printed story has the verification queue, although its chapter was never in view', async ({ page }) => {
  await page.goto('./#live');
  await untilIn(page, 'live');
  await page.evaluate(() => {
    globalThis.print = () => dispatchEvent(new Event('beforeprint'));
  });
  await page.keyboard.press('Control+p');
  await expect(page.locator('#desk .queue-item').first()).toBeAttached();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByTestId('queue-figure')).toHaveAttribute('data-at', '232000');
});
