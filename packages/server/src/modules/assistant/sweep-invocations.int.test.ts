import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  startAssistantHarness,
  type TestOrganization,
  until,
} from '../../../test/assistant-harness.ts';
import { createTestApp } from '../../../test/build-test-app.ts';
import { logBounds } from './loop/execution-log.ts';

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

/** An invocation whose process was killed after it had stored these events, one batch each. */
async function leftOver(batches: readonly string[] = []): Promise<string> {
  const id = randomUUID();
  const path = `/v1/ai/invoke?invocation_identifier=${id}`;
  await (await organization.call('POST', path, { userPrompt: 'How are you?' })).text();
  await harness.database.transaction(async (tx) => {
    await tx.execute(sql`
      update invocations set state = 'running', response = null, runner = 'gone', heartbeat_at = now() - interval '1 hour'
      where org_id = ${organization.id} and id = ${id}`);
    await tx.execute(sql`
      delete from invocation_events
      where org_id = ${organization.id} and invocation_id = ${id} and first_sequence > 1`);
    await tx.execute(sql`
      insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
      select ${organization.id}, ${id}, n + 1, n + 1, events::json
      from unnest(${[...batches]}::text[]) with ordinality as batch (events, n)`);
  });
  return id;
}

async function readState(id: string): Promise<string | undefined> {
  const row = await harness.database.first<{ state: string }>(sql`
    select state from invocations where org_id = ${organization.id} and id = ${id}`);
  return row?.state;
}

async function properties(id: string): Promise<Record<string, string>> {
  const answer = await organization.call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`);
  return ((await answer.json()) as { entity: { properties: Record<string, string> } }).entity.properties;
}

test('right after the database was away nothing is ended: those who live could not say so', async () => {
  const id = await leftOver();
  const now = Date.now();
  expect(await harness.app.sweep(new Date(now - 5_000))).toBe(0);
  expect(await readState(id)).toBe('running');
  expect(await harness.app.sweep(new Date(now - 20_000))).toBe(1);
  expect(await readState(id)).toBe('failed');
});

test('the schedule learns from the database that it was away, and gives those who live time to say so', async () => {
  const listeners: ((isAway: boolean) => void)[] = [];
  const app = await createTestApp({
    watch: (engine) => {
      const onChange: typeof engine.presence.onChange = (listener) => {
        listeners.push(listener);
        engine.presence.onChange(listener);
      };
      return { ...engine, presence: { ...engine.presence, onChange } };
    },
  });
  try {
    await app.app.jobs.drain();
    const id = randomUUID();
    const body = { userPrompt: 'How are you?' };
    await app.request('POST', `/v1/ai/invoke?invocation_identifier=${id}`, { body });
    const org = app.organization.id;
    const stored = () => app.database.first(sql`select state from invocations where org_id = ${org} and id = ${id}`);
    await expect.poll(stored, { timeout: 10_000 }).toEqual({ state: 'completed' });
    await app.database.executeAlone(sql`
      update invocations set state = 'running', response = null, runner = 'gone', heartbeat_at = now() - interval '1 year'
      where org_id = ${org} and id = ${id}`);
    await app.database.executeAlone(sql`
      delete from invocation_events where org_id = ${org} and invocation_id = ${id} and first_sequence > 1`);
    for (const isAway of [true, false]) for (const listener of listeners) listener(isAway);
    const states: unknown[] = [];
    for (const seconds of [10, 10]) {
      app.clock.advance(seconds * 1_000);
      await app.app.jobs.drain();
      states.push(await stored());
    }
    expect(states).toEqual([{ state: 'running' }, { state: 'failed' }]);
  } finally {
    await app.close();
  }
});

const unreadable = '[[2,"tool_result",null]]';

test('a run that cannot be ended with what it left is passed over, and ended without it after three tries', async () => {
  const poisoned = await leftOver([unreadable]);
  const others = [await leftOver(), await leftOver()];
  expect(await harness.app.sweep()).toBe(2);
  expect(await Promise.all([poisoned, ...others].map(readState))).toEqual(['running', 'failed', 'failed']);
  expect([await harness.app.sweep(), await harness.app.sweep()]).toEqual([0, 0]);
  expect(await harness.app.sweep()).toBe(1);
  expect(await properties(poisoned)).toMatchObject({
    status: 'Failed',
    error: expect.stringContaining('ended before it was finished'),
  });
  const events = await readEvents(await organization.call('GET', `/v1/ai/invoke/${poisoned}/events?`));
  expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
});

test('a run whose entity cannot be written ends all the same', async () => {
  const id = await leftOver();
  await harness.database.transaction((tx) =>
    tx.execute(sql`delete from entities where org_id = ${organization.id} and identifier = ${id}`),
  );
  let ended = 0;
  for (let pass = 0; pass < 6; pass += 1) ended += await harness.app.sweep();
  expect([ended, await readState(id)]).toEqual([1, 'failed']);
  const { result } = (await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json()) as { result: object };
  expect(result).toMatchObject({ status: 'Failed', error: 'invocation_interrupted' });
});

test('of what a run left, as much is read back as its log can hold, and the log says so', async () => {
  const content = 'é"'.repeat(2_000);
  const batches = Array.from({ length: 1_000 }, (_, index) => {
    const id = `call_${index}`;
    const call = { id, name: 'list_entities', arguments: `{"a":"${'x'.repeat(1_000)}"}`, lastChunk: true };
    return JSON.stringify([
      [2 * index + 2, 'tool_call', call],
      [2 * index + 3, 'tool_result', { id, content, lastChunk: true }],
    ]);
  });
  const id = await leftOver(batches);
  expect(await harness.app.sweep()).toBe(1);
  const { execution_logs: log = '' } = await properties(id);
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(logBounds.bytesMax);
  expect(log).toContain('too much to be read back');
  const { messages } = JSON.parse(/```json\n(.*)\n```$/.exec(log)![1]!) as { messages: object[] };
  expect(messages.length).toBeGreaterThan(100);
});

test('a process that starts is there before what another one left is ended', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => leftOver()));
  const running = async (): Promise<number> => {
    const states = await Promise.all(ids.map(readState));
    return states.filter((state) => state === 'running').length;
  };
  await harness.app.start({ role: 'web', isAlone: true });
  expect(await running()).toBeGreaterThan(0);
  await until('all have ended', async () => (await running()) === 0);
});
