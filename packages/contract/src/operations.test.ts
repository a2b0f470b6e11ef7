import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from './operations.ts';

test('every operation that is declared is in the registry', () => {
  const declared = readdirSync(import.meta.dirname)
    .filter((file) => !file.includes('.test'))
    .flatMap((file) => {
      const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
      return [...text.matchAll(/\boperation\(\{[^}]*?\bid: '(\w+)'/gs)].map(([, id]) => id);
    });
  expect(declared.sort()).toEqual(operations.map(({ id }) => id).sort());
});
