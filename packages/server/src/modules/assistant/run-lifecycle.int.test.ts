import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
  until,
} from '../../../test/assistant-harness.ts';

let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  harness.model.respondWith(() => ({ text: 'Fine.' }));
});

const question = { userPrompt: 'How are you?' };

function ask(body: unknown = question, headers?: Record<string, string>, query = ''): Promise<Response> {
  return organization.call('POST', `/v1/ai/invoke${query}`, body, headers);
}

async function states(orgId = organization.id): Promise<Record<string, number>> {
  const rows = await harness.database.rows<{ state: string; count: number }>(
    sql`select state, count(*)::int as count from invocations where org_id = ${orgId} group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const answer = await organization.call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`);
  return ((await answer.json()) as { entity: { properties: Record<string, unknown> } }).entity.properties;
}

describe('the same key', () => {
  test('with the same request is one run, however many ask at once', async () => {
    harness.model.respondWith(() => ({ text: 'Once.', firstMs: 100 }));
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(question, headers)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(texts.map((text) => /data: (\S+)/.exec(text)?.[1])).size).toBe(1);
    expect(await states()).toEqual({ completed: 1 });
  });

  test('with another request is a conflict, and of another caller not there', async () => {
    const id = `chosen-${randomUUID()}`;
    const named = `?invocation_identifier=${id}`;
    expect((await readEvents(await ask(question, {}, named)))[0]?.data).toBe(id);

    expect((await ask({ userPrompt: 'Something else' }, {}, named)).status).toBe(409);
    const member = await organization.member();
    expect((await send(harness.url, member, 'POST', `/v1/ai/invoke${named}`, question)).status).toBe(404);
    expect((await ask(question, {}, '?invocation_identifier=not%20valid')).status).toBe(400);
    expect(await states()).toEqual({ completed: 1 });
  });
});

describe('limits', () => {
  test('never let one too many in, and say when to come back', async () => {
    organization = await harness.organization({ quotas: { monthlyInvocations: 5 } });
    const answers = await Promise.all(Array.from({ length: 14 }, () => ask()));
    await Promise.all(answers.map((answer) => answer.text().catch(() => '')));

    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).toEqual([5, 9]);
    expect(await states()).toEqual({ completed: 5 });
    const again = await ask();
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await again.json()).toMatchObject({
      ok: false,
      error: 'ai_quota_exceeded',
      type: 'QUOTA_ERROR',
      resetDate: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00.000Z$/),
    });
    const quota = await organization.call('GET', '/v1/quota/ai-invocations');
    expect(await quota.json()).toMatchObject({ monthlyQuotaUsage: { monthlyLimit: 5, remainingQuota: 0 } });
  });

  test('of the hour count requests, and a raised limit works at once', async () => {
    organization = await harness.organization({ quotas: { hourlyRequests: 2 } });
    const first = await ask();
    expect(first.headers.get('x-ratelimit-limit')).toBe('2');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(Number(first.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(3600);
    await first.text();
    await (await ask()).text();
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: 'ai_rate_limited', type: 'RATE_LIMIT_ERROR' });

    const path = `/v1/operator/organizations/${organization.id}`;
    const raised = await send(harness.url, harness.operatorToken, 'PATCH', path, { quotas: { hourlyRequests: 3 } });
    expect(raised.status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  test('give the request back when the model was never reached', async () => {
    organization = await harness.organization({ quotas: { monthlyInvocations: 100 } });
    harness.model.respondWith(() => ({ status: 401 }));
    await (await ask()).text();
    const quota = (await (await organization.call('GET', '/v1/quota/ai-invocations')).json()) as {
      monthlyQuotaUsage: { remainingQuota: number };
    };
    expect(quota.monthlyQuotaUsage.remainingQuota).toBe(99);
  });
});

describe('cancelling', () => {
  test.each(['DELETE', 'POST'])('by %s ends the run as failed and keeps what was said', async (method) => {
    harness.model.respondWith(() => ({ text: 'The beginning', stalls: true }));
    const reading = ask(question, {}, '?deltas=true').then(readEvents);
    await until('the run', async () => (await states())['running'] === 1);
    const list = (await (await organization.call('GET', '/v1/ai/invocations')).json()) as {
      invocations: { identifier: string; status: string }[];
    };
    const id = list.invocations[0]?.identifier as string;
    expect(list.invocations[0]?.status).toBe('In Progress');
    const path = method === 'DELETE' ? `/v1/ai/invoke/${id}` : `/v1/ai/invoke/${id}/cancel`;

    const cancelled = await organization.call(method, path);
    expect(await cancelled.json()).toMatchObject({ result: { status: 'Failed', error: 'invocation_cancelled' } });
    const events = await reading;
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
    expect((await stored(id))['error']).toMatch(/^The invocation was cancelled by client_/);
    expect((await organization.call(method, path)).status).toBe(200);
  });
});

describe('a run whose process died', () => {
  async function abandon(): Promise<string> {
    harness.model.respondWith(() => ({ text: 'Never', stalls: true }));
    const answer = await ask();
    const id = answer.headers.get('x-invocation-id') as string;
    answer.body?.cancel().catch(() => {});
    return id;
  }

  test('is ended as failed, with the reason, by the sweep', async () => {
    const orgId = organization.id;
    const id = `abandoned-${randomUUID()}`;
    await (await ask(question, {}, `?invocation_identifier=${id}`)).text();
    // the state after the process was killed half way
    await harness.database.transaction(async (tx) => {
      await tx.execute(sql`
        update invocations set state = 'running', response = null, runner = 'gone', heartbeat_at = now() - interval '1 hour'
        where org_id = ${orgId} and id = ${id}`);
      await tx.execute(sql`
        delete from invocation_events where org_id = ${orgId} and invocation_id = ${id} and first_sequence > 1`);
    });

    const reading = organization.call('GET', `/v1/ai/invoke/${id}/events`).then(readEvents);
    await harness.app.sweep();

    const events = await reading;
    expect(events.map(({ event }) => event)).toEqual(['invocationIdentifier', 'execution', 'error', 'done']);
    expect(await stored(id)).toMatchObject({ status: 'Failed', error: expect.stringContaining('ended before') });
    expect(await states()).toEqual({ failed: 1 });
  });

  test('keeps what it had said and done, in its answer and its log', async () => {
    const orgId = organization.id;
    const id = `abandoned-${randomUUID()}`;
    const looking = { text: 'Looking first.', calls: [{ name: 'list_blueprints' }] };
    let asked = 0;
    harness.model.respondWith(() => (asked++ === 0 ? looking : { text: 'All is well.' }));
    await (await ask(question, {}, `?invocation_identifier=${id}`)).text();
    await harness.database.transaction(async (tx) => {
      await tx.execute(sql`
        update invocations set state = 'running', response = null, runner = 'gone', heartbeat_at = now() - interval '1 hour'
        where org_id = ${orgId} and id = ${id}`);
      await tx.execute(sql`
        delete from invocation_events where org_id = ${orgId} and invocation_id = ${id} and first_sequence > 1
          and events::text not like '%Looking%' and events::text not like '%tool_%'`);
    });

    await harness.app.sweep();

    const events = await readEvents(await organization.call('GET', `/v1/ai/invoke/${id}/events`));
    const names = events.map(({ event }) => event);
    expect(names.slice(0, 4)).toEqual(['invocationIdentifier', 'execution', 'tool_call', 'tool_result']);
    expect(names.slice(-2)).toEqual(['error', 'done']);
    const { response, execution_logs } = (await stored(id)) as { response: string; execution_logs: string };
    expect(response).toContain('Looking first.');
    expect(execution_logs).toMatch(/^1\. Called list_blueprints: answered \d+ bytes\n2\. Failed: .*ended before/);
    const { messages } = JSON.parse(/```json\n(.*)\n```$/s.exec(execution_logs)![1]!);
    expect(messages.slice(0, 3).map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool']);
    const read = (await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json()) as {
      result: { usage: { toolCalls: number } };
    };
    expect(read.result.usage.toolCalls).toBe(1);
  });

  test('but is left alone while its process lives', async () => {
    const id = await abandon();
    await harness.app.sweep();
    expect(await states()).toEqual({ running: 1 });
    await organization.call('DELETE', `/v1/ai/invoke/${id}`);
  });
});

describe('a database that takes no writes for a moment', () => {
  test('does not cost an answer that was given', async () => {
    // a sequence counts what is rolled back too
    await harness.database.transaction(async (tx) => {
      await tx.execute(sql`create sequence full_times`);
      await tx.execute(sql`
        create function be_full() returns trigger language plpgsql as $$
        begin
          if new.state <> 'running' and nextval('full_times') = 1 then
            raise exception 'too many connections' using errcode = '53300';
          end if;
          return new;
        end $$`);
      await tx.execute(
        sql`create trigger full_once before update on invocations for each row execute function be_full()`,
      );
    });
    const events = await readEvents(await ask());
    await harness.database.transaction(async (tx) => {
      await tx.execute(sql`drop function be_full cascade`);
      await tx.execute(sql`drop sequence full_times`);
    });

    expect(events.at(-1)?.event).toBe('done');
    expect(await states()).toEqual({ completed: 1 });
  });
});

describe('rights', () => {
  test('to ask are the right to register invocations', async () => {
    const member = await organization.member();
    const refused = await send(harness.url, member, 'POST', '/v1/ai/invoke', question);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: 'ai_not_allowed' });
    await harness.database.transaction((tx) =>
      tx.execute(sql`
        update blueprints set permissions = '{"register": {"roles": ["Member"]}}'
        where org_id = ${organization.id} and identifier = '_ai_invocations'`),
    );
    const allowed = await send(harness.url, member, 'POST', '/v1/ai/invoke', question);
    const events = await readEvents(allowed);
    expect(events.at(-1)?.event).toBe('done');

    const mine = `/v1/ai/invoke/${events[0]?.data}`;
    expect((await send(harness.url, member, 'GET', mine)).status).toBe(200);
    expect((await send(harness.url, await organization.member(), 'GET', mine)).status).toBe(404);
    const other = await harness.organization();
    for (const path of [mine, `${mine}/events`]) expect((await other.call('GET', path)).status).toBe(404);
    expect((await other.call('DELETE', mine)).status).toBe(404);
    expect(await states(other.id)).toEqual({});
  });

  test('never include writing an invocation by hand', async () => {
    const id = (await readEvents(await ask()))[0]?.data as string;
    const path = `/v1/blueprints/_ai_invocations/entities/${id}`;
    const forged = await organization.call('PATCH', path, { properties: { response: 'I never said that' } });
    expect(forged.status).toBe(422);
    expect(await forged.json()).toMatchObject({ error: 'managed_field' });
    expect((await organization.call('DELETE', path)).status).toBe(422);
    const made = await organization.call('POST', '/v1/blueprints/_ai_invocations/entities', {
      properties: { status: 'Completed', asked_at: new Date().toISOString() },
    });
    expect(made.status).toBe(422);
    expect((await stored(id))['response']).toBe('Fine.');
  });

  test('are not there while the organization is at the legacy stage', async () => {
    organization = await harness.organization({ model: 'legacy', cutover: { stage: 'legacy' } });
    const refused = await ask();
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ error: 'ai_not_enabled' });
    expect(await states()).toEqual({});
  });

  test('work in an organization without users as blueprints', async () => {
    organization = await harness.organization({ model: 'legacy' });
    expect((await readEvents(await ask())).at(-1)?.event).toBe('done');
    expect(await states()).toEqual({ completed: 1 });
  });
});

describe('the list', () => {
  test('is filtered by label and status, and paged newest first', async () => {
    for (const run of ['a', 'b', 'b']) await (await ask({ ...question, labels: { run } })).text();
    const read = async (query: string) =>
      (await (await organization.call('GET', `/v1/ai/invocations${query}`)).json()) as {
        invocations: { labels: { run: string } }[];
        next?: string;
      };
    expect((await read('?label=run=b')).invocations).toHaveLength(2);
    expect((await read('?status=Failed')).invocations).toHaveLength(0);
    const first = await read('?limit=2');
    const second = await read(`?limit=2&next=${first.next}`);
    expect([...first.invocations, ...second.invocations].map(({ labels }) => labels.run)).toEqual(['b', 'b', 'a']);
    expect(second.next).toBeUndefined();
    expect((await organization.call('GET', '/v1/ai/invocations?next=%7B')).status).toBe(400);
  });
});
