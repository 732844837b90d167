import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { openPage, saved, untilReady } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-recording-'));

/** Runs the command line, and returns the path of the recording and the digest of the run. */
function record(name: string, ...flags: string[]): { path: string; digest: string } {
  const path = join(folder, name);
  const args = ['apps/node-cli/bin/tutti.js', 'simulate', ...flags, '--record', path, '--json'];
  return { path, digest: JSON.parse(execFileSync('node', args, { encoding: 'utf8' })).digest };
}

const open = (page: Page, path: string) => page.getByTestId('recording-file').setInputFiles(path);

// One page opens several recordings one after another, as a reader does.
let page: Page;
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  await openPage(page, './run.html#n=16&scheme=counting&t=0');
});
test.afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a recording of a run with a latency file plays without the file', async () => {
  const matrix = join(folder, 'latencies.csv');
  writeFileSync(matrix, 'here,there\n1,40\n40,1\n');
  const { path, digest } = record('file.tutti', '--nodes', '32', '--network', `file:${matrix}`);
  rmSync(matrix);
  await open(page, path);
  await expect(page.getByTestId('digest')).toHaveText(digest);
  await untilReady(page);
  await expect(page.locator('#command')).toHaveText(/--network 'file:.*latencies\.csv'/);
  await page.getByTestId('run').click();
  await expect(page.getByText(/^The run failed: network: expected aws, .*latencies\.csv/)).toBeVisible();
});

test('a recording made in a terminal plays in the page, with its digest and its command', async () => {
  const { path, digest } = record('run.tutti', '--nodes', '100', '--dead', '0.1', '--seed', '5', '--desync', '40');
  await open(page, path);
  await expect(page.getByTestId('digest')).toHaveText(digest);
  await untilReady(page);
  await expect(page.locator('#title')).toHaveText('Ninety signatures become one.');
  await expect(page.locator('#command')).toHaveText(/--nodes 100 .* --desync 40 .*--seed 5$/);
  await expect(page.getByTestId('word-nodes')).toHaveText('100');
  await expect(page.getByTestId('word-dead')).toHaveText('10 %');
  await expect(page).not.toHaveURL(/#/);
  // No link can reproduce a run from a file.
  for (const button of ['copy-link', 'copy-embed']) await expect(page.getByTestId(button)).toBeDisabled();

  await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
  const scrub = page.getByTestId('scrub');
  await scrub.fill((await scrub.getAttribute('max'))!);
  await expect(page.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/(89|90) of 100 contributions included/);

  // The form restarts the recorded run. After the restart, a link can reproduce the run.
  await page.getByTestId('run').click();
  await untilReady(page);
  await expect(page.getByTestId('digest')).toHaveText(digest);
  await expect(page).toHaveURL(/#n=100/);
  for (const button of ['copy-link', 'copy-embed']) await expect(page.getByTestId(button)).toBeEnabled();
});

test('a recording of another version opens, and says which version made it', async () => {
  await open(page, fileURLToPath(new URL('../vectors/recording.tutti', import.meta.url)));
  await expect(page.locator('#notices')).toHaveText(
    /^This run was recorded by version 0\.1\.0 and is shown by version 0\.2\.0-dev\+[0-9a-f]{8}\. /,
  );
  await untilReady(page);
  await page.getByTestId('run').click();
  await expect(page.locator('#notices')).toBeHidden();
  await untilReady(page);
});

test('a recording can be dropped on the page', async () => {
  const { path, digest } = record('dropped.tutti', '--nodes', '24');
  const bytes = [...readFileSync(path)];
  const transfer = await page.evaluateHandle((content) => {
    const held = new DataTransfer();
    held.items.add(new File([Uint8Array.from(content)], 'dropped.tutti'));
    return held;
  }, bytes);
  await page.dispatchEvent('#figures', 'dragover', { dataTransfer: transfer });
  await expect(page.locator('html')).toHaveAttribute('data-dropping', '');
  await page.dispatchEvent('#figures', 'drop', { dataTransfer: transfer });
  await expect(page.getByTestId('digest')).toHaveText(digest);
  await expect(page.locator('html')).not.toHaveAttribute('data-dropping');
});

test('a file that is not a recording is refused in one line, and the previous run remains', async () => {
  const digest = (await page.getByTestId('digest').textContent())!;
  const refused = async (name: string, content: Uint8Array | string, why: RegExp) => {
    writeFileSync(join(folder, name), content);
    await open(page, join(folder, name));
    await expect(page.getByTestId('status')).toHaveText(why);
    await expect(page.locator('html')).toHaveAttribute('data-state', 'error');
    await expect(page.getByTestId('digest')).toHaveText(digest);
    await expect(page.getByTestId('run')).toBeEnabled();
  };
  await refused(
    'notes.txt',
    'no recording',
    /^notes\.txt cannot be shown: recording: expected a file that begins with/,
  );
  await refused('empty', '', /^empty cannot be shown: recording: expected/);
  const whole = readFileSync(record('whole.tutti', '--nodes', '16').path);
  await refused('cut.tutti', whole.subarray(0, 2000), /^cut\.tutti .* it is compressed, and incomplete or damaged$/);
  await open(page, join(folder, 'whole.tutti'));
  await untilReady(page);
});

test('a run that the page saves is the run that it opens, and that the command line exports', async () => {
  await page.goto('./run.html#n=300&scheme=counting&dead=0.1&seed=4&t=0');
  await expect(page.locator('#title')).toHaveText('270 signatures become one.');
  await untilReady(page);
  const digest = (await page.getByTestId('digest').textContent())!;
  const download = await saved(page, 'save-run');
  expect(download.suggestedFilename()).toBe('tutti-300-4.tutti');
  await expect(page.locator('#save-as').getByRole('status')).toHaveText(/^Saved, \d+\.\d MB$/);
  const path = join(folder, 'saved.tutti');
  await download.saveAs(path);

  await page.getByTestId('word-seed').click();
  await page.getByTestId('seed').fill('5');
  await page.getByTestId('seed').press('Enter');
  await expect(page.getByTestId('digest')).not.toHaveText(digest);
  await untilReady(page);
  await open(page, path);
  await expect(page.getByTestId('digest')).toHaveText(digest);
  await page.goto('./run.html#n=300&scheme=counting&dead=0.1&seed=4&t=0');
  await expect(page.getByTestId('copy-link')).toBeEnabled();
  await expect(page).toHaveURL(/#n=300/);

  const trace = join(folder, 'saved.perfetto');
  execFileSync('node', ['apps/node-cli/bin/tutti.js', 'export', path, '--perfetto', trace]);
  expect(readFileSync(trace).length).toBeGreaterThan(1000);
});
