import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';

let harness: AssistantHarness;
let organization: TestOrganization;
beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
const json = async (answer: Response): Promise<any> => answer.json();
const of = async (method: string, path: string, body?: object) => {
  const answer = await organization.call(method, path, body);
  const read = await json(answer);
  expect(answer.status, JSON.stringify(read)).toBeLessThan(300);
  return read;
};

async function ask(executionMode: string): Promise<{ id: string; runId: string }> {
  const body = { userPrompt: 'Make the cart.', tools: ['run_make$', '^list_.*'], executionMode };
  const events = await readEvents(await organization.call('POST', '/v1/ai/invoke', body));
  const result = events.find(({ event, data }) => event === 'tool_result' && data.includes('runId'));
  await harness.app.jobs.drain();
  return { id: events[0]!.data, runId: JSON.parse(JSON.parse(result?.data ?? '{}').content).runId };
}

async function prepare(): Promise<void> {
  await of('POST', '/v1/blueprints', { identifier: 'service', title: 'S', schema: { properties: {}, required: [] } });
  await of('POST', '/v1/actions', {
    identifier: 'make',
    trigger: {
      type: 'self-service',
      operation: 'CREATE',
      userInputs: { properties: { name: { type: 'string' } }, required: ['name'] },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'service',
      mapping: { identifier: '{{ .inputs.name }}', title: 'Made' },
    },
  });
  harness.model.respondWith(({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'list_blueprints' }, { name: 'run_make', arguments: { name: 'cart' } }] },
  );
}

test('goes from the question over the draft, its approval and the run to the entity, with what the audit log holds', async () => {
  await prepare();
  const { id, runId } = await ask('Manual Approval');
  const waiting = await of('GET', `/v1/ai/invoke/${id}`);
  const url = `http://localhost/runs/${runId}`;
  expect(waiting.result.runs).toEqual([
    { runId, action: 'make', entity: null, mode: 'draft', status: 'DRAFT', toolCall: 'call_1', url },
  ]);
  const { run } = await of('GET', `/v1/actions/runs/${runId}`);
  const { inputsHash } = run.draft;
  await of('PATCH', `/v1/actions/runs/${runId}/approval`, { status: 'APPROVE', inputsHash, description: 'Go' });
  await harness.app.jobs.drain();

  expect((await of('GET', `/v1/ai/invoke/${id}`)).result.runs).toMatchObject([{ mode: 'draft', status: 'SUCCESS' }]);
  const { evidence } = await of('GET', `/v1/ai/invocations/${id}/evidence`);
  expect(evidence.invocation).toMatchObject({ identifier: id, prompt: 'Make the cart.', status: 'Completed' });
  expect(evidence.toolCalls).toMatchObject([
    { id: 'call_0', name: 'list_blueprints' },
    { id: 'call_1', name: 'run_make', arguments: '{"name":"cart"}', runId },
  ]);
  expect(JSON.parse(evidence.toolCalls[1].result)).toMatchObject({ mode: 'draft', runId });
  expect(evidence.runs).toHaveLength(1);
  const [only] = evidence.runs;
  expect(only.run).toMatchObject({ id: runId, status: 'SUCCESS', invocation: { identifier: id, toolCall: 'call_1' } });
  expect(only.approvals).toMatchObject([
    { gate: 'DRAFT', state: 'APPROVED', description: 'Go', userId: run.createdBy },
  ]);
  expect(only.entities).toMatchObject([{ blueprint: 'service', identifier: 'cart', action: 'CREATE' }]);
  const kinds = only.audits.map((audit: { resourceType: string; action: string; trigger: { origin: string } }) =>
    [audit.resourceType, audit.action, audit.trigger.origin].join(' '),
  );
  expect(kinds[0]).toBe('run CREATE AI');
  expect(kinds.some((kind: string) => kind.startsWith('run UPDATE API'))).toBe(true);
  expect(kinds.some((kind: string) => kind.startsWith('entity CREATE'))).toBe(true);
});

test('is for whoever may read the invocation, and shows of it what they may read', async () => {
  await prepare();
  const { id, runId } = await ask('Automatic');
  const path = `/v1/ai/invocations/${id}/evidence`;
  const member = await organization.member();
  expect((await send(harness.url, member, 'GET', path)).status).toBe(404);
  const other = await harness.organization();
  expect((await other.call('GET', path)).status).toBe(404);
  expect((await organization.call('GET', '/v1/ai/invocations/nothing/evidence')).status).toBe(404);

  // moderators of invocations read all invocations, and elsewhere only what they may read anyway
  const identifier = 'mod@example.com';
  const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: ['_ai_invocations'] };
  await of('POST', '/v1/blueprints/_user/entities', { identifier, title: 'Mod', properties });
  const user = await harness.database.first<{ key: string }>(
    sql`select key from users where org_id = ${organization.id} and identifier = ${identifier}`,
  );
  const moderator = await organization.member(user?.key);
  await of('PATCH', '/v1/blueprints/service/permissions', { entities: { read: { roles: [] } } });
  const seen = (await json(await send(harness.url, moderator, 'GET', path))).evidence;
  expect(seen.runs).toMatchObject([{ run: { id: runId }, entities: [] }]);
  expect(JSON.stringify(seen.runs[0].audits)).not.toContain('"resourceType":"entity"');
  const action = (await of('GET', '/v1/actions/make')).action;
  const { id: _, createdAt: _a, createdBy: _b, updatedAt: _c, updatedBy: _d, ...written } = action;
  await of('PUT', '/v1/actions/make', { ...written, allowAnyoneToViewRuns: false });
  expect((await json(await send(harness.url, moderator, 'GET', path))).evidence.runs).toEqual([]);
  expect((await json(await send(harness.url, moderator, 'GET', `/v1/ai/invoke/${id}`))).result.runs).toBeUndefined();

  const { accessToken } = await of('POST', '/v1/users/me/tokens', { name: 'ai', scopes: ['read:ai'] });
  const narrow = await json(await send(harness.url, accessToken, 'GET', path));
  expect(narrow.evidence.toolCalls).toHaveLength(2);
  expect(narrow.evidence.runs).toEqual([]);
});
