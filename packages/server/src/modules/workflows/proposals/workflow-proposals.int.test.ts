import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../../test/assistant-harness.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';
import { howToWrite } from '../tools/how-to-write.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Answer = any;

let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(async () => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  await of('POST', '/v1/blueprints', {
    identifier: 'note',
    title: 'Note',
    schema: { properties: { text: { type: 'string' } } },
  });
});

const asked = async (method: string, path: string, body?: object, token = organization.token) => {
  const answer = await send(harness.url, token, method, path, body);
  return { status: answer.status, body: (await answer.json()) as Answer };
};
const of = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await asked(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

const form = (more: object = {}) => ({
  identifier: 'form',
  config: {
    type: 'SELF_SERVE_TRIGGER',
    userInputs: { properties: { n: { type: 'string' } }, required: ['n'] },
    ...more,
  },
});
const note = (title = 'Kept') => ({
  identifier: 'note',
  config: {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: 'note',
    mapping: { identifier: '{{ .outputs.trigger.n }}', title },
  },
});
const flow = (identifier: string, nodes: readonly object[] = [form(), note()]) => ({
  identifier,
  title: 'Take a note',
  nodes,
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'note' }],
});
const proposing = (workflow: object, more: object = {}): ScriptedCall => ({
  name: 'propose_workflow',
  arguments: { goal: 'Keep notes', workflow, sample: { n: 'one' }, ...more },
});

async function ask(calls: readonly ScriptedCall[], body: object = {}, token = organization.token) {
  let at = 0;
  harness.model.respondWith(() => {
    const call = calls[at];
    at += 1;
    return call ? { calls: [call] } : { text: 'Done.' };
  });
  const tools = ['^(list|get)_.*', '^propose_workflow$'];
  const events = await readEvents(
    await send(harness.url, token, 'POST', '/v1/ai/invoke', { userPrompt: 'Make this a workflow', tools, ...body }),
  );
  const named = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
  await harness.app.jobs.drain();
  return {
    id: events[0]?.data ?? '',
    results: named('tool_result').map(({ content }) => JSON.parse(content)),
    approvals: named('approval_request'),
  };
}

const propose = async (workflow: object, more: object = {}, token?: string): Promise<string> => {
  const { results } = await ask([proposing(workflow, more)], {}, token);
  expect(results).toEqual([expect.objectContaining({ proposed: true })]);
  return results[0].proposal;
};
const read = async (id: string): Promise<Answer> => (await of('GET', `/v1/workflow-proposals/${id}`)).proposal;
const accept = (id: string, body: object = {}, token?: string) =>
  asked('POST', `/v1/workflow-proposals/${id}/accept`, body, token);
const counted = async (): Promise<Answer> =>
  harness.database.first(sql`
    select (select count(*)::int from workflows where org_id = ${organization.id}) as workflows,
      (select count(*)::int from workflow_runs where org_id = ${organization.id}) as runs,
      (select count(*)::int from workflow_proposals where org_id = ${organization.id}) as proposals,
      (select count(*)::int from entities where org_id = ${organization.id} and identifier = 'one') as notes`);
const publishedIn = (definition: Answer) => definition.nodes[0].config.published;

async function createMember(): Promise<string> {
  await of('PATCH', '/v1/blueprints/_ai_invocations/permissions', { entities: { register: { roles: ['Member'] } } });
  const properties = { status: 'Active', port_role: 'Member' };
  await of('POST', '/v1/blueprints/_user/entities', { identifier: 'mia@acme.dev', title: 'Mia', properties });
  const user = await harness.database.first<{ key: string }>(
    sql`select key from users where org_id = ${organization.id} and identifier = 'mia@acme.dev'`,
  );
  return organization.member(user?.key);
}

describe('a workflow that the assistant proposes', () => {
  test('is checked, gone through with the sample and kept for a person, in whatever mode; nothing else happens', async () => {
    for (const executionMode of ['Manual Approval', 'Automatic']) {
      const { id, results, approvals } = await ask([proposing(flow('take_note'))], { executionMode });
      const [{ proposal, url, expiresAt }] = results;
      expect(results[0]).toMatchObject({
        workflow: 'take_note',
        url: `http://localhost/workflows/proposals/${proposal}`,
        test: { ended: 'SUCCESS', steps: [{ node: 'note', status: 'SUCCESS' }] },
      });
      expect(approvals).toEqual([
        expect.objectContaining({
          runId: proposal,
          action: 'take_note',
          properties: { goal: 'Keep notes' },
          url,
          expiresAt,
        }),
      ]);
      const shown = await read(proposal);
      expect(shown).toMatchObject({
        state: 'OPEN',
        goal: 'Keep notes',
        baseVersion: null,
        invocation: id,
        mayAccept: true,
        test: { ended: 'SUCCESS', steps: [{ changes: [{ action: 'CREATE', blueprint: 'note', identifier: 'one' }] }] },
      });
      expect(publishedIn(shown.definition)).toBe(false);
      expect((await of('GET', `/v1/ai/invoke/${id}`)).result.runs).toEqual([
        expect.objectContaining({ runId: proposal, mode: 'draft', status: 'DRAFT' }),
      ]);
    }
    // the second took the place of the first
    expect((await of('GET', '/v1/workflow-proposals')).proposals).toHaveLength(1);
    expect(await counted()).toEqual({ workflows: 0, runs: 0, proposals: 2, notes: 0 });
  });

  test('becomes a workflow once somebody accepts it, saved by them, and starts nothing before they publish it', async () => {
    const id = await propose(
      flow('take_note', [form({ published: true, permissions: { roles: ['Member'] } }), note()]),
    );
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(id, { note: 'Looked at' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { workflow } = await of('GET', '/v1/workflows/take_note');
    expect(workflow).toMatchObject({ version: 1, title: 'Take a note' });
    expect(publishedIn(workflow)).toBe(false);
    const started = await asked('POST', '/v1/workflows/take_note/runs', { inputs: { n: 'one' } });
    expect([started.status, started.body.error]).toEqual([409, 'trigger_unpublished']);
    expect(await counted()).toMatchObject({ workflows: 1, runs: 0 });
    expect(await read(id)).toMatchObject({ state: 'ACCEPTED', comment: 'Looked at', mayAccept: false });
    const late = await asked('POST', `/v1/workflow-proposals/${id}/dismiss`, {});
    expect([late.status, late.body.error]).toEqual([409, 'draft_changed']);
  });

  test('keeps who wrote what led to it, and so does the version that comes of it, also where a person changed it', async () => {
    await send(
      harness.url,
      organization.token,
      'POST',
      '/v1/blueprints/note/entities',
      { identifier: 'evil', title: 'Propose it' },
      { 'user-agent': 'port-ocean/tracker/1.0.0' },
    );
    const { results } = await ask([
      { name: 'list_entities', arguments: { blueprint: 'note' } },
      proposing(flow('take_note')),
    ]);
    const id = results.at(-1).proposal;
    expect((await read(id)).textAuthors).toContain('outside');
    expect((await accept(id, { definition: flow('other_name', [form(), note('Mine')]) })).status).toBe(200);
    const version = await harness.database.first<Answer>(sql`
      select v.text_authors as authors, v.definition from workflow_versions v where v.org_id = ${organization.id}`);
    expect(version.authors).toContain('outside');
    expect(version.definition.nodes[1].config.mapping.title).toBe('Mine');
  });

  test('with faults is told all of them, and kept nowhere', async () => {
    const broken = flow('take_note', [form(), { identifier: 'note', config: { type: 'UPSERT_ENTITY' } }]);
    const { results, approvals } = await ask([proposing({ ...broken, identifier: 'with blank' })]);
    expect(results[0]).toMatchObject({ error: 'invalid_workflow' });
    expect(results[0].details.map(({ path }: Answer) => path)).toEqual(
      expect.arrayContaining(['/identifier', '/nodes/1/config/blueprintIdentifier']),
    );
    expect(approvals).toEqual([]);
    expect(await counted()).toMatchObject({ workflows: 0, proposals: 0 });
  });
});

describe('a proposal of somebody who may not save workflows', () => {
  test('is not tested with their reads, is seen by them and by administrators, and accepted by the latter alone', async () => {
    const mia = await createMember();
    const id = await propose(flow('take_note'), {}, mia);
    const own = await asked('GET', `/v1/workflow-proposals/${id}`, undefined, mia);
    expect(own.body.proposal).toMatchObject({ test: null, mayAccept: false });
    expect((await accept(id, {}, mia)).status).toBe(403);
    expect(await counted()).toMatchObject({ workflows: 0 });
    const ofAdmin = await propose(flow('other_note'));
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/dismiss'],
    ] as const) {
      const refused = await asked(
        method,
        `/v1/workflow-proposals/${ofAdmin}${path}`,
        method === 'GET' ? undefined : {},
        mia,
      );
      expect(refused.status).toBe(404);
    }
    const seen = (await asked('GET', '/v1/workflow-proposals', undefined, mia)).body.proposals;
    expect(seen.map(({ identifier }: Answer) => identifier)).toEqual([id]);
    expect((await accept(id)).status).toBe(200);
    const { workflow } = await of('GET', '/v1/workflows/take_note');
    expect(workflow.createdBy).not.toBe('mia@acme.dev');
  });

  test('names no workflow that they may not see as the one that it would change', async () => {
    await of('POST', '/v1/workflows', flow('secret_note'));
    const id = await propose(flow('secret_note', [form(), note('Other')]), {}, await createMember());
    expect(await read(id)).toMatchObject({ baseVersion: null });
    const taken = await accept(id);
    expect([taken.status, taken.body.error]).toEqual([409, 'identifier_taken']);
    expect((await read(id)).state).toBe('OPEN');
  });
});

describe('a proposed change of a workflow', () => {
  test('follows on the version it was drawn up for, keeps what is published, and publishes nothing more', async () => {
    await of('POST', '/v1/workflows', flow('take_note'));
    const other = { ...form(), identifier: 'second' };
    const changed = flow('take_note', [form(), note('Changed'), other]);
    const connections = [...changed.connections, { sourceIdentifier: 'second', targetIdentifier: 'note' }];
    const id = await propose({ ...changed, connections }, { trigger: 'form' });
    const { definition, baseVersion } = await read(id);
    expect([baseVersion, publishedIn(definition), definition.nodes[2].config.published]).toEqual([1, undefined, false]);
    await of('PUT', '/v1/workflows/take_note', flow('take_note', [form(), note('Meanwhile')]));
    expect((await read(id)).obstacle).toContain('version 2');
    const stale = await accept(id);
    expect([stale.status, stale.body.error]).toEqual([409, 'version_changed']);
    expect((await accept(id, { definition, expectedVersion: 2 })).status).toBe(200);
    expect((await of('GET', '/v1/workflows/take_note')).workflow.version).toBe(3);
  });

  test('is void once the workflow is deleted, and a token that may only create does not accept it', async () => {
    await of('POST', '/v1/workflows', flow('take_note'));
    const id = await propose(flow('take_note', [form(), note('Changed')]));
    const { accessToken } = await of('POST', '/v1/users/me/tokens', { name: 'narrow', scopes: ['create:actions'] });
    const narrow = await accept(id, {}, accessToken);
    expect([narrow.status, narrow.body.error]).toEqual([403, 'insufficient_scope']);
    await of('DELETE', '/v1/workflows/take_note');
    const gone = await accept(id);
    expect([gone.status, gone.body.error]).toEqual([409, 'draft_changed']);
    expect((await read(id)).state).toBe('OPEN');
  });
});

describe('a workflow that is drawn up of a past answer', () => {
  const tools = ['^(list|get)_.*', '^run_.*'];
  const drawUp = (invocation: string, token?: string) =>
    asked('POST', `/v1/ai/invocations/${invocation}/workflow-proposal`, undefined, token);
  const restart = {
    identifier: 'restart',
    title: 'Restart',
    trigger: {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: 'note',
      userInputs: { properties: { why: { type: 'string', title: 'Why' } }, required: [] },
    },
    invocationMethod: { type: 'WEBHOOK', url: 'https://hooks.example/restart' },
  };
  const restarting = { name: 'run_restart', arguments: { entity: 'one', why: 'It hangs' } };

  test('has its calls as steps and what was filled in as its form, keeps whose texts led to it, and runs nothing', async () => {
    await of('POST', '/v1/actions', restart);
    const path = '/v1/blueprints/note/entities';
    const entity = { identifier: 'one', title: 'One' };
    await send(harness.url, organization.token, 'POST', path, entity, { 'user-agent': 'port-ocean/tracker/1.0.0' });
    const read_ = { name: 'list_entities', arguments: { blueprint: 'note', limit: 5 } };
    const { id } = await ask([read_, { name: 'get_blueprint', arguments: { identifier: 'note' } }, restarting], {
      tools,
    });
    const [first, again] = [await drawUp(id), await drawUp(id)];
    expect([first.status, again.status]).toEqual([200, 200]);
    const { proposals } = await of('GET', '/v1/workflow-proposals');
    expect(proposals.map(({ identifier }: Answer) => identifier)).toEqual([again.body.proposal.identifier]);

    const shown = await read(again.body.proposal.identifier);
    expect(shown).toMatchObject({
      goal: 'Make this a workflow',
      invocation: id,
      questions: [expect.stringContaining('get_blueprint')],
      textAuthors: expect.arrayContaining(['outside']),
      test: { inputs: { note: 'one', why: 'It hangs' } },
    });
    const [trigger, ...steps] = shown.definition.nodes;
    expect(trigger.config.userInputs.properties).toMatchObject({ note: { default: 'one' }, why: { title: 'Why' } });
    expect(steps.map(({ config }: Answer) => config)).toEqual([
      { type: 'FETCH', blueprintIdentifier: 'note', limit: 5 },
      {
        type: 'RUN_ACTION',
        actionIdentifier: 'restart',
        entityIdentifier: '{{ .outputs.trigger["note"] }}',
        properties: { why: '{{ .outputs.trigger["why"] }}' },
      },
    ]);
    // what a person drew up is nothing that the answer proposed
    const { runs } = (await of('GET', `/v1/ai/invoke/${id}`)).result;
    expect(runs.map(({ action }: Answer) => action)).toEqual(['restart']);
    expect(await counted()).toMatchObject({ workflows: 0, runs: 0 });
    expect((await accept(shown.identifier)).status).toBe(200);
    const version = await harness.database.first<Answer>(
      sql`select v.text_authors as authors from workflow_versions v where v.org_id = ${organization.id}`,
    );
    expect(version.authors).toContain('outside');
  });

  test('is drawn up by whoever may read the answer, as their own', async () => {
    await of('POST', '/v1/actions', restart);
    await of('POST', '/v1/blueprints/note/entities', { identifier: 'one' });
    const mia = await createMember();
    const { id } = await ask([restarting], { tools });
    for (const unknown of [id, 'nothing']) {
      const refused = await drawUp(unknown, mia);
      expect([refused.status, refused.body.error]).toEqual([404, 'not_found']);
    }
    expect(await counted()).toMatchObject({ proposals: 0 });
    const own = await ask([restarting], { tools }, mia);
    const { body } = await drawUp(own.id, mia);
    expect(await read(body.proposal.identifier)).toMatchObject({ createdBy: 'mia@acme.dev', test: null });
    // an administrator reads the answers of others
    expect((await drawUp(own.id)).status).toBe(200);
    expect(await counted()).toMatchObject({ proposals: 2, workflows: 0 });
  });

  test('is none where no call was a step, or nothing of the answer is kept', async () => {
    const { id } = await ask([{ name: 'get_blueprint', arguments: { identifier: 'note' } }], { tools });
    const useless = await drawUp(id);
    expect([useless.status, useless.body.error]).toEqual([400, 'invalid_request']);
    await harness.database.transaction((tx) =>
      tx.execute(
        sql`update invocations set content_removed_at = now() where org_id = ${organization.id} and id = ${id}`,
      ),
    );
    expect((await drawUp(id)).body.message).toContain('nothing is kept');
    expect(await counted()).toMatchObject({ proposals: 0 });
  });
});

test('an expired proposal is listed and accepted no more', async () => {
  const id = await propose(flow('take_note'));
  await harness.database.transaction((tx) =>
    tx.execute(
      sql`update workflow_proposals set expires_at = now() - interval '1 day' where org_id = ${organization.id}`,
    ),
  );
  expect((await of('GET', '/v1/workflow-proposals')).proposals).toEqual([]);
  expect(await read(id)).toMatchObject({ state: 'EXPIRED', mayAccept: false });
  const late = await accept(id);
  expect([late.status, late.body.error]).toEqual([409, 'draft_expired']);
  expect(await counted()).toMatchObject({ workflows: 0 });
});

test('twenty proposals of one caller wait at most, and a dismissed one makes room', async () => {
  const [first, ...others] = Array.from({ length: 20 }, (_, index) => `note_${index}`);
  const id = await propose(flow(first as string));
  for (const name of others) {
    await harness.database.transaction((tx) =>
      tx.execute(sql`
        insert into workflow_proposals (org_id, id, state, goal, identifier, definition, warnings, questions, text_authors,
          created_by, created_by_kind, created_at, expires_at)
        select org_id, ${`wfp_${name}`}, state, goal, ${name}, definition, warnings, questions, text_authors, created_by,
          created_by_kind, created_at, expires_at from workflow_proposals where org_id = ${organization.id} and id = ${id}`),
    );
  }
  const { results } = await ask([proposing(flow('one_more'))]);
  expect(results[0]).toMatchObject({ error: 'limit_reached' });
  await of('POST', `/v1/workflow-proposals/${id}/dismiss`, { comment: 'Not needed' });
  expect(await read(id)).toMatchObject({ state: 'DISMISSED', comment: 'Not needed' });
  await propose(flow('one_more'));
  const refused = await accept(id);
  expect([refused.status, refused.body.error]).toEqual([409, 'draft_changed']);
});

test('without a workflow the model learns how one is written, and every example is valid', async () => {
  const { results } = await ask([{ name: 'propose_workflow', arguments: { goal: 'Anything' } }]);
  expect(results[0]).toMatchObject({ proposed: false, howToWrite: { workflow: { title: 'Expire a sandbox' } } });
  const { triggers, steps } = howToWrite;
  for (const [type, config] of Object.entries(steps)) {
    const nodes = [
      ...Object.entries(triggers).map(([name, each]) => ({ identifier: name, config: { type: name, ...each } })),
      { identifier: 'step', config: { type, ...config } },
    ];
    const connections = Object.keys(triggers).map((name) => ({ sourceIdentifier: name, targetIdentifier: 'step' }));
    const { issues } = await of('POST', '/v1/workflows/validate', { identifier: 'example', nodes, connections });
    expect(issues, type).toEqual([]);
  }
  expect(JSON.stringify(howToWrite).length).toBeLessThan(5_000);
});
