import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askOn } from './support/ask-on.ts';
import { visit } from './support/browser.ts';
import { beginTask, type Hands } from './support/count-presses.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { signIn } from './support/sign-in.ts';

const options = { viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] };
const types = 70;
const routePlanner = '/blueprints/service/entities/route-planner';
const requester = 'priya.raman@halyardfreight.example';

let opened: OpenProduct;
/** Of somebody who is signed in: each task begins after that. */
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;

beforeAll(async () => {
  opened = await openProduct();
  const { made, browser, product } = opened;
  await visit(browser, product, options, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    storageState = await page.context().storageState();
  });
  for (let index = 0; index < types; index += 1) {
    const schema = { properties: {}, required: [] };
    await made('/blueprints', { identifier: `cargo_${index}`, title: `Cargo type ${index}`, schema });
  }
  await made('/actions', {
    identifier: 'agree_lifecycle',
    title: 'Agree on the lifecycle',
    requiredApproval: true,
    trigger: {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: 'service',
      userInputs: { properties: {}, required: [] },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'service',
      mapping: { identifier: '{{ .entity.identifier }}', properties: { lifecycle: 'deprecated' } },
    },
  });
});

afterAll(async () => {
  await opened?.browser.close();
  await opened?.product.stop();
});

interface Task {
  readonly name: string;
  /** Where somebody stands when the task comes up. */
  readonly from: string;
  /** Clicks and keys that the design allows. */
  readonly budget: number;
  /** Clicks and keys that it takes. */
  readonly presses: number;
  /** Why it takes more than it may. */
  readonly over?: string;
  /** What has to be there before, done beside the person. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Takes back what others would notice. */
  readonly after?: (page: Page) => Promise<void>;
  /** Ends with the answer in sight, or with the work done. */
  readonly work: (hands: Hands, page: Page) => Promise<void>;
}

const search = (page: Page): Locator => page.getByRole('combobox', { name: /^Search entities, pages and commands/ });

/** Opens the palette and types; what is found is taken with Enter. */
async function seek(hands: Hands, page: Page, words: string): Promise<void> {
  await hands.press('Control+k');
  await hands.write(search(page), words);
}

const openIdentity = async (hands: Hands, page: Page): Promise<void> => {
  await seek(hands, page, 'identity');
  await hands.press('Enter');
};

const clipboard = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

const tasks: readonly Task[] = [
  {
    name: 'the owner of a named service',
    from: '/',
    budget: 1,
    presses: 1,
    work: async (hands, page) => {
      await seek(hands, page, 'identity');
      await page.getByRole('option', { name: /^Identity service.*Owner Developer Platform/ }).waitFor();
    },
  },
  {
    name: 'who is on call for it',
    from: '/',
    budget: 2,
    presses: 2,
    work: async (hands, page) => {
      await openIdentity(hands, page);
      const fact = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^On call$/ }) });
      await fact.getByText('Yuki Tanaka').waitFor();
    },
  },
  {
    name: 'what changed or broke last',
    from: '/',
    budget: 2,
    presses: 2,
    work: async (hands, page) => {
      await openIdentity(hands, page);
      const changed = page.getByRole('region', { name: 'What changed' });
      await changed.getByRole('link', { name: 'Identity 9.2.4 to prod-eu' }).waitFor();
    },
  },
  {
    name: 'set the owner of five services',
    from: '/catalog/service',
    budget: 5,
    presses: 5,
    work: async (hands, page) => {
      const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
      await hands.click(boxes.nth(0));
      await hands.click(boxes.nth(4), { modifiers: ['Shift'] });
      await hands.click(page.getByRole('button', { name: 'Set owner' }));
      await hands.click(page.getByRole('option', { name: 'Developer Platform' }));
      await hands.click(page.getByRole('dialog').getByRole('button', { name: /^Change \d service/ }));
      await page.getByText(/services? changed$/).waitFor();
    },
    after: async (page) => {
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/services? restored$/).waitFor();
    },
  },
  {
    name: 'production services only, and a link to share',
    from: '/catalog/service',
    budget: 2,
    presses: 2,
    work: async (hands, page) => {
      await hands.click(page.getByRole('button', { name: /^Lifecycle: / }));
      await hands.click(page.getByRole('menuitemcheckbox', { name: /^production/ }));
      await page.getByRole('button', { name: /^Remove the filter Lifecycle/ }).waitFor();
      // the address is the link
      expect(decodeURIComponent(page.url())).toMatch(/\/catalog\/service\?view=.*lifecycle.*production/);
    },
  },
  {
    name: 'the neighbors of a service',
    from: '/e/service/rate-engine',
    budget: 1,
    presses: 1,
    work: async (hands, page) => {
      await hands.click(page.getByRole('tab', { name: /^Related/ }));
      await page.getByRole('tab', { name: /^Depends on .*1$/ }).waitFor();
      await page.getByRole('tab', { name: /^Deployment whose .* is this\s*3$/ }).waitFor();
    },
  },
  {
    name: 'the whole graph of its neighbors',
    from: '/e/service/rate-engine',
    budget: 2,
    presses: 2,
    work: async (hands, page) => {
      await hands.click(page.getByRole('tab', { name: /^Related/ }));
      await hands.click(page.getByText('Graph', { exact: true }));
      const graph = page.getByRole('region', { name: 'Relations of Rate Engine' });
      await graph.getByRole('list', { name: 'Depends on, 1' }).getByRole('link', { name: 'Identity' }).waitFor();
    },
  },
  {
    name: 'run the first action of the demo',
    from: '/',
    budget: 3,
    presses: 3,
    work: async (hands, page) => {
      await hands.click(page.getByText('Create a sandbox', { exact: true }).first());
      await hands.click(page.getByRole('option').first());
      await hands.press('Control+Enter');
      await page.waitForURL(/\/runs\//);
      await page.getByRole('status').getByText('Success').waitFor();
    },
  },
  {
    name: 'approve, knowing what it does',
    from: '/',
    budget: 2,
    presses: 2,
    prepare: async () => {
      await opened.made(routePlanner, { properties: { lifecycle: 'production' } }, 'PATCH');
      const path = `/actions/agree_lifecycle/runs?run_as=${encodeURIComponent(requester)}`;
      await opened.made(path, { entity: 'route-planner', properties: {} });
    },
    work: async (hands, page) => {
      await hands.click(page.getByRole('button', { name: /^Inbox, \d+ waiting/ }));
      await page.getByText('This will change 1 value of the service Route Planner.').first().waitFor();
      await hands.click(page.getByRole('button', { name: 'Approve change: Agree on the lifecycle' }).first());
      await page.getByText('Approved', { exact: true }).waitFor();
      const lifecycle = async () => {
        const { body } = await opened.ask('GET', routePlanner);
        return (body as { entity: { properties: { lifecycle: string } } }).entity.properties.lifecycle;
      };
      await expect.poll(lifecycle).toBe('deprecated');
    },
  },
  {
    name: 'invite somebody without a mail server',
    from: '/',
    budget: 4,
    presses: 4,
    work: async (hands, page) => {
      await seek(hands, page, '>invite');
      await page.getByRole('option', { name: 'Invite people', selected: true }).waitFor();
      await hands.press('Enter');
      await hands.write(page.getByLabel('E-mail addresses'), 'nora@acme.example');
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }));
      await hands.click(page.getByRole('button', { name: 'Copy link of nora@acme.example' }));
      expect(await clipboard(page)).toContain('/set-password#');
    },
  },
  {
    name: 'add a rule, and see who falls',
    from: '/',
    budget: 7,
    presses: 7,
    work: async (hands, page) => {
      await hands.click(page.getByRole('link', { name: 'Builder', exact: true }));
      await hands.click(page.getByRole('link', { name: 'Scorecards', exact: true }));
      await hands.click(page.getByRole('link', { name: 'Production Readiness' }));
      await hands.click(page.getByRole('tab', { name: 'Rules and levels' }));
      await hands.click(page.getByRole('button', { name: 'Add rule' }));
      const rules = page.getByRole('region', { name: 'Levels and rules' });
      await hands.click(rules.getByRole('combobox', { name: 'Property', exact: true }));
      await hands.click(page.getByRole('option', { name: 'gRPC', exact: true }));
      const falling = page.getByRole('list', { name: 'Entities that change their level' });
      await falling.getByRole('link').first().waitFor();
    },
  },
  {
    name: 'start a campaign with a due date',
    from: '/',
    budget: 6,
    presses: 6,
    work: async (hands, page) => {
      await hands.click(page.getByRole('link', { name: 'Builder', exact: true }));
      await hands.click(page.getByRole('link', { name: 'Scorecards', exact: true }));
      await hands.click(page.getByRole('link', { name: 'Production Readiness' }));
      await hands.click(page.getByRole('link', { name: 'Start campaign' }));
      await hands.write(page.getByRole('textbox', { name: 'Title', exact: true }), 'Everybody on call');
      await hands.click(page.getByRole('button', { name: 'Create campaign' }));
      await page.getByText('30 days left', { exact: false }).waitFor();
    },
  },
  {
    name: 'who deleted something last week',
    from: '/',
    budget: 3,
    presses: 2,
    prepare: async (page) => {
      const path = '/v1/blueprints/cargo_1/entities';
      expect(await askOn(page, 'POST', path, { identifier: 'harbor-map', title: 'Harbor Map' })).toBe(201);
      expect(await askOn(page, 'DELETE', `${path}/harbor-map`)).toBe(200);
    },
    work: async (hands, page) => {
      await seek(hands, page, '>deleted');
      await page.getByRole('option', { name: /^Show deletions/, selected: true }).waitFor();
      await hands.press('Enter');
      const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem');
      await records.filter({ hasText: /^\s*\S.* deleted Cargo type 1 Harbor Map/ }).waitFor();
    },
  },
  {
    name: `jump to one of ${types} types`,
    from: '/',
    budget: 2,
    presses: 2,
    work: async (hands, page) => {
      // entities have these words in their names as well
      await seek(hands, page, 'service');
      await hands.press('Enter');
      await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
    },
  },
];

test.each(tasks)('$name: $presses of $budget', ({ name, from, presses, prepare, work, after }) =>
  visit(opened.browser, opened.product, { ...options, storageState }, async ({ page, picture }) => {
    await page.goto(from);
    await page.getByRole('button', { name: /^User menu/ }).waitFor();
    await prepare?.(page);
    const hands = await beginTask(page);
    await work(hands, page);
    expect(await hands.presses()).toHaveLength(presses);
    await picture(`clicks-${name.replaceAll(/\W+/g, '-')}`);
    await after?.(page);
  }),
);

test('a task over its budget says why', () => {
  const silent = tasks.filter(({ budget, presses, over }) => presses > budget !== (over !== undefined));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
