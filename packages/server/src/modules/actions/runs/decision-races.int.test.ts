import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import type { Engine } from '../../../platform/db/engine.ts';

/** A change made once, between reading the rights and the decision, in the decision's own transaction. */
let meanwhile: { readonly text: string; readonly values: readonly unknown[] } | undefined;
let happened = 0;

const interfering = (engine: Engine): Engine => ({
  ...engine,
  connect: async () => {
    const connection = await engine.connect();
    return {
      query: async (text, values) => {
        if (meanwhile && /from action_runs r.*for no key update/s.test(text)) {
          const { text: change, values: parameters } = meanwhile;
          meanwhile = undefined;
          happened += (await connection.query(change, parameters)).rowCount;
        }
        return connection.query(text, values);
      },
      script: (text) => connection.script(text),
      release: (broken) => connection.release(broken),
    };
  },
});

let app: TestApp;
let world: ActionWorld;
beforeAll(async () => {
  app = await createTestApp({ watch: interfering });
  world = await createActionWorld(app);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(() => {
  happened = 0;
  world.receiver.received.length = 0;
});

async function person(role: string) {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: role } });
  return { id, token: await app.organization.personToken(id) };
}

interface Parts {
  readonly orgId: string;
  readonly name: string;
  readonly asker: string;
  readonly decider: string;
}

const ofUser = (set: string, who: 'asker' | 'decider') => (parts: Parts) => ({
  text: `update users set ${set} where org_id = $1 and identifier = $2`,
  values: [parts.orgId, parts[who]],
});
const ofAction =
  (set: string) =>
  ({ orgId, name }: Parts) => ({
    text: `update actions set ${set} where org_id = $1 and identifier = $2`,
    values: [orgId, name],
  });

test.each([
  ['whoever decides is disabled', ofUser("status = 'Disabled'", 'decider'), 403],
  ['whoever decides is an administrator no more', ofUser("role = 'Member'", 'decider'), 403],
  ['whoever asked is disabled', ofUser("status = 'Disabled'", 'asker'), 403],
  ['others may approve', ofAction(`permissions = '{"approve":{"users":["x@example.com"]}}'`), 409],
  ['the action is another', ofAction('version = version + 1'), 409],
])('nothing is approved when, at that moment, %s', async (_what, change, status) => {
  const [asker, decider] = [await person('Member'), await person('Admin')];
  const name = await world.action(world.hook(), { requiredApproval: true });
  const { id } = (await world.start(name, { properties: {} }, { token: asker.token })).body.run;
  await app.app.jobs.drain();
  meanwhile = change({ orgId: app.organization.id, name, asker: asker.id, decider: decider.id });
  const decide = { body: { status: 'APPROVE' }, token: decider.token };
  const answered = await app.request('PATCH', `${runsPath}/${id}/approval`, decide);
  expect([answered.status, happened]).toEqual([status, 1]);
  await app.app.jobs.drain();
  expect((await world.get(id)).status).toBe('WAITING_FOR_APPROVAL');
  expect(world.receiver.received).toEqual([]);
  expect((await app.request('GET', `${runsPath}/${id}/approvers`)).body.approvers).toEqual([]);
});
