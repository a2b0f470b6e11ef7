import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { campaignsWorld, card, listOpen } from '../../../test/campaigns-world.ts';
import { issuePaths } from '../../../test/catalog-fixtures.ts';
import { exemptionsMax } from './exemptions.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const dayMs = 86_400_000;

async function world() {
  const found = await campaignsWorld(app);
  const path = `${found.scorecards}/ready/exemptions`;
  const day = (days: number) => new Date(app.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10);
  const body = (parts: object = {}) => ({ entities: ['b'], reason: 'Replaced in spring', until: day(30), ...parts });
  const exempt = async (parts: object = {}, token?: string) => {
    const answer = await found.request('POST', path, { body: body(parts), ...(token ? { token } : {}) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.exemptions;
  };
  const list = async (query = '', token?: string) =>
    (await found.request('GET', path + query, token ? { token } : {})).body.exemptions;
  return { ...found, path, day, exemption: body, exempt, list };
}

describe('an exemption', () => {
  test('is made, replaced and ended, and the journal keeps by whom and why', async () => {
    const { organization, request, path, day, exempt, list } = await world();
    const [made] = await exempt({ rule: 'booked' });
    expect(made).toMatchObject({
      entity: { identifier: 'b', title: 'B' },
      rule: 'booked',
      reason: 'Replaced in spring',
      until: day(30),
      createdBy: organization.clientId,
    });
    const [again] = await exempt({ rule: 'booked', reason: 'Later', until: day(60) });
    expect(again).toMatchObject({ id: made.id, reason: 'Later', until: day(60) });
    const [whole] = await exempt({ until: day(10) });
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([whole.id, made.id]);
    expect(await list('?entity=b')).toHaveLength(2);
    expect(await list('?entity=a')).toEqual([]);
    expect((await request('DELETE', `${path}/${made.id}`)).status).toBe(200);
    expect((await request('DELETE', `${path}/${made.id}`)).status).toBe(404);
    expect(await list()).toEqual([whole]);
    expect((await organization.journal()).filter((event) => event.startsWith('exemption.'))).toEqual([
      `exemption.created ${made.id}`,
      `exemption.updated ${made.id}`,
      `exemption.created ${whole.id}`,
      `exemption.deleted ${made.id}`,
    ]);
  });

  test('changes neither level nor results, and campaigns count the entity apart', async () => {
    const { organization, request, blueprint, create, progress, exempt, path } = await world();
    const id = await create();
    const read = async () => (await request('GET', `/v1/blueprints/${blueprint}/entities/b`)).body.entity;
    const before = await read();
    const [made] = await exempt({ rule: 'booked' });
    expect(await read()).toEqual(before);
    const found = await progress(id);
    expect(found).toMatchObject({ total: 4, reached: 2, exempt: 1 });
    expect(found.teams).toContainEqual({ team: 'core', total: 3, reached: 2, exempt: 1 });
    expect(await listOpen(organization, blueprint, found.openQuery)).toEqual(['d']);
    await request('DELETE', `${path}/${made.id}`);
    expect(await progress(id)).toMatchObject({ total: 4, reached: 2, exempt: 0 });
  });

  test('counts where it covers every rule of the target that the entity fails', async () => {
    const { create, progress, exempt } = await world();
    const level = await create();
    const rule = await create({ target: { rules: ['booked'] } });
    const low = await create({ target: { level: 'Bronze' } });
    // d fails both rules, b the second only, a none
    await exempt({ entities: ['a', 'b', 'd'], rule: 'booked' });
    expect(await progress(level)).toMatchObject({ reached: 2, exempt: 1 });
    expect(await progress(rule)).toMatchObject({ reached: 2, exempt: 2 });
    expect(await progress(low)).toMatchObject({ reached: 3, exempt: 0 });
    await exempt({ entities: ['d'], rule: 'tiered' });
    expect(await progress(level)).toMatchObject({ reached: 2, exempt: 2 });
    expect(await progress(low)).toMatchObject({ reached: 3, exempt: 1 });
  });

  test('of all rules covers those that are added later, and one of another scorecard covers nothing', async () => {
    const { request, scorecards, create, progress, exempt, exemption } = await world();
    const id = await create();
    expect((await request('POST', scorecards, { body: { ...card, identifier: 'other' } })).status).toBe(201);
    await app.app.jobs.drain();
    expect((await request('POST', `${scorecards}/other/exemptions`, { body: exemption() })).status).toBe(201);
    expect(await progress(id)).toMatchObject({ exempt: 0 });
    await exempt();
    const query = { combinator: 'and', conditions: [{ property: 'zone', operator: 'isNotEmpty' }] };
    const zoned = { identifier: 'zoned', title: 'zoned', level: 'Silver', query };
    await request('PUT', `${scorecards}/ready`, { body: { ...card, rules: [...card.rules, zoned] } });
    await app.app.jobs.drain();
    expect(await progress(id)).toMatchObject({ exempt: 1 });
  });

  test('holds to the end of its last day, and its end is told once', async () => {
    const { organization, create, progress, exempt, day, person } = await world();
    const id = await create();
    const [made] = await exempt({ until: day(1) });
    await person('ada@example.com', 'core');
    app.clock.advance(dayMs);
    await app.app.jobs.drain();
    const fresh = await organization.approverToken();
    expect(await progress(id, fresh)).toMatchObject({ exempt: 1 });
    app.clock.advance(dayMs);
    const later = await organization.approverToken();
    // before anything has swept it away
    expect(await progress(id, later)).toMatchObject({ exempt: 0 });
    await app.app.jobs.drain();
    app.clock.advance(dayMs);
    await app.app.jobs.drain();
    expect((await organization.journal()).filter((event) => event.startsWith('exemption.'))).toEqual([
      `exemption.created ${made.id}`,
      `exemption.deleted ${made.id}`,
    ]);
  });

  test('is refused for what is not there, with everything at once, and nothing is written', async () => {
    const { request, path, scorecards, blueprint, day, exemption } = await world();
    const before = await app.count('scorecard_exemptions');
    const refused = async (parts: object) => issuePaths((await request('POST', path, { body: exemption(parts) })).body);
    expect(await refused({ entities: ['a', 'none', 'a'], rule: 'gone', until: day(-1) })).toEqual([
      '/entities/1',
      '/entities/2',
      '/rule',
      '/until',
    ]);
    expect(await refused({ until: day(732) })).toEqual(['/until']);
    expect(await refused({ reason: '   ' })).toEqual(['/reason']);
    expect(await refused({ entities: [] })).toEqual(['/entities']);
    expect(await refused({ until: 'soon' })).toEqual(['/until']);
    for (const other of [
      `${scorecards}/none/exemptions`,
      `/v1/blueprints/none${path.slice(path.indexOf(blueprint) + blueprint.length)}`,
    ]) {
      expect((await request('POST', other, { body: exemption() })).status).toBe(404);
      expect((await request('GET', other)).status).toBe(404);
    }
    expect(await app.count('scorecard_exemptions')).toBe(before);
  });

  test('may be for today alone, and for two years', async () => {
    const { create, progress, exempt, day } = await world();
    const id = await create();
    await exempt({ until: day(0) });
    expect(await progress(id)).toMatchObject({ exempt: 1 });
    expect(await exempt({ until: day(731) })).toHaveLength(1);
  });

  test('is the only one of its rule, also when two are made at once', async () => {
    const { exempt, list } = await world();
    await Promise.all([exempt({ reason: 'One' }), exempt({ reason: 'Two' })]);
    expect(await list()).toHaveLength(1);
  });

  test('is ended once, also when two end it at the same time', async () => {
    const { organization, request, path, exempt } = await world();
    const [made] = await exempt();
    const answers = await Promise.all(Array.from({ length: 4 }, () => request('DELETE', `${path}/${made.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const ended = (await organization.journal()).filter((event) => event.startsWith('exemption.deleted'));
    expect(ended).toEqual([`exemption.deleted ${made.id}`]);
  });

  test('goes with its entity', async () => {
    const { request, blueprint, exempt, organization } = await world();
    await exempt();
    expect((await request('DELETE', `/v1/blueprints/${blueprint}/entities/b`)).status).toBe(200);
    expect(await app.count('scorecard_exemptions', organization.id)).toBe(0);
  });

  test('is one of so many that every look at a campaign can compare them', async () => {
    const { request, blueprint, path, exempt, organization, exemption } = await world();
    const names = Array.from({ length: exemptionsMax + 1 }, (_, index) => `n${index}`);
    for (let from = 0; from < names.length; from += 20) {
      const entities = names.slice(from, from + 20).map((identifier) => ({ identifier }));
      const answer = await request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body: { entities } });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }
    for (let from = 0; from < exemptionsMax; from += 100) await exempt({ entities: names.slice(from, from + 100) });
    const refused = await request('POST', path, { body: exemption({ entities: [names.at(-1)] }) });
    expect([refused.status, refused.body.error]).toEqual([409, 'limit_reached']);
    expect(await app.count('scorecard_exemptions', organization.id)).toBe(exemptionsMax);
  });
});

describe('who may exempt, and who hears of it', () => {
  test('whoever may make scorecards may; a member reads, and changes nothing', async () => {
    const { organization, request, path, exemption, exempt, list, allow } = await world();
    const token = await organization.memberToken();
    const [made] = await exempt();
    expect(await list('', token)).toEqual([made]);
    const before = await app.count('journal');
    const refusals = [
      await request('POST', path, { token, body: exemption() }),
      await request('DELETE', `${path}/${made.id}`, { token }),
    ];
    expect(refusals.map(({ status, body: { error } }) => [status, error])).toEqual([
      [403, 'missing_permissions'],
      [403, 'missing_permissions'],
    ]);
    expect(await app.count('journal')).toBe(before);
    await allow('_scorecard', { register: { roles: ['Admin', 'Member'] } });
    expect(await exempt({ rule: 'booked' }, token)).toHaveLength(1);
    expect((await request('DELETE', `${path}/${made.id}`, { token })).status).toBe(200);
  });

  test('an entity that the caller may not read is as one that is not there, with and without an exemption', async () => {
    const { organization, request, blueprint, path, exemption, exempt, list, allow, person, create, progress } =
      await world();
    const id = await create();
    const [made] = await exempt({ entities: ['b'] });
    const token = await person('ed@example.com', 'edge');
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: true } });
    await allow('_scorecard', { register: { roles: ['Admin', 'Member'] } });
    expect(await list('', token)).toEqual([]);
    expect(await list('?entity=b', token)).toEqual([]);
    const found = await progress(id, token);
    expect(found).toMatchObject({ total: 1, exempt: 0 });
    expect(JSON.stringify(found.openQuery)).not.toContain('$identifier');
    const ask = async (entity: string) => {
      const answer = await request('POST', path, { token, body: exemption({ entities: [entity] }) });
      expect(answer.status).toBe(422);
      return JSON.stringify(answer.body);
    };
    expect(await ask('b')).toBe(await ask('missing'));
    const end = async (name: string) => {
      const answer = await request('DELETE', `${path}/${name}`, { token });
      return JSON.stringify([answer.status, answer.body]).replaceAll(name, '*');
    };
    expect(await end(made.id)).toBe(await end('exemption_missing'));
    expect(await app.count('scorecard_exemptions', organization.id)).toBe(1);
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: false } });
    expect((await request('GET', path, { token })).status).toBe(404);
  });

  test('a restricted token needs the scopes of scorecards and of entities', async () => {
    const { request, path, exemption, exempt, create, progress } = await world();
    const id = await create();
    const [made] = await exempt();
    const tokenWith = async (...scopes: string[]) =>
      (await request('POST', '/v1/users/me/tokens', { body: { name: scopes.join(' '), scopes } })).body.accessToken;
    const status = async (method: string, token: string, to = path) =>
      (await request(method, to, { token, ...(method === 'POST' ? { body: exemption() } : {}) })).status;
    const one = `${path}/${made.id}`;
    const reader: string = await tokenWith('read:scorecards');
    expect(await status('GET', reader)).toBe(403);
    expect(await status('GET', await tokenWith('read:entities'))).toBe(403);
    expect(await status('GET', await tokenWith('read:scorecards', 'read:entities'))).toBe(200);
    expect(await status('POST', await tokenWith('update:scorecards'))).toBe(403);
    expect(await status('POST', await tokenWith('create:scorecards', 'read:*'))).toBe(403);
    expect(await status('DELETE', await tokenWith('delete:scorecards', 'read:*'), one)).toBe(403);
    expect(await status('POST', await tokenWith('update:scorecards', 'read:entities'))).toBe(201);
    // the query of open entities does not name the exempt ones to who may not be told of entities
    const narrow = await progress(id, reader);
    expect(narrow).toMatchObject({ exempt: 1 });
    expect(JSON.stringify(narrow.openQuery)).not.toContain('"b"');
    expect(await status('DELETE', await tokenWith('update:scorecards', 'read:blueprints'), one)).toBe(200);
  });

  test('exempt entities are not asked of their owners', async () => {
    const { request, create, exempt, person } = await world();
    const token = await person('ada@example.com', 'core');
    const mine = async () => {
      const answer = await request('GET', '/v1/users/me/campaigns', { token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.campaigns;
    };
    await create();
    expect(await mine()).toMatchObject([{ total: 3, open: 1, exempt: 0 }]);
    await exempt();
    expect(await mine()).toEqual([]);
  });
});

describe('what comes from outside', () => {
  test('of signs that no database keeps is refused or not found, and never fails inside', async () => {
    const { request, path, exemption } = await world();
    for (const sign of ['\u0000', '\ud800']) {
      const asked = async (parts: object) => (await request('POST', path, { body: exemption(parts) })).status;
      expect(await asked({ reason: `a${sign}b` })).toBeLessThan(500);
      expect(await asked({ entities: [`b${sign}`] })).toBe(422);
      expect(await asked({ rule: `booked${sign}` })).toBe(422);
    }
    for (const name of ['%00', '%F0%9F', encodeURIComponent("' or 1=1 --")]) {
      const ended = await request('DELETE', `${path}/${name}`);
      expect([400, 404, 422]).toContain(ended.status);
      const listed = await request('GET', `${path}?entity=${name}`);
      expect(listed.status).toBeLessThan(500);
    }
  });

  test('an exemption is ended under its own scorecard alone', async () => {
    const { request, scorecards, path, exempt, list } = await world();
    const [made] = await exempt();
    expect((await request('POST', scorecards, { body: { ...card, identifier: 'other' } })).status).toBe(201);
    expect((await request('DELETE', `${scorecards}/other/exemptions/${made.id}`)).status).toBe(404);
    expect(await list()).toHaveLength(1);
    expect((await request('DELETE', `${path}/${made.id}`)).status).toBe(200);
  });

  test('the audit log tells of an exemption who may read its entity, and nobody else', async () => {
    const { request, blueprint, exempt, allow, person } = await world();
    await exempt({ entities: ['b'], reason: 'Because of a secret plan' });
    const [ada, ed] = [await person('ada@example.com', 'core'), await person('ed@example.com', 'edge')];
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: true } });
    const records = async (token: string) => {
      const answer = await request('GET', `/v1/audit-log?entity=b`, { token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return JSON.stringify(answer.body);
    };
    expect(await records(ada)).toContain('Because of a secret plan');
    expect(await records(ed)).not.toContain('secret plan');
  });

  test('an exemption leaves the history of its entity alone', async () => {
    const { request, blueprint, exempt, path } = await world();
    const read = async () => (await request('GET', `/v1/blueprints/${blueprint}/entities/b/timeline`)).body;
    const before = await read();
    const [made] = await exempt();
    await request('DELETE', `${path}/${made.id}`);
    expect(await read()).toEqual(before);
  });
});
