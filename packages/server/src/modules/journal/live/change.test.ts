import { expect, test } from 'vitest';
import { ChangeSet } from './change.ts';

const updated = (blueprint: string, identifier: string) => ({
  event: 'entity.updated',
  resource: 'entity',
  identifier,
  blueprint,
  entity: identifier,
});
const many = (count: number, make: (index: number) => ReturnType<typeof updated>) =>
  Array.from({ length: count }, (_, index) => make(index));

test('a change is told once, however often it was made', () => {
  const set = new ChangeSet();
  set.add([updated('open', 'one'), updated('open', 'one')]);
  set.add([updated('open', 'one'), updated('open', 'two')]);
  expect(set.take().changes.map(({ identifier }) => identifier)).toEqual(['one', 'two']);
  expect(set.isEmpty).toBe(true);
});

test('many changes at once are told by their kind', () => {
  const set = new ChangeSet();
  set.add(many(201, (index) => updated('open', `e${index}`)));
  expect(set.take()).toEqual({
    changes: [{ event: 'entity.updated', resource: 'entity', blueprint: 'open' }],
    gap: undefined,
  });
});

test('more kinds than can be told are a gap, which what follows does not fill', () => {
  const set = new ChangeSet();
  set.add(many(201, (index) => updated(`b${index}`, 'one')));
  set.add([updated('open', 'one')]);
  expect(set.take()).toEqual({ changes: [], gap: 'too-many' });
  set.add([updated('open', 'one')]);
  expect(set.take().changes).toHaveLength(1);
});
