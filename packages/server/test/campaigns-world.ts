import { expect } from 'vitest';
import type { TestApp, TestOrganization } from './build-test-app.ts';
import { createBlueprint, createEntity, type Entity } from './catalog-fixtures.ts';

export const properties = { runbook: { type: 'string' }, tier: { type: 'number' }, zone: { type: 'string' } };
const rule = (identifier: string, level: string, property: string) => ({
  identifier,
  title: identifier,
  level,
  query: { combinator: 'and', conditions: [{ property, operator: 'isNotEmpty' }] },
});
export const card = {
  identifier: 'ready',
  title: 'Ready',
  rules: [rule('tiered', 'Bronze', 'tier'), rule('booked', 'Silver', 'runbook')],
};

/** Two entities of `core`, one of `core` and `edge`, one of nobody; of these, two are at Silver. */
export async function campaignsWorld(app: TestApp) {
  const organization = await app.createOrganization();
  const { request } = organization;
  for (const team of ['core', 'edge']) await createEntity(request, '_team', { identifier: team, title: team });
  const blueprint = await createBlueprint(request, 'scored', { properties, ownership: { type: 'Direct' } });
  const scorecards = `/v1/blueprints/${blueprint}/scorecards`;
  expect((await request('POST', scorecards, { body: card })).status).toBe(201);
  const silver = { tier: 1, runbook: 'x', zone: 'north' };
  await createEntity(request, blueprint, { identifier: 'a', title: 'A', team: 'core', properties: silver });
  await createEntity(request, blueprint, { identifier: 'b', title: 'B', team: 'core', properties: { tier: 1 } });
  await createEntity(request, blueprint, { identifier: 'c', title: 'C', team: ['core', 'edge'], properties: silver });
  await createEntity(request, blueprint, { identifier: 'd', title: 'D', properties: { zone: 'north' } });
  await app.app.jobs.drain();
  const body = (parts: object = {}) => ({
    title: 'Runbooks',
    blueprint,
    scorecard: 'ready',
    target: { level: 'Silver' },
    dueDate: '2027-01-31',
    status: 'active',
    ...parts,
  });
  const create = async (parts: object = {}): Promise<string> => {
    const answer = await request('POST', '/v1/campaigns', { body: body(parts) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.campaign.id;
  };
  const progress = async (id: string, token?: string) =>
    (await request('GET', `/v1/campaigns/${id}/progress`, token === undefined ? {} : { token })).body;
  const allow = async (of: string, entities: object) => {
    const answer = await request('PATCH', `/v1/blueprints/${of}/permissions`, { body: { entities } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const person = async (identifier: string, team: string) => {
    const its = { status: 'Active', port_role: 'Member' };
    await createEntity(request, '_user', { identifier, team, properties: its });
    await app.app.jobs.drain();
    return organization.personToken(identifier, 'Member');
  };
  return { organization, request, blueprint, scorecards, body, create, progress, allow, person };
}

/** What `openQuery` finds, by identifier. */
export async function listOpen({ request }: TestOrganization, blueprint: string, query: unknown, token?: string) {
  const path = `/v1/blueprints/${blueprint}/entities/search`;
  const answer = await request('POST', path, { body: { query }, ...(token === undefined ? {} : { token }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.entities.map(({ identifier }: Entity) => identifier).sort();
}
