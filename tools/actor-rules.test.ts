import { expect, test } from 'vitest';
import { actorFindings, platformWork } from './lib/actor-rules.ts';
import { filesUnder } from './lib/source-files.ts';

const sources = filesUnder(['packages/server/src'], /\.ts$/);

test('nothing that people wrote is carried out as the platform, and actors are made in few places', () => {
  expect(sources.flatMap(actorFindings)).toEqual([]);
});

test('every place where the platform acts for itself is there', () => {
  const acting = sources.filter(({ path, text }) => !path.endsWith('.test.ts') && /\bsystemActor\(/.test(text));
  const found = acting.map(({ path }) => path.replace('packages/server/src/modules/', ''));
  expect(Object.keys(platformWork).filter((path) => !found.includes(path))).toEqual([]);
});

const path = 'packages/server/src/modules/actions/dispatch/backends/webhook.ts';

test.each([
  ['acts as the platform', 'const actor = systemActor(orgId);'],
  ['makes an actor', "const actor: Actor = { orgId, kind: 'machine', roles: ['Admin'], teamKeys: [] };"],
  ['makes an actor', 'const caller: Actor = { ...actor, roles: keeper.roles, teamKeys: keeper.teamKeys };'],
  ['makes an actor', 'const caller = { orgId, roles, teamKeys, id: keeper.id, ...(asked ? { scopes } : {}) };'],
  ['makes an actor', "setActor(request, { ...actor, roles: ['Admin'] });"],
  ['makes an actor', 'setActor(request, { ...work.actor, scopes: undefined });'],
  ['makes an actor', 'return { ...actor, ...fullAuthority };'],
  ['makes an actor', 'return { ...actor, ...actorAuthority(keeper), origin };'],
])('it is found that a file %s: %s', (what, text) => {
  expect(actorFindings({ path, text }).join()).toContain(what);
});

test.each([
  "const caller: Actor = { ...actor, origin: 'AUTOMATION', depth: run.depth + 1 };",
  'return { ...limitTo(asker, saved), ...marks };',
  "permit(actor, link, { roles: ['Admin'], teamKeys: [], scopes: ['create:users'] });",
  'const held: Authority = { roles: [role], teamKeys, ...(scopes ? { scopes } : {}) };',
])('%s passes', (text) => {
  expect(actorFindings({ path, text: `${text} // Actor` })).toEqual([]);
});
