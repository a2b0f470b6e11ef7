import { blueprintLine, entityLine, portalLine } from '@portolan/contract/transfer-file';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { rounds } from '../../../test/rounds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const all = ['service-catalog', 'delivery', 'incidents', 'kubernetes', 'security'];
type Changes = readonly { id: string; change: string; reason?: string; renamedTo?: string; entities?: number }[];

const post = (organization: TestOrganization, pack: string, verb: string, body: object = {}) =>
  organization.request('POST', `/v1/packs/${pack}/${verb}`, { body });
async function install(organization: TestOrganization, pack: string, body: object = {}): Promise<Changes> {
  const { status, body: answer } = await post(organization, pack, 'install', body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.changes;
}
async function remove(organization: TestOrganization, pack: string, body: object = {}): Promise<Changes> {
  const { status, body: answer } = await post(organization, pack, 'remove', body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer.changes;
}
const changeOf = (changes: Changes, id: string) => changes.find((each) => each.id === id);
const upsert = (organization: TestOrganization, blueprint: string, body: object) =>
  organization.request('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, { body });

/** Everything of an organization as an export writes it; relations of results come and go with results. */
async function exportText(organization: TestOrganization): Promise<string> {
  const read = async (path: string) => (await organization.request('GET', path)).body;
  const lines: string[] = [];
  for (const blueprint of (await read('/v1/blueprints')).blueprints) {
    const { relations } = blueprint;
    const own = Object.entries(relations).filter(([, each]) => (each as { type?: string }).type === undefined);
    lines.push(blueprintLine({ ...blueprint, relations: Object.fromEntries(own) }));
    const path = `/v1/blueprints/${blueprint.identifier}`;
    lines.push(JSON.stringify((await read(`${path}/permissions`)).permissions));
    for (const each of (await read(`${path}/scorecards`)).scorecards ?? []) lines.push(portalLine('scorecard', each));
    for (const each of (await read(`${path}/entities`)).entities ?? [])
      lines.push(entityLine(blueprint.identifier, each));
  }
  for (const each of (await read('/v1/actions')).actions) {
    const { permissions } = await read(`/v1/actions/${each.identifier}/permissions`);
    lines.push(portalLine('action', each, permissions));
  }
  for (const each of (await read('/v1/pages')).pages) {
    const { permissions } = await read(`/v1/pages/${encodeURIComponent(each.identifier)}/permissions`);
    lines.push(portalLine('page', each, permissions));
  }
  return lines.join('\n');
}

/** An organization with a model of its own that the packs have to live beside. */
async function organizationWithServices(): Promise<TestOrganization> {
  const organization = await app.createOrganization();
  const blueprint = {
    identifier: 'service',
    title: 'Our service',
    schema: { properties: { tier: { type: 'number' }, language: { type: 'string', title: 'Written in' } } },
  };
  expect((await organization.request('POST', '/v1/blueprints', { body: blueprint })).status).toBe(201);
  await upsert(organization, 'service', { identifier: 'api', title: 'API', properties: { tier: 1, language: 'Go' } });
  const scorecard = {
    identifier: 'ours',
    title: 'Ours',
    rules: [
      {
        identifier: 'named',
        title: 'Named',
        level: 'Gold',
        query: { combinator: 'and', conditions: [{ property: '$title', operator: 'isNotEmpty' }] },
      },
    ],
  };
  await organization.request('POST', '/v1/blueprints/service/scorecards', { body: scorecard });
  return organization;
}

describe('what installing and removing leave', () => {
  test('any packs in any order, removed in any order, leave the export byte-equal', async () => {
    const orders = fc.tuple(fc.shuffledSubarray(all, { minLength: 1 }), fc.infiniteStream(fc.nat(10)), fc.boolean());
    await fc.assert(
      fc.asyncProperty(orders, async ([packs, draws, hasOwnModel]) => {
        const organization = hasOwnModel ? await organizationWithServices() : await app.createOrganization();
        const before = await exportText(organization);
        const resolutions = { 'property:service/tier': 'rename' };
        for (const pack of packs) await install(organization, pack, { resolutions });
        const left = [...packs];
        while (left.length > 0) {
          const [pack = ''] = left.splice((draws.next().value ?? 0) % left.length, 1);
          const changes = await remove(organization, pack);
          expect(changes.filter(({ change }) => change === 'kept')).toEqual([]);
        }
        expect(await exportText(organization)).toBe(before);
        expect(await app.count('pack_items', organization.id)).toBe(0);
      }),
      { numRuns: rounds(4) },
    );
  }, 180_000);

  test('every model can be installed in an organization of the first model too', async () => {
    const organization = await app.createOrganization({ model: 'legacy' });
    for (const pack of all) await install(organization, pack);
    const { packs } = (await organization.request('GET', '/v1/packs')).body;
    expect(packs.every(({ installed }: { installed: object | null }) => installed !== null)).toBe(true);
  });
});

describe('installing', () => {
  test('extends a blueprint that is there, and says beforehand what it would do', async () => {
    const organization = await organizationWithServices();
    const resolutions = { 'property:service/tier': 'skip' };
    const planned = await post(organization, 'service-catalog', 'plan', { resolutions });
    expect(await app.count('packs', organization.id)).toBe(0);
    const done = await install(organization, 'service-catalog', { resolutions });
    expect(planned.body.changes).toEqual(done);
    expect(changeOf(done, 'blueprint:service')?.change).toBe('same');
    expect(changeOf(done, 'property:service/language')?.change).toBe('same');
    expect(changeOf(done, 'property:service/lifecycle')?.change).toBe('new');
    const { blueprint } = (await organization.request('GET', '/v1/blueprints/service')).body;
    expect(blueprint).toMatchObject({ title: 'Our service' });
    expect(blueprint.schema.properties).toMatchObject({ tier: { type: 'number' }, language: { title: 'Written in' } });
    expect(blueprint.relations.domain).toMatchObject({ target: 'domain' });
  });

  test('a conflict is a question; nothing is written until it is answered', async () => {
    const organization = await organizationWithServices();
    const before = await exportText(organization);
    const refused = await post(organization, 'service-catalog', 'install');
    expect(refused.status).toBe(422);
    expect(refused.body.details[0].path).toBe('/resolutions/property:service~1tier');
    expect(await exportText(organization)).toBe(before);
  });

  test('what is renamed is renamed wherever the model uses it', async () => {
    const organization = await app.createOrganization();
    const properties = { criticalVulnerabilities: { type: 'string' } };
    const body = { identifier: 'service', title: 'Service', schema: { properties } };
    await organization.request('POST', '/v1/blueprints', { body });
    const id = 'aggregation:service/criticalVulnerabilities';
    const changes = await install(organization, 'security', { resolutions: { [id]: 'rename' } });
    expect(changeOf(changes, id)).toMatchObject({ change: 'renamed', renamedTo: 'criticalVulnerabilities_security' });
    const { scorecard } = (await organization.request('GET', '/v1/blueprints/service/scorecards/security_posture'))
      .body;
    expect(scorecard.rules[0].query.conditions[0].property).toBe('criticalVulnerabilities_security');
  });

  test('is refused twice, for members, and for a model that does not exist', async () => {
    const organization = await app.createOrganization();
    await install(organization, 'incidents');
    expect((await post(organization, 'incidents', 'install')).body.error).toBe('identifier_taken');
    expect((await post(organization, 'nothing', 'install')).body.error).toBe('not_found');
    const token = await organization.memberToken();
    for (const verb of ['plan', 'install', 'remove']) {
      const answer = await organization.request('POST', `/v1/packs/kubernetes/${verb}`, { body: {}, token });
      expect(answer.body.error).toBe('missing_permissions');
    }
    expect((await organization.request('GET', '/v1/packs', { token })).status).toBe(200);
  });

  test('a restricted token installs and removes only what it may make and delete itself', async () => {
    const organization = await app.createOrganization();
    const tokenWith = async (scopes: readonly string[]) =>
      (await organization.request('POST', '/v1/users/me/tokens', { body: { name: scopes.join(' '), scopes } })).body
        .accessToken;
    const made = ['blueprints', 'scorecards', 'actions', 'pages'];
    const verbs = made.map((each) => `create:${each}`);
    const ask = (verb: string, token: string) =>
      organization.request('POST', `/v1/packs/service-catalog/${verb}`, { body: {}, token });
    for (const missing of [...verbs, 'update:blueprints']) {
      const scopes = [...verbs, 'update:blueprints'].filter((each) => each !== missing);
      expect((await ask('install', await tokenWith(scopes))).body.error).toBe('insufficient_scope');
    }
    expect((await ask('install', await tokenWith([...verbs, 'update:blueprints']))).status).toBe(201);
    expect((await ask('remove', await tokenWith([...verbs, 'delete:blueprints']))).body.error).toBe(
      'insufficient_scope',
    );
    const enough = ['update:blueprints', ...made.map((each) => `delete:${each}`)];
    expect((await ask('remove', await tokenWith(enough))).status).toBe(200);
  });

  test('records every item and the installation', async () => {
    const organization = await app.createOrganization();
    await install(organization, 'service-catalog');
    const journal = await organization.journal();
    for (const line of [
      'blueprint.created service',
      'scorecard.created production_readiness',
      'pack.installed service-catalog',
    ]) {
      expect(journal).toContain(line);
    }
  });
});

describe('removing', () => {
  test('leaves what people changed, and what they built on', async () => {
    const organization = await app.createOrganization();
    await install(organization, 'service-catalog');
    await organization.request('PATCH', '/v1/blueprints/domain', { body: { title: 'Area' } });
    const page = (await organization.request('GET', '/v1/pages/ownership')).body.page;
    await organization.request('PUT', '/v1/pages/ownership', { body: { ...page, title: 'Who owns what' } });
    const planned = await post(organization, 'service-catalog', 'plan', { for: 'remove' });
    const changes = await remove(organization, 'service-catalog');
    expect(planned.body.changes).toEqual(changes);
    expect(changeOf(changes, 'page:ownership')).toMatchObject({ change: 'kept', reason: 'It was changed since' });
    expect(changeOf(changes, 'blueprint:domain')).toMatchObject({ change: 'kept' });
    // what stays still counts services, so they stay too
    expect(changeOf(changes, 'blueprint:service')).toMatchObject({ change: 'kept' });
    expect(changeOf(changes, 'blueprint:repository')).toMatchObject({ change: 'kept' });
    expect(changeOf(changes, 'action:register_service')?.change).toBe('removed');
    expect((await organization.request('GET', '/v1/blueprints/service')).status).toBe(200);
  });

  test('a blueprint with entities goes only with their confirmed number', async () => {
    const organization = await app.createOrganization();
    await install(organization, 'incidents');
    for (const identifier of ['one', 'two']) await upsert(organization, 'incident', { identifier });
    const kept = (await post(organization, 'incidents', 'plan', { for: 'remove' })).body.changes;
    expect(changeOf(kept, 'blueprint:incident')).toMatchObject({ change: 'kept', entities: 2 });
    const wrong = { for: 'remove', deleteEntities: { incident: 3 } };
    expect(
      changeOf((await post(organization, 'incidents', 'plan', wrong)).body.changes, 'blueprint:incident')?.change,
    ).toBe('kept');
    const changes = await remove(organization, 'incidents', { deleteEntities: { incident: 2 } });
    expect(changes.every(({ change }) => change === 'removed')).toBe(true);
    expect((await organization.request('GET', '/v1/blueprints/incident')).status).toBe(404);
  });

  test('values in a blueprint of the organization stay unless that is wanted', async () => {
    const organization = await organizationWithServices();
    const resolutions = { 'property:service/tier': 'skip' };
    await install(organization, 'service-catalog', { resolutions });
    await upsert(organization, 'service', { identifier: 'api', properties: { tier: 1, lifecycle: 'production' } });
    const changes = await remove(organization, 'service-catalog');
    expect(changeOf(changes, 'property:service/lifecycle')).toMatchObject({ change: 'kept' });
    expect(changeOf(changes, 'property:service/summary')).toMatchObject({ change: 'removed' });
  });

  test('is refused for a model that is not installed', async () => {
    const organization = await app.createOrganization();
    expect((await post(organization, 'delivery', 'remove')).body.error).toBe('not_found');
  });
});

test('the action of the service catalog registers a service without a backend', async () => {
  const organization = await app.createOrganization();
  await install(organization, 'service-catalog');
  const body = { properties: { name: 'Payments API', summary: 'Takes money' } };
  const started = await organization.request('POST', '/v1/actions/register_service/runs', { body });
  expect(started.status, JSON.stringify(started.body)).toBeLessThan(300);
  await app.app.jobs.drain();
  const { entity } = (await organization.request('GET', '/v1/blueprints/service/entities/payments-api')).body;
  expect(entity).toMatchObject({ title: 'Payments API', properties: { summary: 'Takes money' } });
});
