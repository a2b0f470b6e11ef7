import { expect, test } from 'vitest';
import { needsText } from './needs-text.ts';

const nobody = { roles: [], teams: [], people: false, ownedByTeam: false, policy: false };

test('a need names roles first, moderators by the title of what they moderate', () => {
  expect(needsText({ ...nobody, roles: ['Admin'] })).toBe('Admin');
  expect(needsText({ ...nobody, roles: ['Admin', 'service-moderator'] }, 'Service')).toBe(
    'Admin, or Moderator of Service',
  );
  expect(needsText({ ...nobody, roles: ['Admin', 'service-Moderator'] })).toBe('Admin, or Moderator of service');
});

test('a need names teams, owners, people and rules without saying who they are', () => {
  expect(needsText({ roles: ['Admin'], teams: ['SRE'], people: true, ownedByTeam: true, policy: true })).toBe(
    'Admin, a member of SRE, a member of the owning team, a person who is named in the permissions, or to meet a rule of the permissions',
  );
});

test('a long list of teams is cut and counted', () => {
  const teams = Array.from({ length: 10_000 }, (_, index) => `T${index}`);
  expect(needsText({ ...nobody, teams })).toBe('a member of T0, a member of T1, a member of T2, or 9997 more');
});
