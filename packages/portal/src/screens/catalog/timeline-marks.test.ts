import { expect, test } from 'vitest';
import { type TimelineEvent, toMarks } from './timeline-marks.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;
const event = (hours: number, kind: TimelineEvent['kind'], more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  at: new Date(start + hours * hour).toISOString(),
  kind,
  title: kind,
  ...more,
});

test('events that lie close together share a mark, and the one that says most names it', () => {
  const failed = event(1.5, 'run', { outcome: 'failure' });
  const marks = toMarks(
    [event(9, 'changed'), event(1.6, 'incident'), failed, event(1.2, 'changed')],
    start,
    start + 10 * hour,
    10,
  );
  expect(marks.map(({ events, head }) => [events.length, head.kind])).toEqual([
    [3, 'run'],
    [1, 'changed'],
  ]);
  expect(marks[0]?.place).toBeCloseTo(0.15);
});

test('what lies outside is not drawn, and the end itself is', () => {
  const marks = toMarks([event(10, 'owner'), event(11, 'owner'), event(-1, 'owner')], start, start + 10 * hour, 10);
  expect(marks.map(({ place, events }) => [place, events.length])).toEqual([[0.95, 1]]);
});

test('ten thousand events are no more marks than there is room for', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => event(index / 1000, 'changed'));
  const marks = toMarks(many, start, start + 10 * hour, 20);
  expect(marks).toHaveLength(20);
  expect(marks.reduce((sum, { events }) => sum + events.length, 0)).toBe(10_000);
});
