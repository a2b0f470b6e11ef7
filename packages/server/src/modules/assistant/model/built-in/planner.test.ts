import { describe, expect, test } from 'vitest';
import { answers, ask, billing, mail, titleOfPayments } from '../../../../../test/planner-world.ts';
import { createPlanner } from './planner.ts';

/** The conditions of the last search. */
async function planRules(question: string) {
  const { calls } = await ask(question);
  const last = calls.findLast(({ name }) => name === 'search_entities');
  return {
    blueprint: last?.args['blueprint'],
    rules: (last?.args['query'] as { rules: unknown[] } | undefined)?.rules,
  };
}

const noOwner = { blueprint: 'service', rules: [{ property: '$team', operator: 'isEmpty' }] };

test.each([
  'Which services have no owner?',
  'services without an owner',
  'List all services that do not have a team',
  'show me unowned services',
  'which services are orphaned',
])('%s: looks for empty owners, in two steps', async (question) => {
  expect(await planRules(question)).toEqual(noOwner);
  const { calls, text, outcome } = await ask(question);
  expect(calls.map(({ name }) => name)).toEqual(['list_blueprints', 'search_entities']);
  expect(text).toBe('Services, without owner: **1**\n\n- **Mail Relay** (`mail-relay`)');
  expect(outcome).toBe('answered');
});

test.each([
  ['services written in Go', 'service', [{ property: 'language', operator: '=', value: 'Go' }]],
  ['Tier 1 services', 'service', [{ property: 'tier', operator: '=', value: 1 }]],
  ['services with tier over 2', 'service', [{ property: 'tier', operator: '>', value: 2 }]],
  ['public services', 'service', [{ property: 'isPublic', operator: '=', value: true }]],
  ['services that are not public', 'service', [{ property: 'isPublic', operator: '=', value: false }]],
  ['services whose framework is Spring', 'service', [{ property: 'framework', operator: '=', value: 'Spring' }]],
  ['services tagged pci', 'service', [{ property: 'tags', operator: 'containsAny', value: ['pci'] }]],
  ['services without a runbook', 'service', [{ property: 'runbook', operator: 'isEmpty' }]],
  ['open incidents', 'incident', [{ property: 'status', operator: '=', value: 'open' }]],
  ['sev1 or sev2 incidents', 'incident', [{ property: 'severity', operator: 'in', value: ['SEV1', 'SEV2'] }]],
  [
    'incidents this month',
    'incident',
    [
      {
        property: 'openedAt',
        operator: 'between',
        value: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T23:59:59.999Z' },
      },
    ],
  ],
  [
    'incidents resolved since 2026-02-01',
    'incident',
    [{ property: 'resolvedAt', operator: '>=', value: '2026-02-01T00:00:00.000Z' }],
  ],
  ['my services', 'service', [{ property: '$team', operator: 'containsAny', value: ['payments'] }]],
  [
    'services owned by Payments',
    'service',
    [{ property: '$team', operator: 'containsAny', value: ['payments', 'Payments'] }],
  ],
  [
    'services in the money domain',
    'service',
    [{ property: { path: ['domain'] }, operator: 'matchAny', value: 'money' }],
  ],
])('%s becomes a query', async (question, blueprint, rules) => {
  const { calls } = await ask(question);
  const last = calls.findLast(({ name }) => name === 'search_entities')!;
  expect(last.args).toMatchObject({ blueprint, query: { combinator: 'and', rules } });
});

test.each([
  ['list the services', 'service'],
  ['How many Service entities are there?', 'service'],
  ['business domains', 'domain'],
  ['domains', 'domain'],
  ['pull requests', 'pullRequest'],
  ['pull-requests', 'pullRequest'],
  ['PRs', 'pullRequest'],
  ['pullRequest', 'pullRequest'],
  ['which teams are there?', '_team'],
])('%s lists %s', async (question, blueprint) => {
  const { calls } = await ask(question);
  expect(calls.at(-1)).toMatchObject({ name: 'search_entities', args: { blueprint } });
});

describe('one thing', () => {
  test.each([
    'Who owns billing-api?',
    'who is the owner of Billing API',
    'which team owns the billing-api service?',
    'owner of billing-api',
  ])('%s', async (question) => {
    const titled = { ...answers, search_entities: titleOfPayments };
    expect((await ask(question, titled)).text).toBe('Owner of Billing API (Service): **Payments**.');
  });

  test('without an owner is said to have none', async () => {
    expect((await ask('who owns mail-relay')).text).toBe('Owner of Mail Relay (Service): none, it has no owner.');
  });

  test.each(['describe billing-api', 'Tell me about the billing-api service', 'what is Billing API?'])(
    '%s',
    async (question) => {
      const { calls, text } = await ask(question);
      expect(calls.at(-1)).toEqual({ name: 'get_entity', args: { blueprint: 'service', identifier: 'billing-api' } });
      expect(text).toContain('- Owner: **payments**\n- Language: Go\n- Tier: 1\n- Domain: `money`');
    },
  );

  test('that is a type is described as one', async () => {
    expect((await ask('what is a service?')).text).toContain('is a type of thing in the catalog: Software that runs.');
  });
});

describe('numbers', () => {
  test('come from count_entities where it is on offer', async () => {
    const { calls, text } = await ask('How many services are there?', {
      ...answers,
      count_entities: () => ({ count: 18 }),
    });
    expect(calls.at(-1)).toEqual({ name: 'count_entities', args: { blueprint: 'service' } });
    expect(text).toBe('Services: **18**.');
  });
  test('come from the total of a search otherwise', async () => {
    const { text } = await ask('How many services are there?', {
      ...answers,
      search_entities: () => ({ total: 180, entities: [billing] }),
    });
    expect(text).toBe('Services: **180**.');
  });
});

test('who am I is answered from the user details', async () => {
  expect((await ask('Who am I?')).text).toBe('You are **Ann** in **Acme**.\n\n- Roles: Admin\n- Teams: payments');
});

test('what it can do names the types of the catalog, says that it is no language model and gives questions it answers', async () => {
  const { text } = await ask('What can you do?');
  expect(text).toContain('Service, Business Domain, Incident');
  expect(text).toContain('not a language model');
  const examples = [...text.matchAll(/^- (.+)$/gm)].map(([, example]) => example as string);
  expect(examples.length).toBeGreaterThan(3);
  const offered = { ...answers, get_figures: () => ({ total: 0, groups: [], groupsLeftOut: 0 }) };
  for (const example of examples) expect((await ask(example, offered)).outcome, example).toBe('answered');
});

describe('what it does not understand it refuses', () => {
  test.each([
    ['list widgets', 'I can only read this catalog: services, business domains'],
    ['shiny services', 'I do not understand “shiny” for services; they have: Language, Tier'],
    ['services written in Cobol', 'I do not understand “written Cobol” for services'],
    ['who owns the invoices service?', 'I know no service called “invoices”. `list services` shows all.'],
    ['who owns moon-base', 'I know nothing called “moon-base”.'],
    ['how do I get to the station', 'I can only read this catalog'],
  ])('%s', async (question, reason) => {
    const { text, outcome } = await ask(question);
    expect(text).toContain(`I did not answer this. ${reason}`);
    expect(outcome).toBe('refused');
  });

  test('without a search for words that are no names', async () => {
    const { calls } = await ask('services written in Go');
    expect(calls).toHaveLength(2);
  });
});

test('a name that is only almost right is asked about', async () => {
  expect(await ask('who owns biling-api')).toMatchObject({
    text: 'Did you mean **Billing API** (Service)?',
    outcome: 'asked',
  });
});

test('one more word than it understands is no answer any more', async () => {
  const questions = [
    'services written in Go',
    'How many services are there?',
    'Who owns billing-api?',
    'open incidents',
  ];
  for (const question of questions) {
    const words = question.split(' ');
    for (let at = 0; at <= words.length; at += 1) {
      const longer = [...words.slice(0, at), 'wobbly', ...words.slice(at)].join(' ');
      expect((await ask(longer)).outcome, longer).not.toBe('answered');
    }
  }
});

test.each([
  'which services have no owner?',
  'who owns x',
  'who am i',
  'describe x',
  'what can you do',
  'list blueprints',
  'restart x',
  'how many services',
  'what depends on x',
  '',
])('%j without any tool is answered without a call', async (question) => {
  const { calls, text } = await ask(question, {});
  expect(calls).toEqual([]);
  expect(text).not.toBe('');
});

test('a tool that answers nothing readable gives an empty list', async () => {
  const { text } = await ask('list services', { ...answers, search_entities: () => 'no json' });
  expect(text).toBe('Services: **0**, there are none.');
});

test('text from the catalog does not become structure of the answer', async () => {
  const evil = { ...mail, title: '**x**\n# Heading [click](http://evil)' };
  const { text } = await ask('list services', { ...answers, search_entities: () => ({ total: 1, entities: [evil] }) });
  expect(text).not.toMatch(/^# /m);
  expect(text).not.toContain('[click](');
});

test('streams its answer in pieces, with the metadata at the end', async () => {
  const { stream } = await createPlanner('p').doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'help' }] }],
  });
  const parts = [];
  for await (const part of stream as unknown as AsyncIterable<{
    type: string;
    delta?: string;
    providerMetadata?: unknown;
  }>)
    parts.push(part);
  expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(3);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', providerMetadata: { 'built-in': { isLanguageModel: false } } });
});

test('a question never finds itself among the invocations', async () => {
  const { rules } = await planRules('who owns the thing I asked about');
  expect(rules?.[0]).toMatchObject({
    property: '$blueprint',
    operator: 'notIn',
    value: expect.arrayContaining(['_ai_invocations']),
  });
});
