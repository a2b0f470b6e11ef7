import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const body = { sourceBlueprint: 'service', mapping: { entity: { team: '.relations.squad' } } };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-cli-'));
  await writeFile(join(folder, 'ownership.json'), JSON.stringify(body));
  await writeFile(join(folder, 'wrong.json'), '{"sourceBlueprint":"service","mapping":{"entity":{"name":"x"}}}');
  await writeFile(join(folder, 'broken.json'), '{');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = {
  createdAt: '2030-01-02T03:04:05.000Z',
  createdBy: 'c',
  updatedAt: '2030-01-02T03:04:05.000Z',
  updatedBy: 'c',
};
const state = (status: string, successCount: number, failureCount = 0) => ({
  id: 'm_1',
  actor: 'c',
  ...body,
  status,
  deleteBlueprint: false,
  deleteEntities: false,
  totalCount: 3,
  successCount,
  failureCount,
  ...at,
});
const begun = () => json({ ok: true, migrationId: 'm_1', migration: state('PENDING', 0) });
const read = (...states: object[]) => states.map((migration) => () => json({ ok: true, migration }));

async function migrate(given: readonly string[], script: Record<string, Handler | readonly Handler[]> = {}) {
  const { fetch, seen } = scriptedFetch(script);
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['migrate-data', ...given], context);
  return { code, out: out(), err: err(), seen: seen.filter(({ call }) => !call.endsWith('/access_token')) };
}

describe('start', () => {
  test('sends the file and follows to the end', async () => {
    const { code, out, err, seen } = await migrate(['start', join(folder, 'ownership.json')], {
      'POST /v1/migrations': begun,
      'GET /v1/migrations/m_1': read(state('RUNNING', 2), state('COMPLETED', 3)),
    });
    expect([code, out]).toEqual([0, 'm_1  COMPLETED  3 of 3\n']);
    expect(err).toBe('m_1  PENDING  0 of 3\nm_1  RUNNING  2 of 3\n');
    expect(seen[0]).toMatchObject({ body, query: { dry_run: 'false' } });
  });

  test('lists what failed, and ends with 5', async () => {
    const errors = [{ identifier: 'a', error: 'invalid_request', message: '"x" is not a team' }];
    const { code, err } = await migrate(['start', join(folder, 'ownership.json')], {
      'POST /v1/migrations': begun,
      'GET /v1/migrations/m_1': read(state('COMPLETED', 2, 1)),
      'GET /v1/migrations/m_1/errors': () => json({ ok: true, errors, failureCount: 1 }),
    });
    expect([code, err]).toEqual([5, 'm_1  PENDING  0 of 3\n  a: "x" is not a team\n']);
  });

  test('--detach does not wait', async () => {
    const { code, seen } = await migrate(['start', join(folder, 'ownership.json'), '--detach'], {
      'POST /v1/migrations': begun,
    });
    expect([code, seen.length]).toEqual([0, 1]);
  });
});

test('preview shows counts and differences', async () => {
  const entity = {
    identifier: 'a',
    title: null,
    icon: null,
    blueprint: 'service',
    properties: {},
    relations: {},
    ...at,
  };
  const diff = {
    identifier: 'a',
    change: 'UPDATE',
    before: { ...entity, team: [] },
    after: { ...entity, team: ['crew'] },
  };
  const counts = { filteredCount: 0, createCount: 0, updateCount: 1, unchangedCount: 2, failureCount: 0 };
  const preview = { totalCount: 3, examinedCount: 3, isWhole: true, ...counts, diffs: [diff], errors: [] };
  const { code, out, seen } = await migrate(['preview', join(folder, 'ownership.json')], {
    'POST /v1/migrations': () => json({ ok: true, preview }),
  });
  expect([code, seen[0]?.query]).toEqual([0, { dry_run: 'true' }]);
  expect(out).toContain('would change   1\n');
  expect(out).toContain('UPDATE a\n  team: [] → ["crew"]\n');
});

test('cancel, undo and rerun name the migration', async () => {
  const migration = state('PENDING_CANCELLATION', 1);
  const cancelled = await migrate(['cancel', 'm_1', '--reason', 'wrong'], {
    'POST /v1/migrations/m_1/cancel': () => json({ ok: true, migration }),
  });
  expect([cancelled.code, cancelled.seen[0]?.body]).toEqual([0, { reason: 'wrong' }]);
  for (const verb of ['undo', 'rerun']) {
    const { code } = await migrate([verb, 'm_1'], {
      [`POST /v1/migrations/m_1/${verb}`]: begun,
      'GET /v1/migrations/m_1': read(state('FAILURE', 0)),
    });
    expect(code).toBe(1);
  }
  const late = await migrate(['undo', 'm_1'], {
    'POST /v1/migrations/m_1/undo': () => refusal(409, 'not_undoable', 'A migration can be undone for 7 days.'),
  });
  expect([late.code, late.err]).toEqual([1, expect.stringContaining('7 days')]);
});

test.each([
  [['start']],
  [['sing', 'x']],
  [['start', 'none.json']],
  [['start', 'wrong.json']],
  [['start', 'broken.json']],
])('%j sends nothing', async (words) => {
  const given = words.map((word) => (word.endsWith('.json') ? join(folder, word) : word));
  const { code, seen } = await migrate(given);
  expect([code, seen]).toEqual([2, []]);
});
