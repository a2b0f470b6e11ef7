import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Person } from '../src/modules/accounts/person.types.ts';
import type { Actor } from '../src/platform/actor.ts';
import { AppError } from '../src/platform/errors.ts';
import { createTestApp, type Request, type TestApp } from './build-test-app.ts';
import { blueprintBody } from './catalog-fixtures.ts';

/** What each team of the organization may do, by its title. */
export const rightsOfTeams: Readonly<Record<string, readonly string[]>> = {
  approvers: ['update:runs'],
  editors: ['read:pages', 'update:pages'],
  heirs: ['create:entities', 'read:entities'],
  ops: ['read:entities', 'update:entities'],
  owners: ['create:entities', 'delete:entities', 'read:entities'],
  provided: ['read:entities', 'update:entities'],
  readers: ['read:pages'],
  runners: ['execute:actions'],
  tooled: ['invoke:ai'],
};

/** An organization in which teams carry rights in every way there is, and what is asked about it. */
export interface GainsWorld {
  readonly app: TestApp;
  /** Another organization, where a policy asks for teams. */
  readonly strict: { readonly id: string; readonly request: Request };
  /** Keys of teams by their titles. */
  readonly keys: Readonly<Record<string, string>>;
  /** The actor in the organization, and in these teams. */
  actorOf(actor: Actor, teams?: readonly string[]): Actor;
  /** An active member, but for what is told. */
  person(identifier: string, change: PersonChange): Person;
}

export type PersonChange = Partial<Omit<Person, 'teamKeys'>> & { readonly teams?: readonly string[] };

export async function createGainsWorld(): Promise<GainsWorld> {
  const app = await createTestApp();
  const strict = await app.createOrganization();
  await seedGrants(app.request, (identifier) =>
    app.database.transaction((tx) =>
      tx.execute(sql`
        update teams set provider = 'scim' where org_id = ${app.organization.id} and identifier = ${identifier}`),
    ),
  );
  await seedPolicies(app.request, strict.request);
  const rows = await app.database.rows<{ title: string; key: string }>(
    sql`select title, key from teams where org_id = ${app.organization.id}`,
  );
  const keys = Object.fromEntries(rows.map(({ title, key }) => [title, key]));
  const keysOf = (teams: readonly string[]): string[] => teams.map((title) => keys[title] as string);
  return {
    app,
    strict,
    keys,
    actorOf: (actor, teams = []) => ({ ...actor, orgId: app.organization.id, teamKeys: keysOf(teams) }),
    person: (identifier, { teams = [], ...change }) => ({
      ...{ identifier, title: null, status: 'Active', role: 'Member', type: 'Standard', moderatedBlueprints: [] },
      ...change,
      teamKeys: keysOf(teams),
    }),
  };
}

async function made(request: Request, method: string, path: string, body: object): Promise<void> {
  const answer = await request(method, path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}

/** A team for each place where a grant can stand, two that own entities, and one that owns some without a right to them. */
async function seedGrants(request: Request, provide: (team: string) => Promise<unknown>): Promise<void> {
  const make = (method: string, path: string, body: object) => made(request, method, path, body);
  for (const name of ['plain', ...Object.keys(rightsOfTeams)]) await make('POST', '/v1/teams', { name });
  await provide('provided');
  for (const identifier of ['service', 'owned', 'inherited'])
    await make('POST', '/v1/blueprints', blueprintBody(identifier));
  const grant = (blueprint: string, entities: object) =>
    make('PATCH', `/v1/blueprints/${blueprint}/permissions`, { entities });
  await grant('service', { update: { roles: ['Admin'], teams: ['ops', 'provided'], users: ['named@acme.dev'] } });
  await grant('owned', { unregister: { ownedByTeam: true }, register: { ownedByTeam: true } });
  await grant('inherited', { register: { ownedByTeam: true } });
  for (const [blueprint, team] of [
    ['owned', 'owners'],
    ['inherited', 'heirs'],
    ['service', 'plain'],
  ] as const) {
    await make('POST', `/v1/blueprints/${blueprint}/entities`, { identifier: 'one', team: [team] });
  }
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com' };
  await make('POST', '/v1/actions', { identifier: 'deploy', trigger, invocationMethod });
  await make('PATCH', '/v1/actions/deploy/permissions', {
    execute: { roles: ['Admin'], teams: ['runners'] },
    approve: { teams: ['approvers'] },
  });
  await make('POST', '/v1/pages', { identifier: 'board', type: 'dashboard', widgets: [] });
  await make('PATCH', '/v1/pages/board/permissions', { read: { teams: ['readers'] }, update: { teams: ['editors'] } });
  const server = { identifier: 'tools', url: 'http://127.0.0.1:1/mcp', permissions: { teams: ['tooled'] } };
  await make('POST', '/v1/mcp/servers', server);
  for (const [email, role, teams, status] of [
    ['jo@acme.dev', 'Member', [], 'Active'],
    ['boss@acme.dev', 'Admin', [], 'Active'],
    ['gone@acme.dev', 'Admin', ['ops'], 'Disabled'],
    ['opsy@acme.dev', 'Member', ['ops'], 'Active'],
    ['idle@acme.dev', 'Member', ['ops'], 'Disabled'],
  ] as const) {
    await make('POST', '/v1/users/invite', { invitee: { email, roles: [role], teams } });
    await make('PATCH', `/v1/blueprints/_user/entities/${email}`, { properties: { status } });
  }
}

/** Reading follows a policy that does not ask for teams; in another organization one does. */
async function seedPolicies(lenient: Request, strict: Request): Promise<void> {
  for (const [request, property] of [
    [lenient, 'tier'],
    [strict, '$team'],
  ] as const) {
    await made(request, 'POST', '/v1/blueprints', blueprintBody('policed'));
    const policy = { combinator: 'and', rules: [{ property, operator: '=', value: 'gold' }] };
    await made(request, 'PATCH', '/v1/blueprints/policed/permissions', { entities: { unregister: { policy } } });
  }
  await made(strict, 'POST', '/v1/teams', { name: 'any' });
}

/** Without an organization: `actorOf` gives one. */
export const member: Actor = {
  orgId: '',
  model: 'blueprints',
  kind: 'person',
  id: 'me@acme.dev',
  userId: 'me@acme.dev',
  roles: ['Member'],
  teamKeys: [],
  datasource: '',
  origin: 'API',
};
export const admin: Actor = { ...member, roles: ['Admin'] };
/** A token of an administrator, restricted to these scopes. */
export const token = (...scopes: string[]): Actor => ({ ...admin, scopes });

/** `allowed`, or the first refusal with its places. */
export async function answerTo(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask();
    return 'allowed';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const places = Array.isArray(error.details) ? error.details.map(({ path }) => path) : [];
    return [error.code, error.message.replace(/^The token is restricted to [^.]*\. /, ''), ...places].join(' | ');
  }
}

export const takesRights = 'takes rights that you do not have; ask an administrator to do it';
