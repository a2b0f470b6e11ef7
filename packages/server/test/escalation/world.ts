import { expect } from 'vitest';
import type { Answer, TestApp } from '../build-test-app.ts';
import { createRowKeeper, type RowKeeper, type Rows } from './rows.ts';

export const people = {
  /** Two administrators: one may lose the role, the other stays. */
  boss: 'boss@example.com',
  second: 'second@example.com',
  /** A member without any right of her own, who is listed as an approver. */
  mia: 'mia@example.com',
  /** A member of the team that carries rights. */
  max: 'max@example.com',
  /** Moderates the blueprint `service`. */
  mod: 'mod@example.com',
  /** An administrator who was disabled. */
  gone: 'gone@example.com',
} as const;

/** One organization with something to gain for everybody, kept as rows so that each sequence begins in it. */
export interface World {
  readonly app: TestApp;
  readonly orgId: string;
  readonly listener: RowKeeper;
  /** The rows that every sequence begins with. */
  readonly start: Rows;
  /** Tokens without restriction that live as long as the tests run. */
  readonly tokens: Readonly<Record<'root' | 'boss' | 'mia' | 'max' | 'mod', string>>;
  /** Asks as anybody would from outside; unlike the requests of other tests, nothing is expected of the answer. */
  ask(method: string, path: string, token: string | null, body?: unknown, userAgent?: string): Promise<Answer>;
  /** Brings everything back to the start, and the clock far enough that nothing is remembered of what was. */
  reset(): Promise<void>;
}

const farAway = '2026-12-31T00:00:00.000Z';

export async function createWorld(app: TestApp): Promise<World> {
  const { id: orgId, request } = app.organization;
  const make = async (path: string, body: object, token?: string, method = 'POST'): Promise<Answer> => {
    const answer = await request(method, path, { body, ...(token ? { token } : {}) });
    expect([path, answer.status < 300], JSON.stringify(answer.body)).toEqual([path, true]);
    return answer;
  };
  await seedWorld(make);
  const tokenFor = async (token: string): Promise<string> =>
    (await make('/v1/users/me/tokens', { name: 'Of the tests', expiresAt: farAway }, token)).body.accessToken;
  const personal = async (name: keyof typeof people) => tokenFor(await app.organization.personToken(people[name]));
  const tokens = {
    root: await tokenFor(app.organization.token),
    boss: await personal('boss'),
    mia: await personal('mia'),
    max: await personal('max'),
    mod: await personal('mod'),
  };
  await make('/v1/actions/guarded/runs', { properties: {} }, tokens.max);
  const gone = `/v1/blueprints/_user/entities/${encodeURIComponent(people.gone)}`;
  await make(gone, { properties: { status: 'Disabled' } }, undefined, 'PATCH');
  await app.app.jobs.drain();
  const listener = await createRowKeeper(app, orgId);
  let start = await listener.read();
  return {
    app,
    orgId,
    listener,
    get start() {
      return start;
    },
    tokens,
    ask: async (method, path, token, body, userAgent) => {
      const answer = await app.app.http.inject({
        method: method as 'GET',
        url: path,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body };
    },
    reset: async () => {
      start = await listener.restore(start);
      app.clock.advance(60_000);
    },
  };
}

/** How the integration of the world names itself. */
export const exporter = 'port-ocean/custom/0.1.0/exporter/exporter';

type Make = (path: string, body: object, token?: string, method?: string) => Promise<Answer>;

async function seedWorld(make: Make): Promise<void> {
  for (const identifier of ['service', 'scaffolded']) {
    const schema = { properties: { note: { type: 'string' }, role: { type: 'string' } } };
    await make('/v1/blueprints', { identifier, title: identifier, schema });
  }
  for (const name of ['owners', 'guests']) await make('/v1/teams', { name });
  const invite = (email: string, roles: string[], teams: string[] = []) =>
    make('/v1/users/invite?notify=false', { invitee: { email, roles, teams } });
  await invite(people.boss, ['Admin']);
  await invite(people.second, ['Admin']);
  await invite(people.gone, ['Admin']);
  await invite(people.mia, ['Member'], ['guests']);
  await invite(people.max, ['Member'], ['owners']);
  await invite(people.mod, ['service-moderator']);
  for (const email of Object.values(people)) {
    const path = `/v1/blueprints/_user/entities/${encodeURIComponent(email)}`;
    await make(path, { properties: { status: 'Active' } }, undefined, 'PATCH');
  }
  const grant = { entities: { unregister: { teams: ['owners'] }, update: { teams: ['owners'] } } };
  await make('/v1/blueprints/service/permissions', grant, undefined, 'PATCH');
  const entity = { identifier: 'portal', title: 'Portal', team: ['owners'], properties: { role: 'Admin' } };
  await make('/v1/blueprints/service/entities', entity);
  await seedActions(make);
  await make('/v1/pages', { identifier: 'board', type: 'dashboard', title: 'Board', widgets: [] });
  await make('/v1/pages/board/permissions', { read: { roles: ['Admin'], teams: ['owners'] } }, undefined, 'PATCH');
  await make('/v1/organization/secrets', { secretName: 'VAULT', secretValue: 'a secret of the organization' });
  await make('/v1/apps', { name: 'Narrow', role: 'Member', scopes: ['read:entities'] });
  await make('/v1/webhooks', { identifier: 'hook', title: 'Hook', enabled: true, mappings: [] });
  await make('/v1/integration', { installationId: 'exporter', installationAppType: 'custom' });
}

/** Actions of administrators: one for everybody, one for administrators, and one that asks for approval. */
async function seedActions(make: Make): Promise<void> {
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const scaffold = { identifier: '{{ .run.id }}', properties: { note: 'Made by an action' } };
  const upsert = { type: 'UPSERT_ENTITY', blueprintIdentifier: 'scaffolded', mapping: scaffold };
  await make('/v1/actions', { identifier: 'scaffold', trigger, invocationMethod: upsert });
  await make('/v1/actions', { identifier: 'reserved', trigger, invocationMethod: upsert });
  await make('/v1/actions/reserved/permissions', { execute: { roles: ['Admin'] } }, undefined, 'PATCH');
  await make('/v1/actions', { identifier: 'guarded', trigger, invocationMethod: upsert, requiredApproval: true });
  const approve = { approve: { users: [people.mia], teams: ['owners'] } };
  await make('/v1/actions/guarded/permissions', approve, undefined, 'PATCH');
}
