// Takes the picture of the portal that the README shows: the demo organization, as a first visitor finds it.
// `npm run build`, then `node tools/take-picture.mjs`. Needs Chromium, or its path in CHROMIUM_PATH.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const top = join(import.meta.dirname, '..');
const target = join(top, 'docs/images/portal.png');
const bytesMax = 300_000;
const person = { email: 'robin@halyardfreight.example', password: 'only for the picture' };

const dataDir = await mkdtemp(join(tmpdir(), 'portolan-picture-'));
const product = spawn(process.execPath, [join(top, 'packages/server/dist/main.js')], {
  cwd: dataDir,
  env: {
    PATH: process.env.PATH,
    HOME: dataDir,
    PORT: '0',
    PORTOLAN_DATA_DIR: dataDir,
    PORTOLAN_ADMIN_EMAIL: person.email,
    PORTOLAN_ADMIN_PASSWORD: person.password,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const address = await printedAddress();
  await takePicture(address);
  const { size } = await stat(target);
  if (size > bytesMax) throw new Error(`The picture has ${size} bytes, more than ${bytesMax}`);
  console.log(`${target}: ${size} bytes`);
} finally {
  const ended = once(product, 'exit');
  product.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}

/** The address that the product prints once it serves. */
function printedAddress() {
  return new Promise((resolve, reject) => {
    let output = '';
    product.once('exit', () => reject(new Error(`The product ended early:\n${output}`)));
    product.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const address = /running at (http:\/\/\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
  });
}

async function takePicture(address) {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({
      baseURL: address,
      viewport: { width: 1440, height: 900 },
      colorScheme: 'light',
    });
    await page.goto('/catalog/engineering_overview');
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Services by domain' }).waitFor();
    await page.locator('svg.recharts-surface').first().waitFor();
    await page.waitForLoadState('networkidle');
    // charts are drawn in once, and stand then
    await page.waitForTimeout(2000);
    await page.screenshot({ path: target, animations: 'disabled' });
  } finally {
    await browser.close();
  }
}
