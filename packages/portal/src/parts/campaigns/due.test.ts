import { expect, test } from 'vitest';
import { daysLeft, dueText } from './due.ts';

test.each([
  ['2027-01-31', '2027-01-10T23:59:00', 21, '21 days left'],
  ['2027-01-31', '2027-01-30T00:01:00', 1, '1 day left'],
  ['2027-01-31', '2027-01-31T23:59:00', 0, 'Due today'],
  ['2027-01-31', '2027-02-01T00:00:00', -1, '1 day overdue'],
  ['2027-01-31', '2027-02-10T12:00:00', -10, '10 days overdue'],
  // clocks go forward in between, in many places
  ['2027-04-01', '2027-03-01T00:30:00', 31, '31 days left'],
])('%s seen at %s, of the calendar where it is looked at', (date, now, days, text) => {
  expect(daysLeft(date, new Date(now))).toBe(days);
  expect(dueText(date, new Date(now))).toBe(text);
});
