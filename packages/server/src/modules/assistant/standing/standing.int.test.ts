import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEvents, send, startAssistantHarness } from '../../../../test/assistant-harness.ts';
import { findBrokenCalls } from '../../../../test/call-invariants.ts';
import { cleanUp, createInjectionWorld, type InjectionWorld, patterns } from '../../../../test/injection-world.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';
import { createStandings } from './standings.ts';

/** An agent that nobody watches, reads what comes from outside, and may do one thing about it. */
let world: InjectionWorld;
/** A person who may run and approve. */
let ana: string;
/** Another one in each test, so that no approval of another test is its. */
let agent = 'triage';
let agents = 0;
const path = '/v1/ai/standing-approvals';

beforeAll(async () => {
  world = await createInjectionWorld(await startAssistantHarness());
  ana = await person('ana@acme.dev', 'Admin');
  await person('eva@acme.dev', 'Admin');
});
afterAll(async () => world.close());
beforeEach(async () => {
  await cleanUp(world);
  await writeReport();
  agents += 1;
  agent = `triage${agents}`;
  await writeAgent('You triage.');
});

async function person(identifier: string, role: string): Promise<string> {
  const properties = { status: 'Active', port_role: role };
  await world.of('POST', '/v1/blueprints/_user/entities', { identifier, title: identifier, properties });
  const user = await world.harness.database.first<{ key: string }>(
    sql`select key from users where org_id = ${world.organization.id} and identifier = ${identifier}`,
  );
  return world.organization.member(user?.key);
}

const writeReport = () =>
  world.fromOutside('POST', '/v1/blueprints/pull_request/entities?upsert=true', {
    identifier: 'PR-88',
    title: 'disk is full',
  });
const writeAgent = (prompt: string) =>
  world.of('POST', '/v1/blueprints/_ai_agent/entities?upsert=true', {
    identifier: agent,
    title: 'Triage',
    properties: { prompt, status: 'active', tools: patterns, execution_mode: 'Automatic' },
  });

const readReport: ScriptedCall = {
  name: 'get_entity',
  arguments: { blueprint: 'pull_request', identifier: 'PR-88' },
};
const restart = (entity = 'cart', reason = 'disk is full'): ScriptedCall => ({
  name: 'run_restart',
  arguments: { entity, reason },
});
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const wanted = () => ({
  agent,
  action: 'restart',
  entity: ['cart'] as string | string[],
  inputs: { reason: 'any' } as object,
  maxPerHour: 60,
  expiresAt: inDays(30),
});

async function as(token: string, method: string, to: string, body?: unknown) {
  const answer = await send(world.harness.url, token, method, to, body);
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return { status: answer.status, body: (await answer.json()) as any };
}
async function give(more: object = {}) {
  const { status, body } = await as(ana, 'POST', path, { ...wanted(), ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.approval;
}

/** Has the agent read what came from outside, and then make the call. */
async function triage(call = restart(), question = 'What is going on?') {
  const asked = await world.ask(question, { agent, reads: [readReport], wanted: [call] });
  const last = asked.results.at(-1);
  const run = last.runId && (await world.of('GET', `/v1/actions/runs/${last.runId}`)).run;
  return { ...asked, mode: last.mode as string, run };
}

test('without one the call waits; with one it runs, and says by whose leave', async () => {
  expect(await triage()).toMatchObject({ mode: 'draft', effects: [] });
  const approval = await give();
  const { mode, effects, run } = await triage();
  expect([mode, effects.length]).toEqual(['executed', 1]);
  expect(run.decision).toMatchObject({
    result: 'execute',
    rule: 'standing',
    standing: { id: approval.id, givenBy: 'ana@acme.dev' },
    label: expect.arrayContaining(['outside']),
  });
  const { approvals } = (await as(ana, 'GET', `${path}?agent=${agent}`)).body;
  expect(approvals[0]).toMatchObject({ id: approval.id, state: 'active', used: 1, usedInHour: 1, mayRevoke: true });
  expect(await findBrokenCalls(world.harness.database, world.organization.id)).toEqual([]);
});

describe('an approval does not open', () => {
  test.each<[string, object, ScriptedCall, string]>([
    ['another entity', {}, restart('billing'), 'What is going on?'],
    ['an entity that the question does not name', { entity: 'question' }, restart('billing'), 'What of cart?'],
    ['one of two that the question names', { entity: 'question' }, restart('cart'), 'What of cart and billing?'],
    ['an entity that the question is not about', { entity: 'trigger' }, restart('cart'), 'What of cart?'],
    ['other inputs', { inputs: { reason: { const: 'disk is full' } } }, restart('cart', 'eve'), 'What?'],
    ['inputs that it does not name', { inputs: {} }, restart('cart', 'eve'), 'What?'],
    ['words that are not asked for', { inputs: { reason: 'question' } }, restart('cart', 'eve'), 'Is the disk full?'],
    ['another action', {}, { name: 'run_wipe', arguments: { entity: 'cart' } }, 'What?'],
  ])('%s', async (_what, shape, call, question) => {
    await give(shape);
    const { mode, effects, run } = await triage(call, question);
    expect([mode, effects]).toEqual(['draft', []]);
    expect(run.draft.reason).not.toContain('standing approval');
  });

  test('anything to another agent, or to the assistant itself', async () => {
    await give();
    const properties = { prompt: 'You triage.', status: 'active', tools: patterns, execution_mode: 'Automatic' };
    await world.of('POST', '/v1/blueprints/_ai_agent/entities', { identifier: 'other', title: 'O', properties });
    for (const other of ['other', undefined]) {
      const asked = await world.ask('What?', { agent: other, reads: [readReport], wanted: [restart()] });
      expect([asked.results.at(-1).mode, asked.effects]).toEqual(['draft', []]);
    }
  });

  test('what an administrator wants decided each time, and nothing in another mode', async () => {
    await give();
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { restart: 'never' } });
    expect((await triage()).mode).toBe('draft');
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { restart: 'strict' } });
    // nothing may be left open for what is strict
    expect((await triage()).mode).toBe('draft');
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: {} });
    await world.of('PATCH', `/v1/blueprints/_ai_agent/entities/${agent}`, {
      properties: { execution_mode: 'Manual Approval' },
    });
    expect((await triage()).mode).toBe('draft');
  });
});

test('covers the entity that the question names, or is about', async () => {
  await give({ entity: 'question' });
  expect((await triage(restart('billing'), 'What is wrong with billing?')).mode).toBe('executed');
  await give({ entity: 'trigger' });
  const context = { entity: { blueprint: 'service', identifier: 'geo.tiles' } };
  const asked = await world.ask('What?', {
    agent,
    context,
    reads: [readReport],
    wanted: [restart('geo.tiles')],
  });
  expect(asked.results.at(-1).mode).toBe('executed');
});

test('covers the entity of the run that asks', async () => {
  await give({ entity: 'trigger' });
  const { run } = await world.of('POST', '/v1/actions/restart/runs', { entity: 'billing', properties: {} });
  await world.harness.app.jobs.drain();
  const modes: string[] = [];
  for (const entity of ['billing', 'cart']) {
    world.harness.model.respondWith(() => undefined);
    world.harness.model.script({ calls: [readReport] }, { calls: [restart(entity)] }, { text: 'Done.' });
    const body = { userPrompt: 'What?', executionMode: 'Automatic', labels: { _run_id: run.id } };
    const events = await readEvents(await world.organization.call('POST', `/v1/agent/${agent}/invoke`, body));
    const results = events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(data).content);
    modes.push(JSON.parse(results.findLast((content) => content.startsWith('{"mode"')) ?? '{}').mode);
  }
  await world.harness.app.jobs.drain();
  expect(modes).toEqual(['executed', 'draft']);
});

describe('the draft says why an approval does not hold:', () => {
  const change = { title: 'Restart now' };
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['revoked', async () => as(ana, 'DELETE', `${path}/${(await give()).id}`), /by "ana@acme.dev" was revoked\. Text/],
    ['expired', async () => expire((await give()).id), /has expired\. Text/],
    ['used up', async () => [await give({ maxPerHour: 1 }), await triage()], /is used up: it allows 1 run in an hour/],
    ['the action changed', async () => [await give(), await changeAction(change)], /the action was changed after it/],
    ['the agent changed', async () => [await give(), await writeAgent('You act.')], /the agent was changed after it/],
    [
      'its giver may not any more',
      async () => [await give(), await setRole('Member')],
      /its giver may not run and approve this call now/,
    ],
  ])('%s', async (_what, end, reason) => {
    await end();
    const { mode, effects, run } = await triage();
    await setRole('Admin');
    expect([mode, effects]).toEqual(['draft', []]);
    expect(run.draft.reason).toMatch(reason);
  });

  const setRole = (role: string) =>
    world.of('PATCH', '/v1/blueprints/_user/entities/ana@acme.dev', { properties: { port_role: role } });
});

const expire = (id: string) =>
  world.harness.database.transaction((tx) =>
    tx.execute(sql`
      update ai_standing_approvals set expires_at = clock_timestamp()
      where org_id = ${world.organization.id} and id = ${id}`),
  );

async function changeAction(change: object): Promise<void> {
  const { action } = await world.of('GET', '/v1/actions/restart');
  const { id: _, createdAt: _a, createdBy: _b, updatedAt: _c, updatedBy: _d, ...written } = action;
  await world.of('PUT', '/v1/actions/restart', { ...written, ...change });
}

/** Starts as many runs at once as there are reasons; resolves to how each began. */
async function askAtOnce(reasons: readonly string[], meanwhile?: () => unknown): Promise<string[]> {
  let asked = 0;
  world.harness.model.respondWith(({ body }) => {
    asked += 1;
    if (asked === reasons.length + 2) meanwhile?.();
    const messages = body.messages as { role: string; content: unknown }[];
    const results = messages.filter(({ role }) => role === 'tool');
    if (results.length === 0) return { calls: [readReport] };
    if (results.length > 1) return { text: 'Done.' };
    const reason = reasons.find((each) => JSON.stringify(messages).includes(`why ${each}.`)) ?? '';
    return { calls: [restart('cart', reason)] };
  });
  const modes = await Promise.all(
    reasons.map(async (reason) => {
      const body = { userPrompt: `What is going on, and why ${reason}.`, executionMode: 'Automatic' };
      const events = await readEvents(await world.organization.call('POST', `/v1/agent/${agent}/invoke`, body));
      const results = events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(data).content);
      return JSON.parse(results.findLast((content) => content.startsWith('{"mode"')) ?? '{}').mode as string;
    }),
  );
  // dispatched now, and not while another test looks at what was
  await world.harness.app.jobs.drain();
  return modes;
}

const listReasons = (count: number): string[] => Array.from({ length: count }, (_, index) => `because${index}`);
const countUses = async (id: string): Promise<number> =>
  (await world.harness.database.rows(sql`select 1 from ai_standing_uses where approval_id = ${id}`)).length;

test('a second one of a shape that holds is refused with the id of the first, also when ten are given at once', async () => {
  const shape = { entity: ['cart', 'billing'], inputs: { reason: { const: { a: 1, b: 2 } } } };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => as(ana, 'POST', path, { ...wanted(), ...shape, maxPerHour: index + 1 })),
  );
  const [given] = answers.flatMap(({ status, body }) => (status === 201 ? [body.approval] : []));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(9);
  for (const { status, body } of refused) {
    expect([status, body.error, body.details]).toEqual([409, 'limit_reached', { approval: given.id }]);
  }
  const same = { entity: ['billing', 'cart', 'cart'], inputs: { reason: { const: { b: 2, a: 1 } } } };
  expect((await as(ana, 'POST', path, { ...wanted(), ...same })).body.details).toEqual({ approval: given.id });
  await give({ ...shape, entity: ['cart'] });
  await give({ ...shape, inputs: {} });
  await as(ana, 'DELETE', `${path}/${given.id}`);
  await give(same);
});

test('another of the shape may be given once the first holds no more', async () => {
  await expire((await give()).id);
  await give();
  await writeAgent('You triage with care.');
  await give();
  await changeAction({ title: `Restart ${Math.random()}` });
  await give();
  expect((await triage()).mode).toBe('executed');
});

test('one that holds is not lost behind fifty newer ones that have expired', async () => {
  const { id } = await give();
  await world.harness.database.transaction((tx) =>
    tx.execute(sql`
      insert into ai_standing_approvals (org_id, id, agent, agent_version, action_id, action, action_version, entity,
        inputs, max_per_hour, expires_at, given_at, given_by)
      select a.org_id, a.id || '-' || n, a.agent, a.agent_version, a.action_id, a.action, a.action_version, a.entity,
        a.inputs, a.max_per_hour, a.given_at, a.given_at + interval '1 second', a.given_by
      from ai_standing_approvals a, generate_series(1, 60) n where a.org_id = ${world.organization.id} and a.id = ${id}`),
  );
  expect((await triage()).run.decision.standing.id).toBe(id);
});

test('of ten calls at once exactly three run where three may', async () => {
  const { id } = await give({ maxPerHour: 3 });
  const modes = await askAtOnce(listReasons(10));
  expect(modes.filter((mode) => mode === 'executed')).toHaveLength(3);
  expect(modes.filter((mode) => mode === 'draft')).toHaveLength(7);
  expect(await countUses(id)).toBe(3);
  expect(await findBrokenCalls(world.harness.database, world.organization.id)).toEqual([]);
});

test('the list goes on in pages, each approval once and newest first', async () => {
  const { id } = await give();
  await world.harness.database.transaction((tx) =>
    tx.execute(sql`
      insert into ai_standing_approvals (org_id, id, agent, agent_version, action_id, action, action_version, entity,
        inputs, max_per_hour, expires_at, given_at, given_by)
      select a.org_id, a.id || '-' || n, a.agent, a.agent_version, a.action_id, a.action, a.action_version, a.entity,
        a.inputs, a.max_per_hour, a.expires_at, a.given_at + (n / 3) * interval '1 second', a.given_by
      from ai_standing_approvals a, generate_series(0, 10) n where a.org_id = ${world.organization.id} and a.id = ${id}`),
  );
  const read = async (query: string) => (await as(ana, 'GET', `${path}?agent=${agent}${query}`)).body;
  const whole = await read('');
  expect([whole.approvals.length, whole.next]).toEqual([12, undefined]);
  const paged: string[] = [];
  let next = '';
  do {
    const page = await read(`&limit=5${next && `&next=${next}`}`);
    paged.push(...page.approvals.map((each: { id: string }) => each.id));
    next = page.next ?? '';
  } while (next);
  expect(paged).toEqual(whole.approvals.map((each: { id: string }) => each.id));
  expect(await as(ana, 'GET', `${path}?next=nothing`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

describe('while calls go on,', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a revocation', (id) => as(ana, 'DELETE', `${path}/${id}`)],
    ['a change of the action', () => changeAction({ title: `Restart ${Math.random()}` })],
    ['a change of the agent', () => writeAgent(`You triage ${Math.random()}.`)],
    ['its end', (id) => expire(id)],
  ])('%s lets none run that is stored after it', async (_what, end) => {
    const { id } = await give();
    let ended: Promise<unknown> | undefined;
    const modes = await askAtOnce(listReasons(6), () => {
      ended = end(id);
    });
    expect(ended).toBeDefined();
    await ended;
    const executed = modes.filter((mode) => mode === 'executed').length;
    expect(modes.every((mode) => mode === 'executed' || mode === 'draft')).toBe(true);
    expect(await countUses(id)).toBe(executed);
    expect(await triage()).toMatchObject({ mode: 'draft', effects: [] });
  });
});

describe('between the decision and the run', () => {
  const use = (id: string) => {
    const of = { orgId: world.organization.id, agent: { identifier: agent, version: '' }, question: '' };
    const { database } = world.harness;
    const standings = createStandings({ database, clock: { now: () => new Date() } }, of);
    const decision = { result: 'execute', rule: 'standing', label: [], risk: 'standard', origins: {} } as const;
    const standing = { id, givenBy: 'ana@acme.dev' };
    const run = { id: `r_${Math.random()}`, at: new Date() };
    return database.transaction((tx) => standings.use('call', tx, { ...decision, standing }, run));
  };

  test('an approval that holds is used once for each run', async () => {
    const { id } = await give({ maxPerHour: 2 });
    expect([await use(id), await use(id), await use(id)]).toEqual([true, true, false]);
    expect(await countUses(id)).toBe(2);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a revocation', (id) => as(ana, 'DELETE', `${path}/${id}`)],
    ['its end', (id) => expire(id)],
    ['a change of the agent', () => writeAgent('You do anything.')],
    ['the end of the agent', () => world.of('DELETE', `/v1/blueprints/_ai_agent/entities/${agent}`)],
  ])('%s takes it away', async (_what, end) => {
    const { id } = await give();
    await end(id);
    expect(await use(id)).toBe(false);
    expect(await countUses(id)).toBe(0);
  });
});

describe('giving one', () => {
  test('says everything that does not fit', async () => {
    const bad = { ...wanted(), entity: [], inputs: { reason: 'some' }, maxPerHour: 61, expiresAt: 'soon', more: 1 };
    expect(await as(ana, 'POST', path, bad)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        details: [
          { path: '/entity' },
          { path: '/inputs/reason' },
          { path: '/maxPerHour' },
          { path: '/expiresAt' },
          { path: '/more' },
        ],
      },
    });
    const { entity: _, ...none } = wanted();
    const unfit = { ...none, inputs: { colour: 'any' }, expiresAt: inDays(91) };
    expect((await as(ana, 'POST', path, unfit)).body.details).toMatchObject([
      { path: '/entity' },
      { path: '/inputs/colour' },
      { path: '/expiresAt' },
    ]);
    const past = { ...wanted(), action: 'grant_role', inputs: {}, expiresAt: inDays(-1) };
    expect((await as(ana, 'POST', path, past)).body.details).toMatchObject([
      { path: '/entity' },
      { path: '/expiresAt' },
    ]);
    const wipe = { ...wanted(), action: 'wipe', inputs: {}, entity: 'any' };
    expect((await as(ana, 'POST', path, wipe)).body.details).toMatchObject([{ path: '/entity' }]);
  });

  test('is for people who may run and approve, and not for programs', async () => {
    const ben = await person('ben@acme.dev', 'Member');
    expect(await as(ben, 'POST', path, wanted())).toMatchObject({ status: 404 });
    await world.of('PATCH', '/v1/actions/restart/permissions', { execute: { roles: ['Admin', 'Member'] } });
    expect(await as(ben, 'POST', path, wanted())).toMatchObject({
      status: 403,
      body: { error: 'missing_permissions' },
    });
    await world.of('PATCH', '/v1/actions/restart/permissions', { execute: { roles: ['Admin'] } });
    expect(await as(world.organization.token, 'POST', path, wanted())).toMatchObject({ status: 403 });
    for (const name of ['agent', 'action'])
      expect(await as(ana, 'POST', path, { ...wanted(), [name]: 'nothing' })).toMatchObject({ status: 404 });
  });

  test('needs the scopes of running and of deciding', async () => {
    const expiresAt = inDays(1);
    const limited = async (scopes: string[]) => {
      const { body } = await as(ana, 'POST', '/v1/users/me/tokens', { name: scopes.join(), scopes, expiresAt });
      return as(body.token.accessToken ?? body.accessToken, 'POST', path, wanted());
    };
    expect(await limited(['read:*', 'create:ai'])).toMatchObject({ body: { error: 'insufficient_scope' } });
    expect(await limited(['read:*', 'create:ai', 'execute:actions'])).toMatchObject({
      body: { error: 'insufficient_scope' },
    });
    expect(await limited(['read:*', 'create:ai', 'execute:actions', 'update:runs'])).toMatchObject({ status: 201 });
  });

  test('and revoking it is recorded; others neither see nor revoke it', async () => {
    const { id } = await give();
    const other = await world.harness.organization();
    const foreign = await as(other.token, 'DELETE', `${path}/${id}`);
    const unknown = await as(other.token, 'DELETE', `${path}/standing_nothing`);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const cy = await person('cy@acme.dev', 'Member');
    expect((await as(cy, 'DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await as(cy, 'GET', path)).body).toMatchObject({ approvals: [], givable: [] });
    expect((await as(ana, 'GET', `${path}?agent=nothing`)).status).toBe(404);
    expect((await as(ana, 'DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await as(ana, 'DELETE', `${path}/${id}`)).status).toBe(200);
    const { audits } = await world.of('GET', '/v1/audit-log?resources=organization&limit=3');
    const own = audits.filter(({ trigger }: { trigger: { by: { userId?: string } } }) =>
      JSON.stringify(trigger).includes('ana@acme.dev'),
    );
    expect(own[0].diff ?? own[0]).toBeDefined();
    expect(JSON.stringify(audits)).toContain(id);
  });
});
