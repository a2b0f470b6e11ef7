import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { type Change, deleteAll, hasAll, toPart, undoChanges, writeChanges } from './bulk-edit.ts';
import type { Field, FieldEntity } from './fields.ts';

const field = (key: string, more: Partial<Field> = {}): Field => ({
  key,
  title: key,
  source: 'property',
  shape: { type: 'string' },
  isRequired: false,
  ...more,
});
const owner = field('$team', { source: 'meta' });
const many = (count: number): FieldEntity[] =>
  Array.from({ length: count }, (_, index) => ({ identifier: `s-${index}`, title: `S ${index}`, team: ['old'] }));
const toOwner: readonly Change[] = [{ field: owner, value: ['new'] }];

interface Item {
  readonly identifier: string;
  readonly team?: readonly string[];
}

/** The bulk operation, which refuses some and creates others. */
function bulk({ refused = [], created = [] }: { refused?: readonly string[]; created?: readonly string[] } = {}) {
  return ({ body }: { body: unknown }) => {
    const { entities } = body as { entities: readonly Item[] };
    const at = entities.map(({ identifier }, index) => ({ identifier, index }));
    return {
      ok: refused.length === 0,
      entities: at
        .filter(({ identifier }) => !refused.includes(identifier))
        .map((each) => ({ ...each, created: created.includes(each.identifier) })),
      errors: at
        .filter(({ identifier }) => refused.includes(identifier))
        .map((each) => ({ ...each, statusCode: 403, error: 'missing_permissions', message: 'You may not.' })),
    };
  };
}

const itemsOf = (request: { sent: { body: unknown } } | undefined) =>
  (request?.sent.body as { entities: readonly Item[] } | undefined)?.entities ?? [];

afterEach(() => vi.unstubAllGlobals());

test('empty values clear: null of a property, an empty list of owners and of relations to many', () => {
  expect(
    toPart([
      { field: field('tier'), value: '' },
      { field: owner, value: null },
      { field: field('uses', { source: 'relation', isMany: true }), value: null },
      { field: field('domain', { source: 'relation' }), value: 'billing' },
    ]),
  ).toEqual({ properties: { tier: null }, team: [], relations: { uses: [], domain: 'billing' } });
});

test('an entity that has the values already is told from one that has not', () => {
  expect(hasAll({ team: ['new'] }, toOwner)).toBe(true);
  expect(hasAll({ team: ['old'] }, toOwner)).toBe(false);
  expect(hasAll({ team: [], properties: {} }, [{ field: owner, value: null }])).toBe(true);
});

test('200 are written in ten calls, and what is refused is named while the rest is written', async () => {
  const sent = fakeApi({ bulkUpsertEntities: bulk({ refused: ['s-7', 's-199'] }) });
  const seen: number[] = [];
  const { done, refused } = await writeChanges('service', many(200), () => toOwner, {
    onProgress: (count) => seen.push(count),
  });
  expect(sent).toHaveLength(10);
  expect(sent[0]?.sent.query).toEqual({ upsert: 'true', merge: 'true' });
  expect(itemsOf(sent[0])[0]).toEqual({ identifier: 's-0', team: ['new'] });
  expect([done.length, refused]).toEqual([
    198,
    [
      { identifier: 's-7', title: 'S 7', reason: 'You may not.' },
      { identifier: 's-199', title: 'S 199', reason: 'You may not.' },
    ],
  ]);
  expect(seen.at(-1)).toBe(200);
});

test('a trial is only asked for, and a stop ends after the call under way', async () => {
  const sent = fakeApi({ bulkUpsertEntities: bulk() });
  await writeChanges('service', many(1), () => toOwner, { isTrial: true });
  expect(sent[0]?.sent.query['validation_only']).toBe('true');
  const { done } = await writeChanges('service', many(100), () => toOwner, { isStopped: () => sent.length >= 3 });
  expect(done).toHaveLength(40);
});

test('what somebody deleted meanwhile does not come back half filled', async () => {
  const sent = fakeApi({
    bulkUpsertEntities: bulk({ created: ['s-1'] }),
    bulkDeleteEntities: () => ({ ok: true as const, deletedEntities: ['s-1'] }),
  });
  const { done, refused } = await writeChanges('service', many(3), () => toOwner);
  expect([done.length, refused.map(({ identifier }) => identifier)]).toEqual([2, ['s-1']]);
  expect(sent.at(-1)).toMatchObject({ name: 'bulkDeleteEntities', sent: { body: { entities: ['s-1'] } } });
});

test('Undo brings back what was read before, except what somebody changed since', async () => {
  const sent = fakeApi({
    searchBlueprintEntities: () => ({
      ok: true as const,
      entities: [
        { identifier: 's-0', team: ['new'] },
        { identifier: 's-1', team: ['theirs'] },
      ],
    }),
    bulkUpsertEntities: bulk(),
  });
  const { done, refused } = await undoChanges('service', many(3), toOwner);
  expect(done.map(({ identifier }) => identifier)).toEqual(['s-0']);
  expect(refused.map(({ identifier }) => identifier)).toEqual(['s-1', 's-2']);
  expect(itemsOf(sent.at(-1))).toEqual([{ identifier: 's-0', team: ['old'] }]);
});

test('deleting stops at the first call that is refused, and says what is gone', async () => {
  let calls = 0;
  fakeApi({
    bulkDeleteEntities: ({ body }) => {
      calls += 1;
      if (calls === 2) throw new Refused(409, 'has_dependents', 's-150 is required by others.');
      return { ok: true as const, deletedEntities: [...(body as { entities: string[] }).entities] };
    },
  });
  const { deleted, problem } = await deleteAll(
    'service',
    many(250).map(({ identifier }) => identifier ?? ''),
  );
  expect([deleted.length, problem?.message, calls]).toEqual([100, 's-150 is required by others.', 2]);
});
