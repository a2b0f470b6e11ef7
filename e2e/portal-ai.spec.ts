import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MockModelServer, startMockModelServer } from '../packages/server/test/mock-model-server.ts';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { scriptedBy } from './support/open-product.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let model: MockModelServer;
let token: string;

beforeAll(async () => {
  model = await startMockModelServer();
  browser = await launchBrowser();
  product = await startProduct(scriptedBy(model));
  const { clientId, clientSecret } = product.credentials;
  const answer = await api('POST', '/v1/auth/access_token', { clientId, clientSecret });
  token = answer['accessToken'] as string;
  await api('POST', '/v1/blueprints', {
    identifier: 'sandbox_by_ai',
    title: 'Sandbox',
    schema: { properties: {}, required: [] },
  });
  await api('POST', '/v1/actions', {
    identifier: 'open_by_ai',
    title: 'Open a sandbox',
    trigger: {
      type: 'self-service',
      operation: 'CREATE',
      userInputs: { properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'sandbox_by_ai',
      mapping: { identifier: '{{ .inputs.name }}', title: '{{ .inputs.name }}' },
    },
  });
});

beforeEach(() => model.respondWith(() => undefined));

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await model?.close();
});

const sentences = Array.from({ length: 14 }, (_, index) => `Part ${index + 1}. `);

test('an answer goes on after a reload in the middle of it, and is stopped by nobody', () =>
  visit(browser, product, wide, async ({ page }) => {
    model.respondWith(() => ({ text: sentences, gapMs: 250 }));
    await page.goto('/ai');
    await signIn(page, product);
    await ask(page, 'Tell me slowly');
    await page.getByText('Part 2.').waitFor();
    expect(await page.getByText('Part 14.').count()).toBe(0);
    await page.reload();
    await page.getByText('Tell me slowly').first().waitFor();
    await page.getByText('Part 14.').waitFor({ timeout: 20_000 });
    await page.getByText('The answer is complete').waitFor();
    const answer = (await page.getByRole('log').textContent()) ?? '';
    expect(answer.match(/Part 1\. Part 2\. /g)).toHaveLength(1);
    expect(model.requests.filter(({ body }) => JSON.stringify(body).includes('Tell me slowly'))).toHaveLength(1);
  }));

test('a stream that breaks off is gone on with behind the last event', () =>
  visit(browser, product, wide, async ({ page }) => {
    model.respondWith(() => ({ text: sentences }));
    await page.goto('/ai');
    await signIn(page, product);
    const resumed: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (/\/v1\/ai\/.*\/events\?/.test(request.url())) resumed.push(request.headers()['last-event-id']);
    });
    await page.route(/\/v1\/ai\/invoke\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.slice(0, body.indexOf('event: execution')) });
    });
    await ask(page, 'Break off');
    await page.getByText('The answer is complete').waitFor();
    const answer = (await page.getByRole('log').textContent()) ?? '';
    expect(answer.match(/Part 14\./g)).toHaveLength(1);
    expect(resumed).toHaveLength(1);
    expect(resumed[0]).toMatch(/:\d+$/);
  }));

test('what a model writes never runs and fetches nothing', () =>
  visit(browser, product, wide, async ({ page }) => {
    model.respondWith(() => ({
      text: '# Title\n\n<img src="/nowhere.png" onerror="document.title=\'owned\'"><script>document.title="owned"</script>\n\n![pixel](https://elsewhere.example/p.png) [bad](javascript:alert(1)) [good](/ai/usage)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet x = "<b>";\n```\n',
    }));
    await page.goto('/');
    await signIn(page, product);
    await page.keyboard.press('Control+/');
    await ask(page, 'Attack');
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();
    const log = page.getByRole('log');
    expect(await log.locator('img, script, iframe').count()).toBe(0);
    expect(await log.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await log.getByRole('link', { name: 'good' }).getAttribute('href')).toBe('/ai/usage');
    expect(await page.title()).not.toContain('owned');
    await log.getByRole('link', { name: 'good' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  }));

test('Stop ends the run and keeps what was said', () =>
  visit(browser, product, wide, async ({ page }) => {
    model.respondWith(() => ({ text: Array.from({ length: 200 }, (_, index) => `Word ${index}. `), gapMs: 100 }));
    await page.goto('/ai');
    await signIn(page, product);
    await ask(page, 'Never end');
    await page.getByText('Word 3.').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/cancelled by/)
      .waitFor();
    expect(await page.getByText('Word 3.').count()).toBe(1);
  }));

test('a draft is edited, changed by somebody else, approved as it is shown, and changes the entity', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    model.respondWith(({ body }) =>
      body.messages.some(({ role }: { role: string }) => role === 'tool')
        ? { text: 'A draft waits for your decision.' }
        : { calls: [{ name: 'run_open_by_ai', arguments: { name: 'blue' } }] },
    );
    await page.goto('/ai');
    await signIn(page, product);
    await page.getByLabel('What the assistant may do').selectOption('Actions on approval');
    await ask(page, 'Open a sandbox named blue');
    const card = page.getByRole('region', { name: 'Draft: Open a sandbox' });
    await card.getByText('blue', { exact: true }).waitFor();
    expect(await entity('blue')).toBe(404);

    await card.getByRole('button', { name: 'Edit' }).click();
    await card.getByLabel('Name').fill('green');
    await card.getByRole('button', { name: 'Save the inputs' }).click();
    // a field counts as its text, so that "green" is there before it is saved
    await card.getByRole('button', { name: 'Save the inputs' }).waitFor({ state: 'hidden' });
    await card.getByText('green', { exact: true }).waitFor();

    const { runs } = (await api('GET', '/v1/actions/runs?status=DRAFT')) as { runs: { id: string }[] };
    await api('PATCH', `/v1/actions/runs/${runs[0]?.id}/draft`, { properties: { name: 'red' } });
    await card.getByText('The inputs were changed meanwhile').waitFor();
    await card.getByText('was green').waitFor();
    expect(await card.getByRole('button', { name: 'Approve and run' }).count()).toBe(0);
    await picture('ai-draft-changed');
    await card.getByRole('button', { name: 'Use the current inputs' }).click();
    await card.getByRole('button', { name: 'Approve and run' }).click();
    await card.getByText('Success').waitFor();
    await card.getByRole('link', { name: 'red' }).waitFor();
    expect([await entity('red'), await entity('green'), await entity('blue')]).toEqual([200, 404, 404]);

    await page.getByRole('link', { name: 'What was done for this answer' }).click();
    await page.getByRole('heading', { name: 'What changed because of it' }).waitFor();
    await page.getByText(/Approved as a draft/).waitFor();
    await page.getByText('run_open_by_ai').first().waitFor();
    await settled(page);
    await look(page, 'ai-invocation', picture);
  }));

test('an agent is written with a counter and tried patterns, and asked from its page', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/ai/new-agent');
    await signIn(page, product);
    await page.getByLabel('Title').fill('Sandbox keeper');
    const prompt = page.getByLabel('Prompt');
    await prompt.fill('x'.repeat(2501));
    await page.getByText('2,501 / 2,500 characters').waitFor();
    await prompt.fill('You look after sandboxes.');
    const pattern = page.getByRole('textbox', { name: 'Pattern 1' });
    await pattern.fill('run_open_by_ai$');
    await page.getByText(/^Matches 1 of \d+ tools$/).waitFor();
    await pattern.fill('run_(');
    await page.getByText(/Not a valid expression/).waitFor();
    await pattern.fill('run_open_by_ai$');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByRole('heading', { name: 'Sandbox keeper', level: 1 }).waitFor();
    model.respondWith(() => ({ text: 'I keep sandboxes.' }));
    await page.getByRole('textbox', { name: 'Ask the agent' }).fill('Who are you?');
    await page.keyboard.press('Enter');
    await page.getByText('I keep sandboxes.').waitFor();
    await look(page, 'ai-agent-asked', picture);
    await page.getByRole('link', { name: /invocations?$/ }).click();
    await page.getByRole('link', { name: 'Who are you?' }).waitFor();
    await look(page, 'ai-invocations', picture);
  }));

test('on a phone, in the dark, one can ask, and read what was done', () =>
  visit(browser, product, narrow, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', 'dark')`);
    model.respondWith(() => ({ text: '## Two services\n\n1. Ledger\n2. Billing\n\n`count` is **2**.' }));
    await page.goto('/ai');
    await signIn(page, product);
    await ask(page, 'Which services have no owner?');
    await page.getByText('Ledger').waitFor();
    await page.getByText('The answer is complete').waitFor();
    await look(page, 'ai-phone', picture);
    await page.getByRole('link', { name: 'What was done for this answer' }).click();
    await page.getByRole('heading', { name: 'Execution log' }).waitFor();
    await settled(page);
    await look(page, 'ai-invocation-phone', picture);
  }));

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask the assistant' }).fill(question);
  await page.keyboard.press('Enter');
}

async function api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(product.address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as Record<string, unknown>;
}

async function entity(identifier: string): Promise<number> {
  const answer = await fetch(`${product.address}/v1/blueprints/sandbox_by_ai/entities/${identifier}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction('!document.querySelector("[aria-busy=true]")');
}

async function look(page: Page, name: string, picture: (name: string) => Promise<void>): Promise<void> {
  await picture(name);
  expect([name, await seriousFindings(page)]).toEqual([name, []]);
  expect([name, structureProblems(await accessibilityTree(page))]).toEqual([name, []]);
  expect([name, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([name, 0]);
}
