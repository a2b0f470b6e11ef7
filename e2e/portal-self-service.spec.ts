import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const requester = 'priya.raman@halyardfreight.example';

let browser: Browser;
let product: Product;
let token: string;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct()]);
  const { clientId, clientSecret } = product.credentials;
  token = (await ask('POST', '/v1/auth/access_token', { clientId, clientSecret })).accessToken;
  await ask('POST', '/v1/actions', lifecycle('change_lifecycle', 'Change the lifecycle'));
  await ask('POST', '/v1/actions', lifecycle('agree_lifecycle', 'Agree on the lifecycle', { requiredApproval: true }));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Changes a service, and asks for more where it is retired. */
function lifecycle(identifier: string, title: string, more: object = {}) {
  return {
    identifier,
    title,
    trigger: {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: 'service',
      userInputs: {
        properties: {
          lifecycle: { type: 'string', title: 'Lifecycle', enum: ['production', 'deprecated'] },
          reason: {
            type: 'string',
            title: 'Why?',
            visible: { jqQuery: '.form.lifecycle == "deprecated"' },
            minLength: 5,
          },
        },
        required: { jqQuery: 'if .form.lifecycle == "deprecated" then ["lifecycle", "reason"] else ["lifecycle"] end' },
      },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'service',
      mapping: { identifier: '{{ .entity.identifier }}', properties: { lifecycle: '{{ .inputs.lifecycle }}' } },
    },
    ...more,
  };
}

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(product.address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const readLifecycle = async (service: string) =>
  (await ask('GET', `/v1/blueprints/service/entities/${service}`)).entity.properties.lifecycle;

test('somebody finds an action, fills its form, follows the run and sees what it changed', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/self-serve?action=change_lifecycle');
    await signIn(page, product);
    await page.getByRole('heading', { name: 'Change the lifecycle', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Self-service' }).first().click();
    await page.getByLabel('Search actions').fill('change lifecycle');
    await picture('self-service-hub');
    await page.getByRole('link', { name: 'Change the lifecycle' }).click();
    await page.getByRole('combobox', { name: 'Which service?' }).fill('sanctions');
    await page.getByRole('option', { name: /Sanctions Screening/ }).click();
    await page.getByRole('combobox', { name: 'Lifecycle' }).click();
    await page.getByRole('option', { name: 'deprecated' }).click();
    await page.getByLabel('Why?').fill('no');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/5/).and(page.locator('[id$="-error"]')).waitFor();
    expect(await page.getByLabel('Why?').inputValue()).toBe('no');
    await page.getByLabel('Why?').fill('nobody calls it');
    await picture('self-service-form');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('Success').waitFor();
    await page
      .getByRole('region', { name: /^Affected entities/ })
      .getByRole('link')
      .waitFor();
    await picture('self-service-run');
    expect(await readLifecycle('sanctions-screening')).toBe('deprecated');
  }));

test('a run that somebody else asked for is approved where it waits', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    const path = `/v1/actions/agree_lifecycle/runs?run_as=${encodeURIComponent(requester)}`;
    const body = { entity: 'route-planner', properties: { lifecycle: 'deprecated', reason: 'replaced' } };
    const { run } = await ask('POST', path, body);
    await page.goto('/approvals');
    await signIn(page, product);
    await page.getByText(/^This will change .+ of the service Route Planner\.$/).waitFor();
    await page.getByRole('button', { name: 'Review Agree on the lifecycle' }).click();
    await page.getByText('replaced').waitFor();
    await page.getByLabel(/^Comment/).fill('Talked to the owners');
    await picture('approvals-review');
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByText('Approved', { exact: true }).waitFor();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole('status').getByText('Success').waitFor();
    await page.getByText('Talked to the owners').waitFor();
    expect(await readLifecycle('route-planner')).toBe('deprecated');
  }));

test.each([
  ['light', 'wide', wide],
  ['dark', 'narrow', { viewport: { width: 360, height: 740 } }],
] as const)(
  'a request is rejected in the inbox by keyboard, and inbox, form and palette can be read, %s, %s',
  (colorScheme, size, at) =>
    visit(browser, product, { ...at, colorScheme }, async ({ page, picture }) => {
      const path = `/v1/actions/agree_lifecycle/runs?run_as=${encodeURIComponent(requester)}`;
      const body = { entity: 'telemetry-ingest', properties: { lifecycle: 'deprecated', reason: 'replaced' } };
      const { run } = await ask('POST', path, body);
      await page.goto('/');
      await signIn(page, product);
      await page.getByRole('button', { name: /^Inbox, \d+ waiting/ }).click();
      const inbox = page.getByRole('complementary', { name: 'Inbox' });
      await inbox.getByText(/^This will change .+ of the service Telemetry Ingest\.$/).waitFor();
      await settled(page);
      await picture(`inbox-approve-${colorScheme}-${size}`);
      expect(await seriousFindings(page)).toEqual([]);
      await inbox.getByRole('button', { name: 'Reject: Agree on the lifecycle' }).press('Enter');
      await page.getByText('Rejected', { exact: true }).waitFor();
      // the next press of Tab goes on from there
      await inbox.getByRole('heading', { name: 'Waiting for a decision' }).and(page.locator(':focus')).waitFor();
      expect((await ask('GET', `/v1/actions/runs/${run.id}`)).run.status).toBe('DECLINED');
      expect(await readLifecycle('telemetry-ingest')).toBe('production');
      await page.keyboard.press('Escape');
      await page.goto('/self-service/create_sandbox');
      await page.getByRole('combobox', { name: 'Service' }).waitFor();
      await settled(page);
      await picture(`form-first-field-${colorScheme}-${size}`);
      expect(await seriousFindings(page)).toEqual([]);
      await page.goto('/');
      await settled(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('rate engine');
      await page.getByRole('option', { name: /^Rate Engine (service .*)?Owner / }).waitFor();
      await picture(`palette-owner-${colorScheme}-${size}`);
      expect(await seriousFindings(page)).toEqual([]);
    }),
);

test('a draft is decided on as it was read: changed meanwhile, it is shown again first', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    const body = { entity: 'quote-api@v1', properties: { lifecycle: 'production' } };
    const { run } = await ask('POST', '/v1/actions/change_lifecycle/runs?draft=true', body);
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('button', { name: /^Inbox, \d+ waiting/ }).click();
    await page.getByRole('complementary', { name: 'Inbox' }).locator(`a[href="/runs/${run.id}"]`).click();
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    await ask('PATCH', `/v1/actions/runs/${run.id}/draft`, {
      properties: { lifecycle: 'deprecated', reason: 'other than before' },
    });
    await page.getByText('The request changed since you read it').waitFor();
    await picture('draft-changed');
    expect(await page.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Review the new version' }).click();

    await page.getByRole('button', { name: 'Change the inputs' }).click();
    await page.getByLabel('Why?').fill('decided by a person');
    await page.getByRole('button', { name: 'Save the inputs' }).click();
    await page.getByText('decided by a person').first().waitFor();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('status').getByText('Success').waitFor();
    const { run: ended } = await ask('GET', `/v1/actions/runs/${run.id}`);
    expect(ended).toMatchObject({ status: 'SUCCESS', properties: { reason: 'decided by a person' } });
    expect(await readLifecycle('quote-api@v1')).toBe('deprecated');
  }));

test('whoever asked sees why somebody else decides and whose rights the run has, until the organization allows it', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    const path = `/v1/actions/agree_lifecycle/runs?run_as=${encodeURIComponent(product.person.email)}`;
    const body = { entity: 'route-planner', properties: { lifecycle: 'production' } };
    const { run } = await ask('POST', path, body);
    await page.goto(`/runs/${run.id}`);
    await signIn(page, product);
    await page.getByText(/You asked for this run.*somebody else decides/).waitFor();
    await page.getByText('Runs with the rights of').waitFor();
    await page.getByText('who saved this action last').waitFor();
    const approve = page.getByRole('button', { name: /^Approve/ });
    expect(await approve.count()).toBe(0);
    await picture('run-of-the-requester');

    const setting = page.getByLabel('People can approve their own requests');
    await page.getByRole('link', { name: 'Builder', exact: true }).click();
    await page.getByRole('link', { name: 'Organization', exact: true }).click();
    await setting.check();
    await picture('organization-approvals');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The organization was saved').first().waitFor();

    await page.goto(`/runs/${run.id}`);
    await approve.click();
    await page.getByRole('status').getByText('Success').waitFor();
  }));
