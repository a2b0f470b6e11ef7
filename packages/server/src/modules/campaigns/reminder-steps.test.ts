import { expect, test } from 'vitest';
import { nextReminder, stepDue } from './reminder-steps.ts';

const due = '2027-01-31';

test.each([
  ['2027-01-16', undefined],
  ['2027-01-17', 14],
  // the server was away on the day itself
  ['2027-01-19', 14],
  // a campaign that was made late is no longer two weeks away
  ['2027-01-20', undefined],
  ['2027-01-24', 7],
  ['2027-01-26', 7],
  ['2027-01-27', undefined],
  ['2027-01-30', 1],
  ['2027-01-31', 1],
  ['2027-02-01', undefined],
])('of %s the reminder is %s', (today, step) => {
  expect(stepDue(due, today)).toBe(step);
});

test.each([
  ['2027-01-01', [], '2027-01-17'],
  ['2027-01-17', [], '2027-01-17'],
  ['2027-01-17', [14], '2027-01-24'],
  // one that was missed for good is left out
  ['2027-01-21', [], '2027-01-24'],
  ['2027-01-30', [14, 7], '2027-01-30'],
  ['2027-01-30', [14, 7, 1], null],
  // the due date was moved away after they went
  ['2027-01-20', [14, 7], '2027-01-30'],
  ['2027-03-01', [], null],
])('the next one after %s and %j is on %s', (today, sent, next) => {
  expect(nextReminder(due, today, sent)).toBe(next);
});
