import { expect } from 'vitest';
import type { Request, TestApp, TestOrganization } from './build-test-app.ts';
import { blueprintBody, readEntity } from './catalog-fixtures.ts';
import { migrate, usersAndTeams } from './old-organizations.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
export type Answer = any;

/** An organization from before the migration with two people and some teams, and shorthands to fill it. */
export interface Old extends TestOrganization {
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  blueprint(identifier: string, parts?: Record<string, unknown>): Promise<void>;
  read(identifier: string): Promise<Answer>;
  plan(): Promise<Answer>;
  run(): Promise<void>;
}

/** Ana is in the team SRE, where there is one. */
export async function createSmallOld(
  app: TestApp,
  model: 'legacy' | 'beta',
  teams: readonly string[] = ['Payments Core', 'SRE'],
): Promise<Old> {
  const organization = await app.createOrganization({ model });
  const { request } = organization;
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await request(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  for (const email of ['ana@acme.dev', 'li@acme.dev']) {
    await send('POST', '/v1/users/invite?notify=false', { invitee: { email } });
  }
  for (const name of teams) {
    await send('POST', '/v1/teams', { name, users: name === 'SRE' ? ['ana@acme.dev'] : [] });
    app.clock.advance(1);
  }
  return {
    ...organization,
    send,
    blueprint: (identifier, parts = {}) => send('POST', '/v1/blueprints', blueprintBody(identifier, parts)),
    read: async (identifier) => (await send('GET', `/v1/blueprints/${identifier}`)).blueprint,
    plan: async () => (await send('GET', `${usersAndTeams}/plan`)).plan,
    run: async () => {
      expect(await migrate(app, organization)).toMatchObject({ status: 'COMPLETED' });
    },
  };
}

export const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);
export const to = (target: string, many = false) => ({ target, many, required: false });
export const readTeam = (request: Request, blueprint: string, identifier: string) =>
  readEntity(request, blueprint, identifier).then((entity) => entity.team);

/** A rule on the teams of an entity. */
export const ofTeam = (...value: unknown[]) => ({ property: '$team', operator: 'containsAny', value });
