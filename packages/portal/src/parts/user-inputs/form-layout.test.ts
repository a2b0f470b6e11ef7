import type { UserInputs } from '@portolan/contract/action-inputs';
import { expect, test } from 'vitest';
import {
  inOneList,
  inSteps,
  listSections,
  moved,
  stepped,
  withHeading,
  withInput,
  without,
  withoutStep,
  withStep,
} from './form-layout.ts';

const text = { type: 'string' } as const;
const plain: UserInputs = { properties: { a: text, b: text, c: text }, required: ['a'], order: ['b', 'a'] };
const stepwise: UserInputs = {
  properties: { a: text, b: { ...text, dependsOn: ['a'] }, c: text },
  titles: { head: { title: 'Head' } },
  required: ['a'],
  steps: [
    { title: 'One', order: ['head', 'a'], visible: true },
    { title: 'Two', order: ['b'] },
  ],
};
const sectionKeys = (form: UserInputs) => listSections(form).map(({ keys }) => keys);

test('what nothing places stands at the end, and is placed when something moves', () => {
  expect(sectionKeys(plain)).toEqual([['b', 'a', 'c']]);
  expect(sectionKeys(stepwise)).toEqual([['head', 'a'], ['b'], ['c']]);
  expect(sectionKeys({ properties: { a: text }, order: ['gone', 'a'] })).toEqual([['a']]);
  expect(stepped(plain, 'c', -1).order).toEqual(['b', 'c', 'a']);
});

test('one goes up and down, over the border of steps, and stops at the ends', () => {
  expect(sectionKeys(stepped(stepwise, 'a', 1))).toEqual([['head'], ['a', 'b'], ['c']]);
  expect(sectionKeys(stepped(stepwise, 'b', -1))).toEqual([['head', 'a', 'b'], [], ['c']]);
  expect(stepped(stepwise, 'head', -1)).toBe(stepwise);
  expect(stepped(plain, 'c', 1)).toBe(plain);
  expect(sectionKeys(stepped(stepwise, 'c', -1))).toEqual([
    ['head', 'a'],
    ['b', 'c'],
  ]);
  expect(stepped(stepwise, 'a', 1).steps?.[0]).toEqual({ title: 'One', order: ['head'], visible: true });
});

test('one is dropped before or after another', () => {
  expect(sectionKeys(moved(plain, 'b', 0, 2))).toEqual([['a', 'b', 'c']]);
  expect(sectionKeys(moved(plain, 'b', 0, 0))).toEqual([['b', 'a', 'c']]);
  expect(sectionKeys(moved(plain, 'c', 0, 1))).toEqual([['b', 'c', 'a']]);
  expect(sectionKeys(moved(stepwise, 'a', 1, 1))).toEqual([['head'], ['b', 'a'], ['c']]);
});

test('an input is added, changed and renamed wherever it is named', () => {
  const added = withInput(stepwise, undefined, 'd', text, true);
  expect(sectionKeys(added)).toEqual([['head', 'a'], ['b', 'd'], ['c']]);
  expect(added.required).toEqual(['a', 'd']);
  const renamed = withInput(stepwise, 'a', 'z', { type: 'number' }, false);
  expect(Object.keys(renamed.properties)).toEqual(['z', 'b', 'c']);
  expect(renamed.properties['b']?.dependsOn).toEqual(['z']);
  expect(renamed.required).toEqual([]);
  expect(renamed.steps?.[0]?.order).toEqual(['head', 'z']);
  const byExpression = { ...plain, required: { jqQuery: '[]' } };
  expect(withInput(byExpression, 'a', 'a', text, true).required).toEqual({ jqQuery: '[]' });
  expect(withInput({ properties: {} }, undefined, 'a', text, false)).toEqual({ properties: { a: text }, order: ['a'] });
  expect(withHeading(plain, undefined, 'h', { title: 'H' })).toMatchObject({ order: ['b', 'a', 'c', 'h'] });
  expect(withHeading(stepwise, 'head', 'top', { title: 'T' }).steps?.[0]?.order).toEqual(['top', 'a']);
});

test('an input is taken away with everything that names it', () => {
  const left = without(stepwise, 'a');
  expect(JSON.stringify(left)).not.toContain('"a"');
  expect(without(plain, 'b').order).toEqual(['a']);
  expect(without(stepwise, 'head').titles).toEqual({});
});

test('steps come, go, and lose nothing', () => {
  expect(inSteps(plain).steps).toEqual([{ title: 'First step', order: ['b', 'a', 'c'] }]);
  expect(inSteps(plain)).not.toHaveProperty('order');
  expect(inOneList(stepwise).order).toEqual(['head', 'a', 'b', 'c']);
  expect(withStep(plain, 'More').steps).toHaveLength(2);
  expect(sectionKeys(withoutStep(stepwise, 0))).toEqual([['head', 'a', 'b'], ['c']]);
  expect(sectionKeys(withoutStep(stepwise, 1))).toEqual([['head', 'a', 'b'], ['c']]);
  expect(withoutStep(inSteps(plain), 0)).not.toHaveProperty('steps');
});
