import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const stamps = { createdAt: 'x', updatedAt: 'x' };
const service = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: {} },
  mirrorProperties: { tierName: { path: 'domain.name' } },
  calculationProperties: { age: {} },
  ...stamps,
};
const script: Record<string, Handler | readonly Handler[]> = {
  'GET /v1/blueprints': () =>
    json({
      ok: true,
      blueprints: [
        service,
        { ...service, identifier: 'part', ownership: { type: 'Inherited', path: 'service' } },
        { ...service, identifier: '_ai_invocations' },
      ],
    }),
  'POST /v1/blueprints/service/entities/search': [
    () => json({ ok: true, entities: [{ identifier: 'a', team: [], ...stamps }], next: 'page2' }),
    () => json({ ok: true, entities: [{ identifier: 'b', team: [], ...stamps }] }),
  ],
  'POST /v1/blueprints/part/entities/search': () => json({ ok: true, entities: [{ identifier: 'p' }] }),
  'GET /v1/sidebars/catalog': () => json({ ok: true, sidebar: { identifier: 'catalog', items: [] } }),
  'GET /v1/scorecards': () => json({ ok: true, scorecards: [] }),
  'GET /v1/actions': () => json({ ok: true, actions: [] }),
  'GET /v1/pages': () => json({ ok: true, pages: [] }),
};

async function exporting(given: readonly string[], more: typeof script = {}) {
  const { fetch, seen } = scriptedFetch({ ...script, ...more });
  const { context, out, err } = createTestContext({ fetch, workingDirectory: folder });
  return { code: await run(['export', ...given], context), out: out(), err: err(), seen };
}

test('writes a header, the blueprints and page after page of their entities', async () => {
  const { code, out, err, seen } = await exporting(['--blueprint', 'service']);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    '{"portolan":{"format":"catalog","version":1}}',
    '{"blueprint":{"identifier":"service","title":"Service","schema":{"properties":{}},"mirrorProperties":{"tierName":{"path":"domain.name"}},"calculationProperties":{"age":{}}}}',
    '{"entity":{"blueprint":"service","identifier":"a","team":[]}}',
    '{"entity":{"blueprint":"service","identifier":"b","team":[]}}',
    '',
  ]);
  expect(err).toBe('Exported 1 blueprint and 2 entities.\n');
  expect(seen.slice(-2).map(({ body }) => body)).toEqual([
    { exclude: ['tierName', 'age'], limit: 500 },
    { exclude: ['tierName', 'age'], limit: 500, from: 'page2' },
  ]);
});

test('leaves out teams that come along a path, and the entities of invocations', async () => {
  const { out, seen } = await exporting([]);
  expect(seen.find(({ call }) => call.includes('/part/'))?.body).toMatchObject({
    exclude: ['tierName', 'age', '$team'],
  });
  expect(out).toContain('"identifier":"_ai_invocations"');
  expect(seen.some(({ call }) => call.includes('/_ai_invocations/'))).toBe(false);
});

test('leaves out results of rules, and where the platform has them lead', async () => {
  const made = { target: 'service', required: false, many: false, type: 'rule_result_target' };
  const rule = { target: '_rule', required: true, many: false };
  const results = { ...service, identifier: '_rule_result', relations: { rule, service: made } };
  const { out, seen } = await exporting([], { 'GET /v1/blueprints': () => json({ ok: true, blueprints: [results] }) });
  expect(JSON.parse(out.split('\n')[1] ?? '')).toMatchObject({ blueprint: { relations: { rule } } });
  expect(out).not.toContain('rule_result_target');
  expect(seen.some(({ call }) => call.includes('/_rule_result/'))).toBe(false);
});

test('actions, folders and pages come with who may use them, and workflows without what was added to them', async () => {
  const items = [
    { identifier: 'teams', title: 'Teams', sidebar: 'catalog', sidebarType: 'folder' },
    { identifier: 'home', sidebarType: 'page' },
  ];
  const { out, err } = await exporting([], {
    'GET /v1/blueprints': () => json({ ok: true, blueprints: [] }),
    'GET /v1/sidebars/catalog': () => json({ ok: true, sidebar: { identifier: 'catalog', items } }),
    'GET /v1/actions': () => json({ ok: true, actions: [{ id: 'x', identifier: 'restart', ...stamps }] }),
    'GET /v1/actions/restart/permissions': () => json({ ok: true, permissions: { execute: { roles: ['Admin'] } } }),
    'GET /v1/pages': () => json({ ok: true, pages: [{ identifier: 'home', widgets: [], ...stamps }] }),
    'GET /v1/pages/home/permissions': () => json({ ok: true, permissions: { read: { roles: [] } } }),
    'GET /v1/workflows': () => {
      const flow = {
        identifier: 'flow',
        nodes: [],
        connections: [],
        id: 'wf_1',
        version: 2,
        versionIdentifier: 'wfv_2',
      };
      return json({ ok: true, workflows: [{ ...flow, ...stamps }] });
    },
  });
  expect(out.split('\n').slice(1)).toEqual([
    '{"action":{"identifier":"restart"},"permissions":{"execute":{"roles":["Admin"]}}}',
    '{"folder":{"identifier":"teams","title":"Teams","sidebar":"catalog"}}',
    '{"page":{"identifier":"home","widgets":[]},"permissions":{"read":{"roles":[]}}}',
    '{"workflow":{"identifier":"flow","nodes":[],"connections":[]}}',
    '',
  ]);
  expect(err).toBe('Exported 0 blueprints and 0 entities, and 4 records of the portal.\n');
});

test('--blueprints-only asks for no entity', async () => {
  const { err } = await exporting(['--blueprints-only']);
  expect(err).toBe('Exported 3 blueprints and 0 entities.\n');
});

test('--output writes a file, and nothing to stdout', async () => {
  const { out } = await exporting(['--output', 'catalog.jsonl', '--blueprint', 'part']);
  expect(out).toBe('');
  expect(readFileSync(join(folder, 'catalog.jsonl'), 'utf8').split('\n')).toHaveLength(4);
  expect(readdirSync(folder)).toEqual(['catalog.jsonl']);
});

test('a file that could not be completed is not left behind', async () => {
  const failing = { 'POST /v1/blueprints/part/entities/search': () => refusal(500, 'internal_error', 'Broken') };
  const { code } = await exporting(['--output', 'catalog.jsonl'], failing);
  expect([code, readdirSync(folder)]).toEqual([1, []]);
});

test('a file that cannot be written ends with a sentence', async () => {
  const { code, err } = await exporting(['--output', 'no/such/folder/catalog.jsonl']);
  expect(code).toBe(1);
  expect(err).toBe('portolan: file_not_written: no/such/folder/catalog.jsonl cannot be written (ENOENT).\n');
});

test('a blueprint that is not there ends with a sentence', async () => {
  const { code, err } = await exporting(['--blueprint', 'gone']);
  expect({ code, err }).toEqual({ code: 1, err: 'portolan: not_found: There is no blueprint "gone".\n' });
});
