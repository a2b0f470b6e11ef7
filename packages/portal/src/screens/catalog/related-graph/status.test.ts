import { expect, test } from 'vitest';
import { readStatus, worstFirst } from './status.ts';

const blueprint = {
  schema: {
    properties: {
      language: { type: 'string', enum: ['Ruby'], enumColors: { Ruby: 'red' } },
      state: { type: 'string', enum: ['ok', 'slow', 'down'], enumColors: { ok: 'green', slow: 'yellow', down: 'red' } },
    },
  },
} as unknown as Parameters<typeof readStatus>[0];

test('the state is the first property that is named like one and whose values have colors', () => {
  expect(readStatus(blueprint)?.key).toBe('state');
  expect(readStatus({ schema: { properties: {} } } as unknown as typeof blueprint)).toBeUndefined();
});

test('red comes first, then yellow; the rest keeps its order', () => {
  const entities = ['ok', 'slow', 'ok', 'down', undefined].map((state, index) => ({
    identifier: String(index),
    properties: { state },
  }));
  const sorted = worstFirst(entities, readStatus(blueprint)).map(({ identifier }) => identifier);
  expect(sorted).toEqual(['3', '1', '0', '2', '4']);
});
