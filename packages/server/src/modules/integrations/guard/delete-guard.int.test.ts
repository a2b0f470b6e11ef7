import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** An integration with ten entities of its own, and one entity of another source. */
async function populated(threshold: number | null = 0.3) {
  const installationId = unique('source');
  const headers = { 'user-agent': `port-ocean/jira/1.0.0/${installationId}/exporter` };
  await app.request('POST', '/v1/integration', { body: { installationId } });
  const path = (rest: string) => `/v1/integration/${installationId}/${rest}`;
  if (threshold !== null) await app.request('PUT', path('delete-guard'), { body: { threshold } });
  const blueprint = await createBlueprint(app.request, 'issue');
  const names = Array.from({ length: 10 }, (_none, at) => `i${at}`);
  await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, {
    body: { entities: names.map((identifier) => ({ identifier })) },
    headers,
  });
  await createEntity(app.request, blueprint, { identifier: 'by-hand' });
  const remove = (entities: string[], agent = headers) =>
    app.request('POST', `/v1/blueprints/${blueprint}/bulk/entities/delete?delete_dependents=true`, {
      body: { entities },
      headers: agent,
    });
  const guard = async () => (await app.request('GET', path('delete-guard'))).body.deleteGuard;
  const decide = (body: object, token?: string) =>
    app.request('POST', path('delete-guard/decision'), { body, ...(token ? { token } : {}) });
  const left = async () =>
    (await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count as number;
  return { installationId, blueprint, path, remove, guard, decide, left, headers };
}

test('without a guard a client deletes what it likes', async () => {
  const { remove, left, guard } = await populated(null);
  expect((await remove(['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8', 'i9'])).status).toBe(200);
  expect(await left()).toBe(1);
  expect(await guard()).toEqual({ threshold: null, question: null, liftedUntil: null });
});

describe('a guarded integration', () => {
  test('deletes up to its share over several requests, and then nothing of a request', async () => {
    const { installationId, remove, left, guard } = await populated();
    expect((await remove(['i0', 'i1'])).status).toBe(200);
    const journal = await app.organization.journal();
    const stopped = await remove(['i2', 'i3']);
    expect([stopped.status, stopped.body.error]).toEqual([409, 'deletion_needs_confirmation']);
    expect(stopped.body.message).toContain('4 of 10');
    expect(stopped.body.message).toContain('30 %');
    expect(await left()).toBe(9);
    expect((await guard()).question).toMatchObject({ entitiesBefore: 10, entitiesDeleted: 2, refused: 2 });
    expect((await app.organization.journal()).slice(journal.length)).toEqual([
      `integration.deletion-stopped ${installationId}`,
    ]);
    expect((await remove(['i2'])).status).toBe(200);
    expect((await remove(['i3'])).status).toBe(409);
  });

  test('asks one question however often it tries, which an administrator confirms; then it deletes and syncs', async () => {
    const { remove, left, guard, decide, path } = await populated(0);
    await remove(['i0']);
    const { question } = await guard();
    await remove(['i0', 'i1']);
    expect((await guard()).question).toMatchObject({ id: question.id, refused: 2 });
    const asked = (await app.request('GET', path('resync-request'))).body.request;
    const machine = await app.organization.memberToken();
    const confirm = { questionId: question.id, decision: 'confirm' };
    expect((await decide(confirm, machine)).status).toBe(403);
    expect((await decide({ ...confirm, questionId: 'question_x' })).status).toBe(404);
    expect((await decide(confirm)).body.deleteGuard).toMatchObject({ question: null, liftedUntil: expect.any(String) });
    expect((await app.request('GET', path('resync-request'))).body.request.id).not.toBe(asked.id);
    expect((await remove(['i0', 'i1', 'i2'])).status).toBe(200);
    await app.request('PATCH', path('resync-state'), { body: { status: 'completed' } });
    expect((await remove(['i3'])).status).toBe(409);
    expect(await left()).toBe(8);
    expect((await decide(confirm)).status).toBe(404);
  });

  test('asks again after its question was declined', async () => {
    const { remove, guard, decide, left } = await populated(0);
    await remove(['i0']);
    const { question } = await guard();
    expect((await decide({ questionId: question.id, decision: 'decline' })).body.deleteGuard.question).toBeNull();
    expect((await remove(['i0'])).status).toBe(409);
    expect((await guard()).question.id).not.toBe(question.id);
    expect(await left()).toBe(11);
  });

  test('begins to count anew with the next resync', async () => {
    const { remove, path } = await populated();
    await remove(['i0', 'i1', 'i2']);
    expect((await remove(['i3'])).status).toBe(409);
    app.clock.advance(60_000);
    const running = { status: 'running', lastResyncStart: app.clock.now().toISOString() };
    await app.request('PATCH', path('resync-state'), { body: running });
    expect((await remove(['i3', 'i4'])).status).toBe(200);
    expect((await remove(['i5'])).status).toBe(409);
  });

  test('counts what requests at the same time delete, and what goes along', async () => {
    const { remove, left, blueprint, headers } = await populated(0.5);
    const child = await createBlueprint(app.request, 'child', {
      relations: { up: { target: blueprint, required: true } },
    });
    for (const name of ['c1', 'c2', 'c3', 'c4', 'c5']) {
      await app.request('POST', `/v1/blueprints/${child}/entities`, {
        body: { identifier: name, relations: { up: 'i9' } },
        headers,
      });
    }
    const answers = await Promise.all(
      ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8'].map((each) => remove([each])),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(7);
    expect(await left()).toBe(4);
    expect((await remove(['i9'])).status).toBe(409);
  });

  test('alone is held: people, other machines and webhooks are not', async () => {
    const { remove, left } = await populated(0);
    expect((await remove(['i0'], { 'user-agent': 'terraform-provider-port-labs/2.2.0' })).status).toBe(200);
    expect((await remove(['i1'], { 'user-agent': 'port-ocean/jira/1.0.0/another/exporter' })).status).toBe(200);
    expect(await left()).toBe(9);
  });
});

test.each([[-0.1], [1.1], ['half']])('a share of %j is refused', async (threshold) => {
  const { path } = await populated(null);
  expect((await app.request('PUT', path('delete-guard'), { body: { threshold } })).status).toBe(422);
});
