import { expect, test } from 'vitest';
import { demoReviver } from './clock.ts';

const now = new Date('2026-03-02T09:00:00.750Z');
const revived = (value: unknown) =>
  JSON.parse(JSON.stringify({ value }), demoReviver(now, 'https://portal.example')).value;

test.each([
  [{ $ago: 'PT0S' }, '2026-03-02T09:00:00Z'],
  [{ $ago: 'PT50M' }, '2026-03-02T08:10:00Z'],
  [{ $ago: 'P1DT2H30M20S' }, '2026-03-01T06:29:40Z'],
  [{ $ahead: 'PT26H' }, '2026-03-03T11:00:00Z'],
  [{ $ago: 'P2D', at: '09:30' }, '2026-02-28T09:30:00Z'],
  [{ $ago: 'P1D', at: '14:12:06' }, '2026-03-01T14:12:06Z'],
  [{ $today: 0.5 }, '2026-03-02T04:30:00Z'],
  [{ $ahead: 'P21D', as: 'date' }, '2026-03-23'],
  [{ $ago: 'P2D', at: '00:00', as: 'month' }, '2026-02'],
  [{ $ago: 'P2D', at: '23:59:59', as: 'msLeftInMonth' }, 1000],
  [
    ['a', { $ago: 'PT1M' }],
    ['a', '2026-03-02T08:59:00Z'],
  ],
  ['%PUBLIC_URL%/v1/%PUBLIC_URL%', 'https://portal.example/v1/https://portal.example'],
  [
    { ago: 'P3D', at: '09:30' },
    { ago: 'P3D', at: '09:30' },
  ],
])('%j becomes %j', (written, expected) => {
  expect(revived(written)).toEqual(expected);
});

test.each(['3 days', 'P', 'PT', 'P1Y', ''])('"%s" is no duration', (text) => {
  expect(() => revived({ $ago: text })).toThrow('is not a duration such as P3D or PT50M');
});
