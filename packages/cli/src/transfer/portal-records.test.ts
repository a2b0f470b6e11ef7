import { expect, test } from 'vitest';
import { type Handler, json, refusal, type SeenRequest, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
const restart = { identifier: 'restart', trigger, invocationMethod: { type: 'WEBHOOK', url: 'https://a.example' } };
const home = { identifier: '$home', type: 'home', widgets: [] };
const folder = { identifier: 'teams', title: 'Teams' };
const rule = { combinator: 'and', conditions: [{ property: '$team', operator: 'isNotEmpty' }] };
const ready = {
  identifier: 'ready',
  title: 'Ready',
  rules: [{ identifier: 'owned', title: 'Owned', level: 'Gold', query: rule }],
};
const onlyAdmins = { execute: { roles: ['Admin'], users: [] } };

const done = () => json({ ok: true });
const empty: Record<string, Handler> = {
  'GET /v1/blueprints': () => json({ ok: true, blueprints: [] }),
  'GET /v1/sidebars/catalog': () => json({ ok: true, sidebar: { identifier: 'catalog', items: [] } }),
  'GET /v1/scorecards': () => json({ ok: true, scorecards: [] }),
  'GET /v1/actions': () => json({ ok: true, actions: [] }),
  'GET /v1/workflows': () => json({ ok: true, workflows: [] }),
  'GET /v1/pages': () => json({ ok: true, pages: [{ ...home, title: 'Home', createdAt: 'x' }] }),
};

async function importing(
  records: readonly object[],
  script: Record<string, Handler | readonly Handler[]>,
  ...given: string[]
) {
  const { fetch, seen } = scriptedFetch({ ...empty, ...script });
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const { context, out, err } = createTestContext({ fetch, input });
  const code = await run(['import', '-', ...given], context);
  return { code, out: out(), err: err(), writes: seen.filter(isWrite).map(({ call, body }) => [call, body]) };
}

const isWrite = ({ call }: SeenRequest): boolean => !call.startsWith('GET') && !call.includes('/auth/');

test('what is new is created and what differs replaced, then who may is written', async () => {
  const { code, out, writes } = await importing(
    [
      { page: { ...home, widgets: [{ id: 'a', type: 'my-entities' }] } },
      { folder },
      { action: restart, permissions: onlyAdmins },
      { scorecard: { blueprint: 'service', ...ready } },
    ],
    {
      'POST /v1/blueprints/service/scorecards': done,
      'POST /v1/actions': done,
      'POST /v1/sidebars/catalog/folders': done,
      'PUT /v1/pages/$home': done,
      'PATCH /v1/actions/restart/permissions': done,
    },
  );
  expect(writes).toEqual([
    ['POST /v1/blueprints/service/scorecards', ready],
    ['POST /v1/actions', restart],
    ['POST /v1/sidebars/catalog/folders', folder],
    ['PUT /v1/pages/$home', { ...home, title: 'Home', widgets: [{ id: 'a', type: 'my-entities' }] }],
    ['PATCH /v1/actions/restart/permissions', onlyAdmins],
  ]);
  expect(out).toContain('  3 records of the portal to create, 1 to change, 0 unchanged\n');
  expect(out).toContain('Wrote 0 blueprints and 0 entities (0 new), and 4 records of the portal.\n');
  expect(code).toBe(0);
});

test('pages that exist without being made are replaced, also those of a blueprint that the import creates', async () => {
  const entityPage = { identifier: 'serviceEntity', type: 'entity', widgets: [] };
  const { code, out, writes } = await importing([{ page: home }, { page: entityPage }], {
    'GET /v1/pages': () => json({ ok: true, pages: [] }),
    'GET /v1/pages/$home': () => json({ ok: true, page: { ...home, title: 'Home', createdAt: 'x' } }),
    'GET /v1/pages/serviceEntity': () => refusal(404, 'not_found', 'There is no page "serviceEntity"'),
    'PUT /v1/pages/serviceEntity': done,
  });
  expect([code, writes]).toEqual([0, [['PUT /v1/pages/serviceEntity', entityPage]]]);
  expect(out).toContain('  1 record of the portal to create, 0 to change, 1 unchanged\n');
});

test('what is already so is not written, and lists that the file leaves out do not differ', async () => {
  const there = { execute: { roles: ['Admin'], users: [], teams: ['sre'], policy: null }, approve: {} };
  const { code, out, writes } = await importing(
    [{ action: restart, permissions: onlyAdmins }, { page: home }],
    {
      'GET /v1/actions': () => json({ ok: true, actions: [{ id: 'x', ...restart, updatedAt: 'x' }] }),
      'GET /v1/actions/restart/permissions': () => json({ ok: true, permissions: there }),
    },
    '--json',
  );
  expect([code, writes]).toEqual([0, []]);
  expect(JSON.parse(out)).toMatchObject({
    plan: { portal: { create: [], update: [], unchanged: ['action restart', 'page $home'] } },
    applied: { portal: 0 },
  });
});

test('rights alone are changed where they alone differ, also those beside a blueprint', async () => {
  const register = { entities: { register: { roles: ['Member'] } } };
  const { writes } = await importing(
    [
      { action: restart, permissions: onlyAdmins },
      { blueprint: { identifier: 'service', title: 'Service', schema: { properties: {} } }, permissions: register },
    ],
    {
      'GET /v1/actions': () => json({ ok: true, actions: [restart] }),
      'GET /v1/actions/restart/permissions': () =>
        json({ ok: true, permissions: { execute: { roles: [], users: [] } } }),
      'GET /v1/blueprints/service/permissions': () => refusal(404, 'not_found', 'There is no blueprint "service"'),
      'POST /v1/blueprints': done,
      'PATCH /v1/actions/restart/permissions': done,
      'PATCH /v1/blueprints/service/permissions': done,
    },
  );
  expect(writes.map(([call]) => call)).toEqual([
    'POST /v1/blueprints',
    'PATCH /v1/actions/restart/permissions',
    'PATCH /v1/blueprints/service/permissions',
  ]);
});

test('a page whose folder comes later is tried again; what stays refused is a problem on its line', async () => {
  let hasFolder = false;
  const { code, err, writes } = await importing(
    [
      { folder: { identifier: 'inner', parent: 'teams' } },
      { folder },
      { page: { identifier: 'lost', parent: 'gone' }, permissions: { read: { roles: [] } } },
    ],
    {
      'POST /v1/sidebars/catalog/folders': ({ body }) => {
        const { identifier } = body as { identifier: string };
        if (identifier === 'inner' && !hasFolder) return refusal(404, 'not_found', 'There is no folder "teams"');
        hasFolder = true;
        return json({ ok: true });
      },
      'POST /v1/pages': () => refusal(404, 'not_found', 'There is no folder "gone"'),
    },
  );
  expect(writes.map(([, body]) => (body as { identifier: string }).identifier)).toEqual([
    'inner',
    'teams',
    'lost',
    'inner',
    'lost',
    'lost',
  ]);
  expect(err).toBe('line 3 (lost): not_found: There is no folder "gone"\n');
  expect(code).toBe(5);
});

test('--dry-run writes none of it', async () => {
  const { writes, out } = await importing([{ folder }], {}, '--dry-run');
  expect(writes).toEqual([]);
  expect(out).toContain(
    '  1 record of the portal to create, 0 to change, 0 unchanged\nNothing was written (--dry-run).',
  );
});

test('a workflow is written as it stands in the file, and what it names and nobody has is said before', async () => {
  const flow = {
    identifier: 'flow',
    nodes: [
      { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
      { identifier: 'note', config: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'gone', mapping: {} } },
    ],
    connections: [{ sourceIdentifier: 'form', targetIdentifier: 'note' }],
  };
  const warning = (name: string) => ({
    path: '/nodes/1',
    code: 'unresolved_reference',
    message: `there is no "${name}"`,
  });
  const { code, out, err, writes } = await importing(
    [{ workflow: { ...flow, id: 'wf_1', version: 3, versionIdentifier: 'wfv_1' } }, { action: restart }],
    {
      'POST /v1/actions': done,
      'POST /v1/workflows': done,
      'POST /v1/workflows/validate': () =>
        json({ ok: true, isValid: true, issues: [], warnings: [warning('gone'), warning('restart')] }),
    },
  );
  expect(writes.filter(([call]) => call !== 'POST /v1/workflows/validate')).toEqual([
    ['POST /v1/actions', restart],
    ['POST /v1/workflows', flow],
  ]);
  expect(`${out}${err}`).toContain('line 1 (flow): /nodes/1: there is no "gone"');
  expect(`${out}${err}`).not.toContain('there is no "restart"');
  expect(code).toBe(0);
});
