import { describe, expect, test } from 'vitest';
import type { Session } from '../api/session.ts';
import { areaOfPath, builderRail, listEntries, topEntries } from './rail-areas.ts';

const as = (...roles: readonly string[]) => ({ roles, user: { email: 'kim@example.com' } }) as unknown as Session;
const labels = (list: readonly { readonly label: string }[]) => list.map(({ label }) => label);

test.each([
  ['/', 'home'],
  ['/first-steps', 'home'],
  ['/catalog', 'catalog'],
  ['/catalog/services/edit', 'catalog'],
  ['/e/service/rate-engine', 'catalog'],
  ['/new/service', 'catalog'],
  ['/self-service/create_sandbox', 'self-service'],
  ['/runs/r_1', 'self-service'],
  ['/ai', 'ai'],
  ['/ai/agents/guide', 'ai'],
  ['/builder/data-model/service', 'builder'],
  ['/imports/new', 'builder'],
  ['/me/preferences', undefined],
  ['/aircraft', undefined],
])('%s belongs to %s', (path, area) => {
  expect(areaOfPath(path)).toBe(area);
});

describe('the areas that somebody sees', () => {
  test('an administrator has all, and the builder in sections', () => {
    expect(labels(topEntries(as('Admin')))).toEqual(['Home', 'Catalog', 'Self-service', 'AI', 'Builder']);
    expect(builderRail(as('Admin')).map(({ title }) => title)).toEqual(['Model', 'Data', 'People', 'Organization']);
  });

  test('a moderator builds what a moderator may', () => {
    const session = as('Member', 'service-moderator');
    expect(topEntries(session).at(-1)).toMatchObject({ label: 'Builder', to: '/builder/data-model' });
    expect(builderRail(session).flatMap(({ entries }) => labels(entries))).toEqual([
      'Data model',
      'Scorecards',
      'Import a table',
    ]);
  });

  test('a member has no builder, and scorecards beside the catalog', () => {
    expect(labels(topEntries(as('Member')))).toEqual(['Home', 'Catalog', 'Self-service', 'AI']);
    expect(labels(listEntries(as('Member'), 'catalog'))).toEqual(['Scorecards']);
    expect(labels(listEntries(as('Admin'), 'catalog'))).toEqual([]);
  });
});

test('every entry of the builder has a section, so that none is lost', () => {
  const shown = builderRail(as('Admin')).flatMap(({ entries }) => entries);
  expect(shown).toHaveLength(listEntries(as('Admin'), 'builder').length);
});
