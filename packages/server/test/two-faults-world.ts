import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { unchanged } from '../src/modules/accounts/index.ts';
import { setBlueprintRights } from '../src/modules/blueprints/index.ts';
import type { EntityRights } from '../src/modules/rights/index.ts';
import type { Connection, Engine } from '../src/platform/db/engine.ts';
import { type Answer, createTestApp, type Request, type TestApp } from './build-test-app.ts';
import { blueprintBody, createBlueprint, createEntity, unique } from './catalog-fixtures.ts';

/** What can be wrong with a write; under `policed` a policy allows it. */
export const faultNames = [
  'policed',
  'hidden',
  'unreadable',
  'unwritable',
  'unregistrable',
  'partial',
  'unmatched',
  'invalid',
  'stale',
  'taken',
  'missing',
  'secret',
  'ended',
  'leaving',
  'person',
] as const;
export type Fault = (typeof faultNames)[number];

export const operations = [
  'create',
  'upsert',
  'new',
  'merge',
  'replace',
  'patch',
  'bulk',
  'delete',
  'bulk-delete',
] as const;
export type Operation = (typeof operations)[number];

export interface FaultyWorld {
  readonly app: TestApp;
  readonly asPat: Request;
  /** How many statements were sent within transactions so far. */
  statements(): number;
  rows(): Promise<Rows>;
  /** Entities of their own with these faults, and how to send one operation to them. */
  prepare(kind: 'thing' | '_user', faults: readonly Fault[]): Promise<Prepared>;
}

/** Entities, and the records of what was done to them and beside them. */
export interface Rows {
  readonly entities: number;
  readonly records: number;
}

interface Prepared {
  readonly blueprint: string;
  send(operation: Operation): Promise<Answer>;
  /** The text without names that differ from row to row. */
  plain(text: string, operation: Operation): string;
}

/** Pat, a member of the crew, writes entities that the crew owns, and others. */
export async function createFaultyWorld(): Promise<FaultyWorld> {
  const counted = countInTransactions();
  const app = await createTestApp({ watch: counted.watch });
  const { id, request } = app.organization;
  for (const identifier of ['crew', 'others']) await createEntity(request, '_team', { identifier });
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(request, '_user', { identifier: 'pat@example.com', team: 'crew', properties });
  const token = await app.organization.personToken('pat@example.com');
  const asPat: Request = (method, path, options) => request(method, path, { token, ...options });
  // named in refusals, so it has one name wherever the file runs
  const vault = 'vault1';
  expect((await request('POST', '/v1/blueprints', { body: blueprintBody(vault) })).status).toBe(201);
  await createEntity(request, vault, { identifier: 'v' });
  const allow = (blueprint: string, rights: EntityRights) =>
    app.database.transaction((tx) => setBlueprintRights(tx, id, blueprint, unchanged(rights)));
  await allow(vault, { read: admins });
  const parts = {
    properties: { note: { type: 'string' }, size: { type: 'number' } },
    relations: { vault: { target: vault } },
  };
  const added = await request('PATCH', '/v1/blueprints/_user', {
    body: { schema: { properties: parts.properties }, relations: { ...parts.relations, part: { target: '_user' } } },
  });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  const run = await endedRun(request);

  return {
    app,
    asPat,
    statements: counted.count,
    rows: async () => {
      const row = await app.database.first<Rows>(sql`
        select (select count(*)::int from entities where org_id = ${id}) as entities,
          (select count(*)::int from journal where org_id = ${id} and status = 'SUCCESS') as records`);
      return row as Rows;
    },
    prepare: async (kind, faults) => {
      const has = (fault: Fault) => faults.includes(fault);
      const blueprint =
        kind === '_user' ? kind : await createBlueprint(request, 'thing', { ...parts, ownership: { type: 'Direct' } });
      if (kind === 'thing') {
        const body = { relations: { part: { target: blueprint } } };
        await request('PATCH', `/v1/blueprints/${blueprint}`, { body });
      }
      const row = unique('row');
      const nameOf = (stem: string) => `${stem}.${row}${kind === '_user' ? '@example.com' : ''}`;
      const team = has('hidden') ? 'others' : 'crew';
      const entities = [
        ...operations.filter((each) => each !== 'new').map((each) => ({ identifier: nameOf(each), team })),
        { identifier: nameOf('taken'), team },
        { identifier: nameOf('beside'), team: 'crew' },
      ].filter(({ identifier }) => has('taken') || has('hidden') || identifier !== nameOf('create'));
      const body = { entities: entities.map((each) => ({ ...each, properties: { note: 'shut', size: 1 } })) };
      const made = await request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, { body });
      expect([made.status, made.body.errors]).toEqual([200, []]);
      await allow(blueprint, rightsWith(has));
      if (has('leaving')) {
        const path = `/v1/blueprints/${blueprint}/all-entities?delete_blueprint=true`;
        expect((await request('DELETE', path)).status).toBe(200);
      }
      return {
        blueprint,
        send: (operation) => send(asPat, { operation, blueprint, nameOf, has, run }),
        plain: (text, operation) =>
          text
            .replaceAll(nameOf(operation), 'it')
            .replaceAll(nameOf('taken'), 'taken')
            .replaceAll(nameOf('nobody'), 'nobody')
            .replaceAll(blueprint, kind)
            .replace(/"[mr]_\w{16}"/, '…'),
      };
    },
  };
}

const admins = { roles: ['Admin'] };
const owners = { ...admins, ownedByTeam: true };
const noted = (value: string) => ({
  roles: ['Admin'],
  policy: { combinator: 'and', rules: [{ property: 'note', operator: '=', value }] },
});

function rightsWith(has: (fault: Fault) => boolean): EntityRights {
  const isClosed = has('unwritable') || has('unreadable');
  const writing = isClosed ? admins : has('unmatched') ? noted('open') : has('policed') ? noted('shut') : owners;
  const registering = has('unmatched') ? noted('open') : has('policed') ? noted('written') : owners;
  return {
    read: has('unreadable') ? admins : owners,
    register: isClosed || has('unregistrable') ? admins : registering,
    update: has('partial') ? admins : writing,
    unregister: has('partial') ? admins : writing,
    updateProperties: has('partial') && !isClosed ? { note: owners } : {},
  };
}

/** What is read outside, as who asks, may be kept for some time; what a transaction sends is the same each time. */
function countInTransactions() {
  let count = 0;
  const counting = (connection: Connection): Connection => {
    let isOpen = false;
    return {
      query: (text, values) => {
        if (text === 'begin') isOpen = true;
        if (isOpen) count += 1;
        if (text === 'commit' || text === 'rollback') isOpen = false;
        return connection.query(text, values);
      },
      script: (text) => connection.script(text),
      release: (broken) => connection.release(broken),
    };
  };
  const watch = (engine: Engine): Engine => ({ ...engine, connect: async () => counting(await engine.connect()) });
  return { count: () => count, watch };
}

async function endedRun(request: Request): Promise<string> {
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const invocationMethod = { type: 'WEBHOOK', url: 'http://127.0.0.1:1/hook' };
  await request('POST', '/v1/actions', { body: { identifier: 'ended', trigger, invocationMethod } });
  const { run } = (await request('POST', '/v1/actions/ended/runs', { body: {} })).body;
  const ended = await request('PATCH', `/v1/actions/runs/${run.id}`, { body: { status: 'SUCCESS' } });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  return run.id;
}

interface Sending {
  readonly operation: Operation;
  readonly blueprint: string;
  readonly nameOf: (stem: string) => string;
  readonly has: (fault: Fault) => boolean;
  readonly run: string;
}

function send(asPat: Request, { operation, blueprint, nameOf, has, run }: Sending): Promise<Answer> {
  const base = `/v1/blueprints/${blueprint}/entities`;
  const name = nameOf(operation);
  const path = `${base}/${encodeURIComponent(name)}`;
  const body = {
    identifier: name,
    team: 'crew',
    properties: {
      note: 'written',
      size: has('invalid') ? 'large' : 2,
      ...(has('person') ? { port_role: 'Admin' } : {}),
    },
    relations: {
      ...(has('missing') ? { part: nameOf('nobody') } : {}),
      ...(has('secret') ? { vault: 'v' } : {}),
    },
  };
  const renaming = has('taken') ? { ...body, identifier: nameOf('taken') } : body;
  const beside = { identifier: nameOf('beside'), properties: { note: 'beside' } };
  const headers = has('stale') ? { 'if-match': '"99"' } : {};
  const flags = (...more: string[]) => {
    const all = [...more, ...(has('ended') ? [`run_id=${run}`] : [])];
    return all.length > 0 ? `?${all.join('&')}` : '';
  };
  switch (operation) {
    case 'create':
      return asPat('POST', `${base}${flags()}`, { body, headers });
    case 'upsert':
    case 'new':
      return asPat('POST', `${base}${flags('upsert=true')}`, { body, headers });
    case 'merge':
      return asPat('POST', `${base}${flags('upsert=true', 'merge=true')}`, { body, headers });
    case 'replace':
      return asPat('PUT', `${path}${flags()}`, { body: renaming, headers });
    case 'patch':
      return asPat('PATCH', `${path}${flags()}`, { body: renaming, headers });
    case 'bulk':
      return asPat('POST', `${base}/bulk${flags('upsert=true', 'merge=true')}`, { body: { entities: [body, beside] } });
    case 'delete':
      return asPat('DELETE', `${path}${flags()}`, { headers });
    case 'bulk-delete': {
      const entities = [name, nameOf('beside')];
      return asPat('POST', `/v1/blueprints/${blueprint}/bulk/entities/delete${flags()}`, { body: { entities } });
    }
  }
}
