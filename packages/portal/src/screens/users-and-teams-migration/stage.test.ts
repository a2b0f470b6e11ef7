import { describe, expect, test } from 'vitest';
import { canOpen, currentStep, isDone, type Report, steps } from './stage.ts';

const report = (status: Report['status'], model: string) => ({ status, model }) as Report;
const open = (of: Report) => steps.map(({ key }) => key).filter((step) => canOpen(step, of));

describe.each([
  ['NOT_STARTED', 'legacy', 'plan', ['plan', 'rehearse', 'apply']],
  ['BLOCKED', 'beta', 'plan', ['plan', 'rehearse', 'apply']],
  ['FAILED', 'legacy', 'plan', ['plan', 'rehearse', 'apply']],
  ['ROLLED_BACK', 'legacy', 'plan', ['plan', 'rehearse', 'apply']],
  ['PENDING', 'legacy', 'apply', ['apply']],
  ['RUNNING', 'blueprints', 'apply', ['apply']],
  ['FAILED', 'blueprints', 'apply', ['apply']],
  ['COMPLETED', 'blueprints', 'verify', ['apply', 'verify', 'undo']],
] as const)('%s in %s', (status, model, current, opened) => {
  test(`goes on at ${current}`, () => expect(currentStep(report(status, model))).toBe(current));
  test(`offers ${opened.join(', ')}`, () => expect(open(report(status, model))).toEqual(opened));
});

test('steps before the change are done once it is made, and not before', () => {
  const done = (of: Report) => steps.map(({ key }) => key).filter((step) => isDone(step, of));
  expect(done(report('RUNNING', 'legacy'))).toEqual([]);
  expect(done(report('RUNNING', 'blueprints'))).toEqual(['plan', 'rehearse']);
  expect(done(report('COMPLETED', 'blueprints'))).toEqual(['plan', 'rehearse', 'apply']);
  expect(done(report('ROLLED_BACK', 'legacy'))).toEqual([]);
});
