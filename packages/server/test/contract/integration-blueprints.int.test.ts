import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../build-test-app.ts';
import { entityPath } from '../catalog-fixtures.ts';
import { cloud } from './integrations/cloud.ts';
import { gitHosting } from './integrations/git-hosting.ts';
import { incidents } from './integrations/incidents.ts';
import type { Blueprint, Integration } from './integrations/integration.ts';
import { kubernetes } from './integrations/kubernetes.ts';
import { tickets } from './integrations/tickets.ts';

// What integrations bring: their blueprints are accepted as they are, and what is computed of their entities is right.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type Step = (organization: TestOrganization, blueprint: Blueprint) => Promise<{ status: number; body: unknown }>;

const patch = (organization: TestOrganization, { identifier }: Blueprint, body: unknown) =>
  organization.request('PATCH', `/v1/blueprints/${identifier}`, { body });

/** Bare, then with relations and owners, then whole; the blueprints of a step go in parallel (api contract §3.1.10). */
const steps: readonly Step[] = [
  (organization, { identifier, title, icon, description, schema }) =>
    organization.request('POST', '/v1/blueprints?create_catalog_page=false', {
      body: { identifier, title, icon, description, schema },
    }),
  (organization, blueprint) => {
    const { mirrorProperties, calculationProperties, aggregationProperties, ...related } = blueprint;
    return patch(organization, blueprint, related);
  },
  (organization, blueprint) => patch(organization, blueprint, blueprint),
];

async function install(organization: TestOrganization, { blueprints, scorecards = {} }: Integration) {
  for (const step of steps) {
    for (const answer of await Promise.all(blueprints.map((blueprint) => step(organization, blueprint)))) {
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }
  }
  for (const [blueprint, body] of Object.entries(scorecards)) {
    const answer = await organization.request('POST', `/v1/blueprints/${blueprint}/scorecards`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
}

const flags = 'upsert=true&merge=true&create_missing_related_entities=true';

async function write(organization: TestOrganization, blueprint: string, entity: object) {
  const path = `/v1/blueprints/${blueprint}/entities?${flags}`;
  const answer = await organization.request('POST', path, { body: entity });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

/** The properties that are expected of each entity, as they are now; `$team` and `$level` stand for what they say. */
async function found(organization: TestOrganization, expected: Integration['expected']) {
  const all: Record<string, object> = {};
  for (const [name, properties] of Object.entries(expected)) {
    const slash = name.indexOf('/');
    const answer = await organization.request('GET', entityPath(name.slice(0, slash), name.slice(slash + 1)));
    expect(answer.status, name).toBe(200);
    const { entity } = answer.body;
    const [scorecard] = Object.values(entity.scorecards ?? {}) as { level: string }[];
    const values = { ...entity.properties, $team: entity.team, $level: scorecard?.level };
    all[name] = Object.fromEntries(Object.keys(properties).map((key) => [key, values[key]]));
  }
  return all;
}

describe.each([gitHosting, kubernetes, incidents, cloud, tickets])('$name', (integration) => {
  test('its blueprints are accepted as they are, in its own order', async () => {
    const organization = await app.createOrganization();
    await install(organization, integration);
    for (const blueprint of integration.blueprints) {
      const read = (await organization.request('GET', `/v1/blueprints/${blueprint.identifier}`)).body.blueprint;
      // relations show both booleans, also where they were left out
      expect(read).toMatchObject(blueprint);
    }
  });

  test('what is computed of its entities is right, whatever the order in which they come', async () => {
    for (const order of [integration.entities, integration.entities.toReversed()]) {
      const organization = await app.createOrganization();
      await install(organization, integration);
      for (const [blueprint, entity] of order) await write(organization, blueprint, entity);
      // a second resync changes nothing
      for (const [blueprint, entity] of order) await write(organization, blueprint, entity);
      await app.app.jobs.drain();
      expect(await found(organization, integration.expected)).toEqual(integration.expected);
    }
  });
});
