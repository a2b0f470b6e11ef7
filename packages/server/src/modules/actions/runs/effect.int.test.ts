import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity, unique } from '../../../../test/catalog-fixtures.ts';

/** The public address of the application under test; no server listens there. */
const home = 'http://127.0.0.1:3000';

let app: TestApp;
let world: ActionWorld;
let member: string;
beforeAll(async () => {
  app = await createTestApp();
  world = await createActionWorld(app);
  member = (await person('Member')).token;
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});

async function person(role: string) {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: role } });
  return { id, token: await app.organization.personToken(id) };
}

let thing: string;
let part: string;
let note: string;
beforeEach(async () => {
  thing = await createBlueprint(app.request, 'thing', { properties: { tier: { type: 'string', title: 'Tier' } } });
  const to = (required: boolean) => ({ relations: { of: { target: thing, required } } });
  part = await createBlueprint(app.request, 'part', to(true));
  note = await createBlueprint(app.request, 'note', to(false));
  await createEntity(app.request, thing, { identifier: 'edi', title: 'EDI Bridge', properties: { tier: 'A' } });
  await createEntity(app.request, part, { identifier: 'p1', relations: { of: 'edi' } });
  await createEntity(app.request, part, { identifier: 'p2', relations: { of: 'edi' } });
  await createEntity(app.request, note, { identifier: 'n1', relations: { of: 'edi' } });
});

const input = { properties: { tier: { type: 'string' } } };

/** Starts a run that waits for approval, and answers what a decider reads. */
async function decision(invocationMethod: object, properties: object, approver?: { id: string; token: string }) {
  const name = await world.action(invocationMethod, { requiredApproval: true }, input);
  if (approver) {
    const body = { approve: { users: [approver.id] } };
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body });
  }
  const { token } = approver ?? (await person('Admin'));
  const started = await world.start(name, { properties }, { token: member });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  const { id } = started.body.run;
  const read = await app.request('GET', `${runsPath}/${id}/decision`, { token });
  expect(read.status, JSON.stringify(read.body)).toBe(200);
  return { id: id as string, token, effect: read.body.decision.effect };
}

const upsert = (identifier: string) => ({
  type: 'UPSERT_ENTITY',
  blueprintIdentifier: thing,
  mapping: { identifier, properties: { tier: '{{ .inputs.tier }}' } },
});
const remove = (query = '') => ({
  type: 'WEBHOOK',
  method: 'DELETE',
  url: `${home}/v1/blueprints/${thing}/entities/edi${query}`,
  synchronized: true,
});

describe('the effect of a run that waits', () => {
  test('of an upsert is what the approved run then does, and nothing is written before', async () => {
    const { id, token, effect } = await decision(upsert('edi'), { tier: 'B' });
    expect(effect).toMatchObject({
      certainty: 'exact',
      summary: { verb: 'change', count: 1 },
      changes: [
        {
          identifier: 'edi',
          title: 'EDI Bridge',
          fields: [{ key: 'tier', title: 'Tier', before: 'A', after: 'B' }],
        },
      ],
      isPartial: false,
      problems: [],
    });
    expect((await readEntity(app.request, thing, 'edi')).properties.tier).toBe('A');
    await app.request('PATCH', `${runsPath}/${id}/approval`, { body: { status: 'APPROVE' }, token });
    await app.app.jobs.drain();
    expect((await readEntity(app.request, thing, 'edi')).properties.tier).toBe('B');
  });

  test('of an upsert without a difference is nothing, and of a new entity its creation', async () => {
    const same = await decision(upsert('edi'), { tier: 'A' });
    expect(same.effect).toMatchObject({ certainty: 'exact', summary: { verb: 'nothing', count: 0 }, changes: [] });
    const made = await decision(upsert('new'), { tier: 'C' });
    expect(made.effect).toMatchObject({ certainty: 'exact', summary: { verb: 'create', count: 1 } });
    expect((await app.request('GET', entityPath(thing, 'new'))).status).toBe(404);
  });

  test('of a deletion over the own API counts what goes along and what still leads there', async () => {
    const { effect } = await decision(remove('?delete_dependents=true'), {});
    expect(effect).toMatchObject({
      certainty: 'exact',
      summary: { verb: 'delete', count: 3 },
      changes: [{ identifier: 'edi', title: 'EDI Bridge' }],
      dependents: [{ blueprint: { identifier: part }, count: 2 }],
      referencedBy: [{ blueprint: { identifier: note }, count: 1, sample: [{ identifier: 'n1' }] }],
      isReversible: false,
    });
    expect((await app.request('GET', entityPath(thing, 'edi'))).status).toBe(200);
    expect((await app.request('GET', entityPath(part, 'p1'))).status).toBe(200);
  });

  test('of a deletion that would be refused says so', async () => {
    const { effect } = await decision(remove(), {});
    expect(effect).toMatchObject({ certainty: 'unknown', problems: [expect.stringContaining('require')] });
  });

  test('of a call to somebody else is not guessed', async () => {
    const { effect } = await decision(world.hook({ method: 'DELETE' }), {});
    expect(effect).toMatchObject({
      certainty: 'unknown',
      summary: { verb: 'call' },
      target: new URL(world.receiver.url).host,
      changes: [],
    });
    const url = `${home}/v1/teams`;
    const body = { name: 'T' };
    const declared = await decision({ type: 'WEBHOOK', method: 'POST', url, body, synchronized: true }, {});
    expect(declared.effect).toMatchObject({ certainty: 'declared', changes: [] });
    expect(declared.effect.target).toEqual(expect.any(String));
  });

  test('tells an approver nothing of entities that they may not read', async () => {
    const approver = await person('Member');
    for (const blueprint of [thing, part, note]) {
      const body = { entities: { read: { roles: ['Admin'] } } };
      await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body });
    }
    const changed = await decision(upsert('edi'), { tier: 'B' }, approver);
    expect(changed.effect).toMatchObject({ summary: { verb: 'change' }, changes: [], isPartial: true });
    expect(JSON.stringify(changed.effect)).not.toMatch(/"A"|EDI Bridge/);
    const deleted = await decision(remove('?delete_dependents=true'), {}, approver);
    expect(deleted.effect).toMatchObject({
      summary: { verb: 'delete', count: 0 },
      changes: [],
      dependents: [],
      referencedBy: [],
      isPartial: true,
    });
    expect(JSON.stringify(deleted.effect)).not.toMatch(/p1|p2|n1|EDI Bridge/);
    const refused = await decision(remove(), {}, approver);
    expect(JSON.stringify(refused.effect)).not.toMatch(/p1|p2/);
  });
});

describe('the preview of a deletion', () => {
  const preview = (query = '', options: object = {}) =>
    app.request('GET', `${entityPath(thing, 'edi')}/deletion${query}`, options);

  test('is refused as the deletion would be, and deletes nothing', async () => {
    expect((await preview()).body.error).toBe('has_dependents');
    expect((await preview('', { token: member })).status).toBe(403);
    const { body } = await preview('?delete_dependents=true');
    expect(body.effect).toMatchObject({ certainty: 'exact', dependents: [{ count: 2 }], referencedBy: [{ count: 1 }] });
    expect((await app.request('GET', entityPath(part, 'p1'))).status).toBe(200);
    const other = await app.createOrganization();
    expect((await other.request('GET', `${entityPath(thing, 'edi')}/deletion`)).status).toBe(404);
  });
});
