import { randomUUID } from 'node:crypto';
import { decodeEventStream, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
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
import { onlyOn, testEngine } from '../../../test/database.ts';

let harness: AssistantHarness;
let organization: TestOrganization;
beforeAll(async () => {
  harness = await startAssistantHarness({}, { replicas: testEngine === 'postgres' ? 2 : 1 });
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  harness.model.respondWith(() => ({ text: 'Fine.' }));
});

const question = { userPrompt: 'How are you?' };

async function askedAndAnswered(): Promise<{ id: string; last: string }> {
  const events = await readEvents(await organization.call('POST', '/v1/ai/invoke', question));
  return { id: events[0]!.data, last: events.at(-1)!.id as string };
}

function read(id: string, lastEventId?: string, url = harness.url): Promise<Response> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return send(url, organization.token, 'GET', `/v1/ai/invoke/${id}/events`, undefined, headers);
}

/** An invocation whose process died; it stays running until the sweep. */
async function leftOver(): Promise<string> {
  const { id } = await askedAndAnswered();
  await harness.database.transaction(async (tx) => {
    await tx.execute(sql`update invocations set state = 'running', runner = 'gone', heartbeat_at = now() - interval '1 h'
      where org_id = ${organization.id} and id = ${id}`);
    await tx.execute(sql`delete from invocation_events
      where org_id = ${organization.id} and invocation_id = ${id} and first_sequence > 1`);
  });
  return id;
}

/** Resolves with the first event, and keeps reading until the end. */
async function open(response: Response): Promise<{ readonly ended: Promise<ServerSentEvent | undefined> }> {
  const events = decodeEventStream(response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  await events.next();
  const rest = async (): Promise<ServerSentEvent | undefined> => {
    let last: ServerSentEvent | undefined;
    for (let next = await events.next(); !next.done; next = await events.next()) last = next.value;
    return last;
  };
  return { ended: rest() };
}

describe('an id to go on after', () => {
  test('that is the last of the stream, or beyond it, is answered at once with nothing', async () => {
    const { id, last } = await askedAndAnswered();
    for (const each of [last, `${id}:999999999`]) {
      const answer = await read(id, each);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('x-invocation-id')).toBe(id);
      const headers = { 'last-event-id': each };
      expect((await organization.call('POST', '/v1/ai/invoke', question, headers)).status).toBe(204);
    }
  });

  test('that is before the end is followed by the rest', async () => {
    const { id } = await askedAndAnswered();
    const events = await readEvents(await read(id, `${id}:1`));
    expect(events.map(({ event }) => event)).toEqual(['execution', 'done']);
  });

  test.each(['nothing', ':1', 'a:b', 'a:-1', 'a:9999999999'])('that is malformed (%s) is refused', async (last) => {
    const { id } = await askedAndAnswered();
    const answer = await read(id, last);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        error: 'invalid_request',
        details: [{ path: '{header}/last-event-id', message: expect.stringContaining(':<') }],
      },
    ]);
  });

  test('of another invocation is refused, whoever asked it', async () => {
    const [{ id }, { last }] = [await askedAndAnswered(), await askedAndAnswered()];
    for (const foreign of [last, `${randomUUID()}:1`]) {
      const answer = await read(id, foreign);
      expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
        400,
        expect.stringContaining('names another invocation'),
      ]);
    }
  });

  test('of an event that was not sent yet is refused while the run goes on', async () => {
    const id = await leftOver();
    const answer = await read(id, `${id}:2`);
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([400, expect.stringContaining(`${id}:1`)]);
    const reader = await read(id, `${id}:1`);
    expect(reader.status).toBe(200);
    await harness.app.sweep();
    expect((await readEvents(reader)).at(-1)?.event).toBe('done');
  });
});

describe('readers of a run of another process', () => {
  const readersMax = 300;

  test.each([
    ['one run', 1],
    ['as many runs', readersMax],
  ])(
    'of %s cost next to nothing while nothing happens, and are woken',
    async (_name, runs) => {
      const first = await leftOver();
      const ids = [first, ...Array.from({ length: runs - 1 }, (_, index) => `${first}-${index}`)];
      await harness.database.transaction(async (tx) => {
        await tx.execute(sql`
          insert into invocations (org_id, id, state, asked_by, request_hash, prompt, provider, model, prompt_version,
            runner, heartbeat_at, asked_at)
          select org_id, copy, state, asked_by, request_hash, prompt, provider, model, prompt_version, runner,
            heartbeat_at, asked_at from invocations, unnest(${ids.slice(1)}::text[]) copy
          where org_id = ${organization.id} and id = ${first}`);
        await tx.execute(sql`
          insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
          select org_id, copy, first_sequence, last_sequence, events
          from invocation_events, unnest(${ids.slice(1)}::text[]) copy
          where org_id = ${organization.id} and invocation_id = ${first}`);
      });
      const opened = await Promise.all(
        Array.from({ length: readersMax }, async (_, index) => {
          const id = ids[index % ids.length]!;
          return open(await read(id, undefined, harness.urls[index % harness.urls.length]));
        }),
      );
      const grown = async (by: number): Promise<void> => {
        const before = harness.statementCount();
        await until(`${by} statements`, async () => harness.statementCount() >= before + by);
      };
      // the statements of opening are done once every process has polled
      await grown(2 * harness.urls.length);
      const [before, beforeMs] = [harness.statementCount(), performance.now()];
      await grown(3 * harness.urls.length);
      const perSecond = ((harness.statementCount() - before) * 1_000) / (performance.now() - beforeMs);
      expect(perSecond).toBeLessThan(2 * harness.urls.length);
      // ends them like a process that dies before announcing it
      await harness.database.transaction(async (tx) => {
        await tx.execute(sql`
          insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
          select ${organization.id}, id, 2, 2, '[[2,"done",{}]]' from unnest(${ids}::text[]) id`);
        await tx.execute(sql`
          update invocations set state = 'failed' where org_id = ${organization.id} and id = any(${ids}::text[])`);
      });
      const ends = await Promise.all(opened.map(({ ended }) => ended));
      expect(new Set(ends.map((end) => end?.event))).toEqual(new Set(['done']));
    },
    120_000,
  );

  onlyOn('postgres', 'the embedded engine has one process', () => {
    test('see what it stores as it is stored', async () => {
      const id = randomUUID();
      harness.model.respondWith(() => ({ text: ['One.\n\n', 'Two.'], gapMs: 400 }));
      const asked = organization.call('POST', `/v1/ai/invoke?deltas=true&invocation_identifier=${id}`, question);
      const first = await asked;
      const path = `/v1/ai/invoke/${id}/events?deltas=true`;
      const follower = await send(harness.urls[1]!, organization.token, 'GET', path);
      const seen = await readEvents(follower);
      expect(seen).toEqual(await readEvents(first));
      expect(seen.filter(({ event }) => event === 'text_delta').length).toBe(2);
    });
  });
});

test('a log that is closed ends its readers', async () => {
  const own = await startAssistantHarness();
  organization = await own.organization();
  const kept = harness;
  harness = own;
  const reader = await open(await read(await leftOver()));
  harness = kept;
  await own.close();
  expect(await reader.ended.catch(() => undefined)).toBeUndefined();
});
