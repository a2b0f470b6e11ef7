import type { FormState } from '@portolan/contract/action-forms';
import type { UserInputs } from '@portolan/contract/action-inputs';
import { expect, test } from 'vitest';
import {
  issuesByInput,
  listFormSections,
  valuesOfAddress,
  valuesToSend,
  withChange,
  withoutSecrets,
} from './form-model.ts';

const form = {
  properties: {
    a: { type: 'string' },
    b: { type: 'number', dependsOn: ['a'] },
    c: { type: 'array', dependsOn: ['b'] },
    d: { type: 'boolean' },
    secret: { type: 'string', encryption: 'aes256-gcm' },
    o: { type: 'object' },
  },
  titles: { head: { title: 'Head' }, toString: { title: 'Odd' } },
  steps: [
    { title: 'One', order: ['head', 'a', 'nothing', '__proto__'] },
    { title: 'Two', order: ['b'] },
  ],
} as unknown as UserInputs;

const shown = (key: string, isVisible = true) => [key, { isVisible, isDisabled: false, isRequired: false }] as const;
const state = (hidden: string[] = [], more: Partial<FormState> = {}): FormState => ({
  values: { b: 2 },
  inputs: Object.fromEntries(Object.keys(form.properties).map((key) => shown(key, !hidden.includes(key)))),
  hiddenSteps: [],
  hiddenTitles: [],
  issues: [],
  mayRun: true,
  ...more,
});

test('what depends on a changed input goes back to its default, through others too', () => {
  const typed = { a: 'x', b: 1, c: ['y'], d: true };
  expect(withChange(form, typed, 'a', 'z')).toEqual({ a: 'z', d: true });
  expect(withChange(form, typed, 'b', 9)).toEqual({ a: 'x', b: 9, d: true });
  const circle = { properties: { x: { dependsOn: ['y'] }, y: { dependsOn: ['x'] } } } as unknown as UserInputs;
  expect(withChange(circle, { x: 1, y: 2 }, 'x', 3)).toEqual({ x: 3 });
});

test('sections hold what shows; what no step names stands at the end, and empty ones are gone', () => {
  const names = (given: FormState) =>
    listFormSections(form, given).map(({ title, items }) => [title, items.map(({ key }) => key)]);
  expect(names(state())).toEqual([
    ['One', ['head', 'a']],
    ['Two', ['b']],
    ['More', ['c', 'd', 'secret', 'o']],
  ]);
  expect(names(state(['a']))[0]).toEqual(['Two', ['b']]);
  expect(names(state([], { hiddenSteps: [1], hiddenTitles: ['head'] }))[0]).toEqual(['One', ['a']]);
});

test('secrets are not shown to the server, nor taken from links; what is hidden is not sent', () => {
  expect(withoutSecrets(form, { a: 1, secret: 's' })).toEqual({ a: 1 });
  expect(valuesToSend(form, { a: 'x', d: null }, state(['a']))).toEqual({ b: 2, d: null });
  const search = { a: 42, b: '7', c: 'one', d: 'true', secret: 's', o: { k: 1 }, other: 1, toString: 1 };
  expect(valuesOfAddress(form, search)).toEqual({ a: '42', b: 7, c: ['one'], d: true, o: { k: 1 } });
  expect(valuesOfAddress(form, { b: 'many', o: 'text' })).toEqual({});
});

test('issues go to their input, the others stand alone', () => {
  const found = issuesByInput([
    { path: '/properties/a', message: 'is required' },
    { path: '/properties/c/1', message: 'is no address' },
    { path: '/entity', message: 'does not fit' },
  ]);
  expect(found).toEqual({ a: 'is required', c: '1 is no address', '': 'entity does not fit' });
});
