import { expect, test } from 'vitest';
import { mapItems } from './apply-mapping.ts';

const now = new Date('2026-05-01T10:00:00Z');

test('patterns of a mapping may look around, as those of every other expression', () => {
  const mapping = { filter: '.identifier | test("^(?!old-)")', entity: {} };
  const mapped = ['svc', 'old-svc'].flatMap((identifier) => mapItems(mapping, { identifier }, now));
  expect(mapped.map(({ body }) => body.identifier)).toEqual(['svc']);
});
