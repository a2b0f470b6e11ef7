import type { ActionInput } from '@portolan/contract/action-inputs';
import { expect, test } from 'vitest';
import {
  blueprintOfInput,
  formatOfInput,
  inputFormats,
  inputKeyFor,
  inputKeyProblem,
  withFormat,
  withType,
} from './input-kinds.ts';

test('a key fits its title, and nothing has it yet', () => {
  expect(inputKeyFor('Größe der Box!', new Set())).toBe('gro_e_der_box');
  expect(inputKeyFor('Size', new Set(['size', 'size_2']))).toBe('size_3');
  expect(inputKeyProblem('size', undefined, new Set(['size']))).toContain('already');
  expect(inputKeyProblem('size', 'size', new Set(['size']))).toBeUndefined();
  expect(inputKeyProblem('a b', undefined, new Set())).toContain('letters');
  expect(inputKeyProblem('', undefined, new Set())).toBe('Enter a key');
});

test('another type or format loses what would mean nothing, and keeps what nobody knows', () => {
  const input = {
    type: 'string',
    format: 'entity',
    blueprint: 'b',
    default: 'x',
    minLength: 2,
    more: 1,
  } as ActionInput;
  expect(withType(input, 'number')).toEqual({ type: 'number', more: 1 });
  expect(withType(input, 'array')).toEqual({ type: 'array', items: { type: 'string' }, more: 1 });
  expect(withFormat(input, '')).toEqual({ type: 'string', default: 'x', minLength: 2, more: 1 });
  const list = withFormat({ type: 'array', items: { type: 'string', blueprint: 'b' } }, 'entity');
  expect(list).toEqual({ type: 'array', items: { type: 'string', blueprint: 'b', format: 'entity' } });
  expect([formatOfInput(list), blueprintOfInput(list)]).toEqual(['entity', 'b']);
});

test('formats of models alone are not offered, and one that is written stays', () => {
  const offered = inputFormats('string', 'colour').map(({ value }) => value);
  expect(offered).toContain('multi-line');
  expect(offered).toContain('colour');
  expect(offered).not.toContain('blueprints');
});
