import { describe, expect, test } from 'vitest';
import { explainSet, standsIn } from './answer-names.ts';

const wanted = [['Map Tiles', 'geo.tiles'], ['dock-scheduler'], ['EDI Bridge', 'edi-bridge']];

describe('an answer names a set', () => {
  test.each([
    [
      'as the planner lists it',
      'Services: **3**\n\n- **Map Tiles** (`geo.tiles`)\n- `dock-scheduler`\n- **EDI Bridge**',
    ],
    [
      'in any order, with numbers and words behind',
      '1. dock-scheduler: planned\n2. EDI Bridge, deprecated\n3) geo.tiles',
    ],
    ['with details below the items', '* Map Tiles\n  - tier 3\n* Dock-Scheduler\n  - new\n* EDI Bridge (edi-bridge)'],
    [
      'in a table',
      '| Service | Tier |\n|---|---|\n| Map Tiles | 1 |\n| dock-scheduler | 2 |\n| `edi-bridge` | 3 |\n\nThat is all.',
    ],
    ['as links', '- [Map Tiles](https://p/1)\n- [dock-scheduler](https://p/2)\n- [EDI Bridge](https://p/3)'],
    ['in a sentence', 'Nobody owns Map Tiles, dock-scheduler and EDI Bridge.'],
  ])('%s', (_how, answer) => {
    expect(explainSet(answer, wanted)).toBeUndefined();
  });
});

describe('an answer does not name a set', () => {
  test.each([
    ['with one too few', '- Map Tiles\n- dock-scheduler', 'it does not list "EDI Bridge"'],
    ['with several too few', '- Map Tiles', 'it does not list "dock-scheduler" and 1 more'],
    [
      'with one too many',
      '- Map Tiles\n- dock-scheduler\n- edi-bridge\n- Rate Engine',
      'it lists "Rate Engine", which does not belong',
    ],
    [
      'with a longer name',
      '- Map Tiles Cache\n- dock-scheduler\n- edi-bridge',
      'it lists "Map Tiles Cache", which does not belong',
    ],
    ['in a sentence that lacks one', 'Map Tiles and EDI Bridge.', 'it does not name "dock-scheduler"'],
    [
      'in a sentence that names another in code',
      'Map Tiles, dock-scheduler, EDI Bridge and `rate-engine`.',
      'it names "rate-engine", which does not belong',
    ],
  ])('%s', (_how, answer, reason) => {
    expect(explainSet(answer, wanted)).toBe(reason);
  });
});

describe('the empty set', () => {
  test('is named by saying so', () => {
    expect(explainSet('Services without a domain: **0**', [])).toBeUndefined();
    expect(explainSet('There are none.', [])).toBeUndefined();
  });
  test('is not named by a list, or by saying anything else', () => {
    expect(explainSet('None, but:\n- Map Tiles', [])).toBe('it lists "Map Tiles"');
    expect(explainSet('All is well.', [])).toBe('it does not say that there are none');
  });
});

test('a list may be cut where the case says so, if the number is right and all of it belongs', () => {
  expect(explainSet('**3**, the first:\n- Map Tiles', wanted, true)).toBeUndefined();
  expect(explainSet('**4**, the first:\n- Map Tiles', wanted, true)).toBe(
    'it does not list "dock-scheduler" and 1 more',
  );
  expect(explainSet('Of INC-3, 2026-03-03:\n- Map Tiles\n- EDI Bridge, 3', wanted, true)).toBe(
    'it does not list "dock-scheduler"',
  );
  expect(explainSet('**3**, the first:\n- Rate Engine', wanted, true)).toBe(
    'it lists "Rate Engine", which does not belong',
  );
});

describe('a text stands in an answer', () => {
  test.each([
    ['The service identity.', 'Identity'],
    ['It is **eta\\+forecast**, yes', 'eta+forecast'],
    ['see `geo.tiles`', 'geo.tiles'],
    ['Route\nPlanner', 'route planner'],
    ['identity-provider uses identity', 'identity'],
  ])('%j: %j', (answer, text) => expect(standsIn(answer, text)).toBe(true));

  test.each([
    ['identity-provider', 'identity'],
    ['my.identity', 'identity'],
    ['identities', 'identit'],
    ['identity', ''],
    ['geo.tiles.v2', 'geo.tiles'],
  ])('%j: not %j', (answer, text) => expect(standsIn(answer, text)).toBe(false));
});

test.each([
  ['brackets', '['],
  ['stars', '*'],
  ['blanks', ' '],
  ['bars', '|'],
  ['commas and digits', '1,'],
])('a long answer of %s is compared at once', (_name, sign) => {
  const start = performance.now();
  explainSet(`- ${sign.repeat(60_000)}x\n${sign.repeat(60_000)}x`, wanted);
  explainSet(`${sign.repeat(60_000)}x`, wanted);
  expect(performance.now() - start).toBeLessThan(2_000);
});
