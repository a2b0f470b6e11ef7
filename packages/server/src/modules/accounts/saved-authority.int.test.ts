import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../test/catalog-fixtures.ts';
import { type Actor, systemActor } from '../../platform/actor.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { findActor } from './find-actor.ts';
import {
  actWith,
  authorityLeft,
  authorityToday,
  authorityWhenRewritten,
  authorityWhenSaved,
  findSavedAuthority,
  type SavedAuthority,
  saveAuthority,
  warnOfAuthority,
} from './saved-authority.ts';

let app: TestApp;
let orgId: string;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
  // the last administrator has to stay one
  await administrator();
});
afterAll(() => app.close());

/** A new administrator, and how to change them. */
async function administrator() {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Admin' } });
  const change = async (properties: object): Promise<void> => {
    const answer = await app.request('PATCH', `/v1/blueprints/_user/entities/${id}`, { body: { properties } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  return { id, change, saved: await savedBy({ kind: 'person', id }) };
}

/** New credentials of the organization, and how to change them. */
async function program(scopes?: readonly string[]) {
  const body = { name: unique('app'), role: 'Admin', ...(scopes ? { scopes } : {}) };
  const made = await app.request('POST', '/v1/apps', { body });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const id: string = made.body.app.id;
  const restrict = (permissions: string[]) =>
    app.request('POST', `/v1/apps/${id}/permissions`, { body: { permissions } });
  return { id, restrict, remove: () => app.request('DELETE', `/v1/apps/${id}`) };
}

async function readActor(who: { kind: Actor['kind']; id: string }): Promise<Actor> {
  const actor = await findActor(app.database, orgId, who);
  if (!actor) throw new Error(`There is no ${who.id}`);
  return actor;
}
const savedBy = async (who: { kind: Actor['kind']; id: string }): Promise<SavedAuthority> =>
  saveAuthority(await readActor(who));
const today = (saved: SavedAuthority) => authorityToday(app.database, orgId, saved);

describe('what is kept with what somebody saves', () => {
  test('is whose it was and what they could do, for runs that of whoever stands behind them', () => {
    const actor = { ...systemActor('org_1'), kind: 'machine', id: 'run', scopes: ['read:users'] } as const;
    const rights = { roles: ['Admin'], teamKeys: [], scopes: ['read:users'] };
    expect(saveAuthority(actor)).toEqual({ by: { kind: 'machine', id: 'run' }, ...rights });
    const by = { kind: 'person', id: 'jo@example.com' } as const;
    expect(saveAuthority({ ...actor, standsBehind: by })).toEqual({ by, ...rights });
  });

  test('is what acts later, under the rules for programs', () => {
    const saved: SavedAuthority = { by: { kind: 'person', id: 'jo' }, roles: ['Member'], teamKeys: ['t'], scopes: [] };
    const as = { orgId, model: 'blueprints', id: 'webhook/x', datasource: 'x', origin: 'API' } as const;
    expect(actWith(saved, as)).toEqual({
      ...as,
      kind: 'machine',
      roles: ['Member'],
      teamKeys: ['t'],
      scopes: [],
      standsBehind: saved.by,
    });
  });

  test('is told to whoever saves with a restricted token', () => {
    const saved = saveAuthority(systemActor('org_1'));
    const toldOf = (scopes?: readonly string[]) =>
      warnOfAuthority({ authority: { ...saved, ...(scopes && { scopes }) } });
    expect(toldOf()).toEqual([]);
    expect(warnOfAuthority({ authority: null })).toEqual([]);
    expect(toldOf(['read:users', 'update:users'])).toEqual([expect.stringContaining(': read:users, update:users. ')]);
    expect(toldOf([])).toEqual([expect.stringContaining(': nothing. ')]);
  });
});

describe('of a saved authority', () => {
  test('as much is left as its editor has today', async () => {
    const { saved, change } = await administrator();
    expect(await today(saved)).toEqual(saved);
    await change({ port_role: 'Member' });
    expect(await today(saved)).toEqual({ ...saved, roles: ['Member'] });
    await change({ port_role: 'Admin' });
    expect(await today({ ...saved, roles: ['Member'] })).toEqual({ ...saved, roles: ['Member'] });
  });

  test('nothing is left of one who is disabled', async () => {
    const { saved, change } = await administrator();
    await change({ status: 'Disabled' });
    expect(await today(saved)).toBeUndefined();
  });

  test('that of the organization is left as it is', async () => {
    const saved = { ...saveAuthority(systemActor(orgId)), scopes: ['read:users'] };
    expect(await today(saved)).toEqual(saved);
  });

  test('the scopes are left that the credentials have', async () => {
    const made = await program(['read:users', 'update:users']);
    const saved = await savedBy({ kind: 'machine', id: made.id });
    await made.restrict(['update:users', 'create:users']);
    expect((await today(saved))?.scopes).toEqual(['update:users']);
    await made.remove();
    expect(await today(saved)).toBeUndefined();
  });
});

describe('what was saved before it was kept', () => {
  const of = (updatedBy: string) => findSavedAuthority(app.database, orgId, { authority: null, updatedBy });

  test('has the authority of its last editor', async () => {
    const { id, saved } = await administrator();
    expect(await of(id)).toEqual(saved);
    const made = await program(['read:users']);
    expect(await of(made.id)).toEqual({
      by: { kind: 'machine', id: made.id },
      roles: ['Admin'],
      teamKeys: [],
      scopes: ['read:users'],
    });
    expect(await of(systemActor(orgId).id)).toEqual(saveAuthority(systemActor(orgId)));
    expect(await of('nobody@example.com')).toBeUndefined();
  });

  test('what was kept goes before it', async () => {
    const { id, saved } = await administrator();
    const less = { ...saved, roles: ['Member'] };
    expect(await findSavedAuthority(app.database, orgId, { authority: less, updatedBy: id })).toEqual(less);
  });

  test('has left of it what the editor has', async () => {
    const { id, saved, change } = await administrator();
    const thing = { authority: null, updatedBy: id };
    expect(await authorityLeft(app.database, orgId, thing)).toEqual(saved);
    await change({ status: 'Disabled' });
    expect(await authorityLeft(app.database, orgId, thing)).toBeUndefined();
  });
});

describe('saving again', () => {
  const within = <T>(actor: Actor, ask: (work: Work) => Promise<T>) => app.app.unitOfWork(actor, ask);

  test('lends what the caller has, which may be more or less', async () => {
    const [author, other] = [await administrator(), await administrator()];
    const caller = await readActor({ kind: 'person', id: other.id });
    const before = { authority: author.saved, updatedBy: author.id };
    const when = (actor: Actor) => within(actor, (work) => authorityWhenSaved(work, before));
    expect(await when(caller)).toEqual({ authority: other.saved, isMore: false });
    const restricted = { ...caller, scopes: ['update:actions'] };
    expect(await when(restricted)).toEqual({
      authority: { ...other.saved, scopes: ['update:actions'] },
      isMore: false,
    });
    await author.change({ port_role: 'Member' });
    expect(await when(caller)).toEqual({ authority: other.saved, isMore: true });
    await author.change({ status: 'Disabled' });
    expect((await when(restricted)).isMore).toBe(true);
  });

  test('by the platform, which rewrites it for people, lends nothing', async () => {
    const [author, other] = [await administrator(), await administrator()];
    const caller = await readActor({ kind: 'person', id: other.id });
    const when = (authority: SavedAuthority | null, updatedBy: string) =>
      within(caller, (work) => authorityWhenRewritten(work, { authority, updatedBy }));
    const less = { ...author.saved, scopes: ['update:actions'] };
    expect(await when(less, author.id)).toEqual({ authority: less, isMore: false });
    expect(await when(null, author.id)).toEqual({ authority: author.saved, isMore: false });
    expect(await when(null, 'nobody@example.com')).toEqual({ authority: null, isMore: false });
  });
});
