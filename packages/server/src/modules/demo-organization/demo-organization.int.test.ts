import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity } from '../../../test/catalog-fixtures.ts';
import { onlyOn } from '../../../test/database.ts';
import { readCookie, redeemFor, type SignedIn, signInAs } from '../../../test/sign-in-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (const [name, role] of [
    ['root', 'Admin'],
    ['jo', 'Member'],
  ]) {
    const properties = { status: 'Active', port_role: role };
    await createEntity(app.request, '_user', { identifier: `${name}@example.com`, properties });
    await redeemFor(app, `${name}@example.com`, password);
  }
});
afterAll(() => app.close());

const password = 'correct horse battery';
const path = '/v1/organization/demo';
const confirmed = `${path}?confirm=Halyard%20Freight`;

/** The demo beside the organization of the tests, which may be there from a test before. */
async function demo(): Promise<string> {
  const made = await app.request('POST', path);
  if (made.status === 201) return made.body.demo.id;
  return (await app.request('GET', path)).body.demo.id;
}

async function removed(): Promise<string> {
  const id = await demo();
  const answer = await app.request('DELETE', confirmed);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return id;
}

const as = ({ cookie, csrf }: Pick<SignedIn, 'cookie' | 'csrf'>, method: string, address: string, body?: unknown) =>
  app.request(method, address, { token: null, body, headers: { cookie, 'x-csrf-token': csrf } });

async function enter(from: Pick<SignedIn, 'cookie' | 'csrf'>, id: string): Promise<SignedIn> {
  const answer = await as(from, 'POST', `/v1/auth/organizations/${id}/enter`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { csrfToken: csrf } = answer.body;
  return { cookie: readCookie(answer.headers['set-cookie']), csrf, body: answer.body };
}

/** Everything an organization has in the tables of the schema, as the database writes it. */
async function readAll(orgId: string): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const table of await app.tenantTables()) {
    const row = await app.database.first<{ text: string }>(sql`
      select coalesce(string_agg(t::text, ';' order by t::text), '') as text from ${raw(table)} t
      where org_id = ${orgId} /* all organizations */`);
    if (row?.text) read[table] = row.text;
  }
  return read;
}

describe('making the demo', () => {
  test('it is an organization of its own, with the demo data, and the own one stays as it was', async () => {
    const own = await app.createOrganization();
    const before = await readAll(own.id);
    const made = await own.request('POST', path);
    expect(made.status).toBe(201);
    expect(made.body.demo).toMatchObject({ name: 'Halyard Freight', isBeingRemoved: false });
    expect((await own.request('GET', path)).body).toEqual({ ok: true, demo: made.body.demo, isOffered: true });
    expect(await app.count('entities', made.body.demo.id)).toBeGreaterThan(150);
    const after = await readAll(own.id);
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual(['journal']);
    expect((await own.journal()).at(-1)).toBe(`demo_organization.created ${made.body.demo.id}`);
  });

  test('of two who ask at once one makes it, and nothing is left of the other', async () => {
    const own = await app.createOrganization();
    const count = async () => (await app.operator('GET', '/v1/operator/organizations')).body.organizations.length;
    const before = await count();
    const answers = await Promise.all([own.request('POST', path), own.request('POST', path)]);
    expect(answers.map(({ status, body }) => [status, body.error]).sort()).toEqual([
      [201, undefined],
      [409, 'identifier_taken'],
    ]);
    expect(await count()).toBe(before + 1);
  });

  test('only an administrator makes and removes one', async () => {
    const token = await app.organization.memberToken();
    for (const [method, address] of [
      ['POST', path],
      ['DELETE', confirmed],
    ] as const) {
      const answer = await app.request(method, address, { token });
      expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
    }
  });
});

describe('entering the demo and going back', () => {
  test('a person is in the demo who they are at home, and at home again with the session they came from', async () => {
    const id = await demo();
    for (const [email, role] of [
      ['root@example.com', 'Admin'],
      ['jo@example.com', 'Member'],
    ] as const) {
      const home = await signInAs(app, email, password);
      expect(home.body.otherOrganization).toEqual({ id, name: 'Halyard Freight', isDemo: true });
      const there = await enter(home, id);
      expect(there.body).toMatchObject({
        // so that what asks for services of own teams has some
        user: { email, teams: [{ identifier: 'developer-platform', name: 'Developer Platform' }] },
        roles: [role],
        organization: { id, isDemo: true },
        otherOrganization: { id: app.organization.id, isDemo: false },
      });
      expect((await as(there, 'GET', '/v1/blueprints/service')).status).toBe(200);
      const back = await enter(there, app.organization.id);
      expect(back.body).toMatchObject({ user: { email }, organization: { id: app.organization.id, isDemo: false } });
      expect(back.body.session.expiresAt).toBe(home.body.session.expiresAt);
      app.clock.advance(1_001);
      for (const old of [home, there]) expect((await as(old, 'GET', '/v1/auth/me')).status).toBe(401);
    }
  });

  test('the session in the demo ends with the one at home, and so does the way back', async () => {
    const id = await demo();
    const home = await signInAs(app, 'jo@example.com', password);
    const there = await enter(home, id);
    await as(await signInAs(app, 'jo@example.com', password), 'DELETE', '/v1/auth/sessions');
    app.clock.advance(1_001);
    expect((await as(there, 'GET', '/v1/auth/me')).status).toBe(401);
  });

  test('signing out of the demo ends the session at home too', async () => {
    const home = await signInAs(app, 'jo@example.com', password);
    const there = await enter(home, await demo());
    expect((await as(there, 'POST', '/v1/auth/sign-out')).status).toBe(200);
    app.clock.advance(1_001);
    for (const old of [home, there]) expect((await as(old, 'GET', '/v1/auth/me')).status).toBe(401);
  });

  test('nobody enters with a token, without the proof of the page, or an organization that is not theirs', async () => {
    const id = await demo();
    const stranger = await app.createOrganization();
    const foreign = (await stranger.request('POST', path)).body.demo.id;
    const address = (organization: string) => `/v1/auth/organizations/${organization}/enter`;
    const home = await signInAs(app, 'root@example.com', password);
    expect((await app.request('POST', address(id))).status).toBe(403);
    expect((await as({ ...home, csrf: 'x' }, 'POST', address(id))).body.error).toBe('csrf_token_invalid');
    for (const other of [stranger.id, foreign, app.organization.id, 'org_none']) {
      expect((await as(home, 'POST', address(other))).status, other).toBe(404);
    }
    const there = await enter(home, id);
    for (const other of [stranger.id, foreign, id]) {
      expect((await as(there, 'POST', address(other))).status, other).toBe(404);
    }
  });

  test('a user of the demo that nobody entered as gets no way out of it', async () => {
    const id = await demo();
    const there = await enter(await signInAs(app, 'root@example.com', password), id);
    // an administrator of the demo names a user as somebody of the own organization is named, and takes the account
    await as(there, 'POST', '/v1/blueprints/_user/entities', {
      identifier: 'boss@example.com',
      properties: { status: 'Active', port_role: 'Admin' },
    });
    await createEntity(app.request, '_user', { identifier: 'boss@example.com', properties: { status: 'Active' } });
    const link = await as(there, 'POST', '/v1/auth/password-links', { email: 'boss@example.com' });
    const redeemed = await app.request('POST', '/v1/auth/password-links/redeem', {
      token: null,
      body: { token: link.body.token, password },
    });
    const taken = { cookie: readCookie(redeemed.headers['set-cookie']), csrf: redeemed.body.csrfToken };
    const out = await as(taken, 'POST', `/v1/auth/organizations/${app.organization.id}/enter`);
    expect([out.status, out.body.error]).toEqual([401, 'unauthorized']);
  });
});

describe('removing the demo', () => {
  test('it asks for the name, from the own organization', async () => {
    const id = await demo();
    for (const address of [path, `${path}?confirm=halyard`]) {
      const refused = await app.request('DELETE', address);
      expect([refused.status, refused.body.details]).toEqual([
        422,
        [
          {
            path: '{query}/confirm',
            message: 'must be the name of the demo, Halyard Freight, which goes with everything in it',
          },
        ],
      ]);
    }
    const there = await enter(await signInAs(app, 'root@example.com', password), id);
    const inside = await as(there, 'DELETE', confirmed);
    expect(inside.status).toBe(404);
    expect(inside.body.message).toContain('go back to your own');
    expect((await as(there, 'POST', path)).status).toBe(404);
    expect((await app.request('GET', path)).body.demo.isBeingRemoved).toBe(false);
  });

  test('an organization that is no demo is not removed this way', async () => {
    const own = await app.createOrganization({ name: 'Halyard Freight' });
    expect((await own.request('DELETE', confirmed)).status).toBe(404);
    expect((await own.request('GET', '/v1/organization')).status).toBe(200);
  });

  test('nothing of it stays in any table, and every other organization is as it was', async () => {
    const other = await app.createOrganization();
    await other.request('POST', path);
    const otherDemo = (await other.request('GET', path)).body.demo.id;
    const id = await demo();
    await app.app.jobs.drain();
    const kept = [other.id, otherDemo];
    const before = await Promise.all(kept.map(readAll));
    const own = await readAll(app.organization.id);
    expect(Object.keys(await readAll(id)).length).toBeGreaterThan(12);
    await removed();
    await app.app.jobs.drain();
    expect(await readAll(id)).toEqual({});
    expect((await app.operator('GET', `/v1/operator/organizations/${id}`)).status).toBe(404);
    expect(await Promise.all(kept.map(readAll))).toEqual(before);
    const after = await readAll(app.organization.id);
    expect(Object.keys(after).filter((table) => after[table] !== own[table])).toEqual(['journal']);
    expect((await app.organization.journal()).at(-1)).toBe(`demo_organization.removed ${id}`);
    expect((await app.request('GET', path)).body.demo).toBeNull();
    expect((await app.request('POST', path)).status).toBe(201);
  });

  test('sessions and tokens in it end at once with a sentence, and its jobs are not run', async () => {
    const id = await demo();
    const there = await enter(await signInAs(app, 'root@example.com', password), id);
    const issued = await as(there, 'POST', '/v1/users/me/tokens', { name: 'for the demo' });
    const token: string = issued.body.accessToken;
    expect((await app.request('GET', '/v1/blueprints', { token })).status).toBe(200);
    await removed();
    expect(await app.count('jobs', id)).toBe(0);
    app.clock.advance(1_001);
    const answers = async (): Promise<Answer[]> => [
      await as(there, 'GET', '/v1/blueprints'),
      await app.request('GET', '/v1/blueprints', { token }),
    ];
    for (const answer of [...(await answers()), ...(await app.app.jobs.drain().then(answers))]) {
      expect([answer.status, answer.body.message]).toEqual([401, 'This organization was removed; sign in to your own']);
    }
  });

  test('what was being written meanwhile and comes after goes with the next sweep', async () => {
    const id = await removed();
    await app.app.jobs.drain();
    await app.database.transaction((tx) =>
      tx.execute(sql`insert into checklists (org_id, is_dismissed) values (${id}, true)`),
    );
    app.clock.advance(11 * 60_000);
    await app.app.jobs.drain();
    expect(await readAll(id)).toEqual({});
  });

  test('a removed organization is forgotten when nothing can come after any more', async () => {
    const alone = await createTestApp();
    try {
      await alone.request('POST', path);
      await alone.request('DELETE', confirmed);
      await alone.app.jobs.drain();
      expect(await alone.count('removed_organizations')).toBe(1);
      alone.clock.advance(3 * 24 * 60 * 60_000);
      await alone.app.jobs.drain();
      expect(await alone.count('removed_organizations')).toBe(0);
    } finally {
      await alone.close();
    }
  });

  test('the operator who deletes an organization deletes its demo with it', async () => {
    const own = await app.createOrganization();
    const id = (await own.request('POST', path)).body.demo.id;
    await app.operator('DELETE', `/v1/operator/organizations/${own.id}`);
    expect(await readAll(id)).toEqual({});
    expect((await app.operator('GET', `/v1/operator/organizations/${id}`)).status).toBe(404);
  });
});

onlyOn('postgres', 'two transactions are open at once', () => {
  test('a write in flight while it is removed leaves nothing', async () => {
    const id = await demo();
    let writing: Promise<unknown> = Promise.resolve();
    await new Promise<void>((begun) => {
      let commit = (): void => undefined;
      const mayCommit = new Promise<void>((resolve) => {
        commit = resolve;
      });
      writing = app.database.transaction(async (tx) => {
        await tx.execute(sql`insert into checklists (org_id) values (${id})`);
        begun();
        await mayCommit;
      });
      void removed()
        .then(() => app.app.jobs.drain())
        .then(commit);
    });
    await writing;
    expect(Object.keys(await readAll(id))).toEqual(['checklists']);
    app.clock.advance(11 * 60_000);
    await app.app.jobs.drain();
    expect(await readAll(id)).toEqual({});
  });
});
