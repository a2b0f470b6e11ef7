import type { FastifyBaseLogger } from 'fastify';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../src/platform/log.ts';
import { createTestApp, type TestApp, type TestOrganization } from './build-test-app.ts';
import { type BlueprintParts, blueprintBody } from './catalog-fixtures.ts';
import { importLines } from './import-lines.ts';

const dayMs = 86_400_000;

const lines: Record<string, unknown>[] = [];
let app: TestApp;
beforeAll(async () => {
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
  app = await createTestApp({ log: log as FastifyBaseLogger });
  await poisonable();
});
afterAll(() => app.close());
afterEach(async () => {
  for (const { table } of await app.database.rows<{ table: string }>(
    sql`select event_object_table as table from information_schema.triggers where trigger_name = 'refuse'`,
  )) {
    await heal(table);
  }
});

const execute = (statement: Sql): Promise<number> => app.database.transaction((tx) => tx.execute(statement));
const has = async (statement: Sql): Promise<boolean> => (await app.database.first(statement)) !== undefined;

/** What a walk of the platform does in an organization: how it comes to be due, and how to tell that it was done. */
interface Walk {
  readonly plant: (of: TestOrganization) => Promise<unknown>;
  readonly isDone: (of: TestOrganization) => Promise<boolean>;
  /** What the walk writes, and cannot where the record is poisoned. */
  readonly writes: readonly [operation: 'insert' | 'update' | 'delete', table: string];
}

const post = async (of: TestOrganization, path: string, body: object): Promise<void> => {
  const answer = await of.request('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
};
const blueprint = (of: TestOrganization, parts: BlueprintParts) =>
  post(of, '/v1/blueprints', blueprintBody('thing', parts));
const entity = (of: TestOrganization, properties: object) =>
  post(of, '/v1/blueprints/thing/entities', { identifier: 'one', properties });

/** A run that nobody has executed yet. */
async function run(of: TestOrganization, columns: Sql, values: Sql): Promise<void> {
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const invocationMethod = { type: 'UPSERT_ENTITY', blueprintIdentifier: 'thing', mapping: { identifier: 'made' } };
  await blueprint(of, {});
  await post(of, '/v1/actions', { identifier: 'act', trigger, invocationMethod, requiredApproval: { type: 'ALL' } });
  await post(of, '/v1/actions/act/runs', { properties: {} });
  await execute(sql`update action_runs set (status, ${columns}) = (${values}) where org_id = ${of.id}`);
}

const statusIs = (of: TestOrganization, status: string): Promise<boolean> =>
  has(sql`select 1 from action_runs where org_id = ${of.id} and status = ${status}`);
const isEmpty = async (of: TestOrganization, table: string, where = empty): Promise<boolean> =>
  !(await has(sql`select 1 from ${raw(table)} where org_id = ${of.id} ${where}`));
const longAgo = (): Date => new Date(app.clock.now().getTime() - 500 * dayMs);

/** A run that was touched long ago, at a node run that ends with it or waits for time. */
async function workflowRun(
  of: TestOrganization,
  { status, dueAt }: { readonly status: 'IN_PROGRESS' | 'COMPLETED'; readonly dueAt: Date | null },
): Promise<void> {
  await execute(sql`
    insert into workflow_runs (org_id, id, workflow_key, workflow_identifier, version, status, at_node_run, rev,
      trigger_node, trigger, depth, root_id, steps, bytes, authority, text_authors, created_by, created_by_kind,
      deadline_at, created_at, updated_at, completed_at)
    values (${of.id}, 'wfr_old', 1, 'gone', 1, ${status}, ${dueAt && 'wfnr_old'}, 0, 'form', '{}', 0, 'wfr_old', 1, 0,
      '{"by":{"kind":"system","id":"portolan"},"roles":["Admin"],"teamKeys":[]}', '{}', 'portolan', 'system',
      '2100-01-01', ${longAgo()}, ${longAgo()}, ${status === 'COMPLETED' ? longAgo() : null})`);
  if (dueAt === null) return;
  await execute(sql`
    insert into workflow_node_runs (org_id, id, run_id, step, node, attempt, type, phase, goes_on, links, tries, due_at, created_at)
    values (${of.id}, 'wfnr_old', 'wfr_old', 1, 'wait', 1, 'DELAY', 'WAIT_TIME', false, '[]', 0, ${dueAt}, ${longAgo()})`);
}

/** A draft of a workflow that is gone, asked for long ago. */
async function workflowDraft(of: TestOrganization, state: 'DRAFT' | 'DECLINED'): Promise<void> {
  await execute(sql`
    insert into workflow_run_calls (org_id, id, state, workflow_key, workflow_identifier, version, trigger_node, inputs,
      draft, text_authors, requested_with, depth, created_by, created_by_kind, created_at, expires_at)
    values (${of.id}, 'wfr_draft', ${state}, 1, 'gone', 1, 'form', '{}', '{"inputsHash":"sha256:0"}', '{}',
      '{"by":{"kind":"system","id":"portolan"},"roles":["Admin"],"teamKeys":[]}', 0, 'portolan', 'machine',
      ${state === 'DRAFT' ? app.clock.now() : longAgo()}, ${longAgo()})`);
}

/** A proposed workflow, from long ago. */
async function workflowProposal(of: TestOrganization): Promise<void> {
  await execute(sql`
    insert into workflow_proposals (org_id, id, state, goal, identifier, definition, warnings, questions, text_authors,
      created_by, created_by_kind, created_at, expires_at)
    values (${of.id}, 'wfp_old', 'OPEN', 'x', 'old', '{}', '[]', '{}', '{}', 'portolan', 'machine', ${longAgo()}, ${longAgo()})`);
}

/** What a workflow told somebody long ago. */
async function notice(of: TestOrganization): Promise<void> {
  await post(of, '/v1/blueprints/_user/entities', { identifier: 'told@example.com', properties: { status: 'Active' } });
  await execute(sql`
    insert into notices (org_id, user_key, id, about, workflow, run_id, started_by, subject, created_at)
    select org_id, key, 'ntc_old', 'wfnr_old', 'gone', 'wfr_gone', 'portolan', 'x', ${longAgo()}
    from users where org_id = ${of.id} and identifier = 'told@example.com'`);
}

const walks: Readonly<Record<string, Walk>> = {
  'catalog.expire-timers': {
    plant: async (of) => {
      await blueprint(of, { properties: { until: { type: 'string', format: 'timer' } } });
      await entity(of, { until: new Date(app.clock.now().getTime() + dayMs / 2).toISOString() });
    },
    isDone: (of) => has(sql`select 1 from journal where org_id = ${of.id} and action = 'TIMER_EXPIRED'`),
    writes: ['update', 'timer_sweeps'],
  },
  'catalog.follow-clock': {
    plant: async (of) => {
      await blueprint(of, {
        calculationProperties: { day: { type: 'string', calculation: 'now | todate | .[0:10]' } },
      });
      await entity(of, {});
    },
    isDone: (of) =>
      has(sql`select 1 from entities where org_id = ${of.id} and identifier = 'one'
        and derived ->> 'day' = ${app.clock.now().toISOString().slice(0, 10)}`),
    writes: ['insert', 'derived_marks'],
  },
  'campaigns.note-progress': {
    plant: async (of) => {
      await blueprint(of, { properties: { book: { type: 'string' } } });
      const query = { combinator: 'and', conditions: [{ property: 'book', operator: 'isNotEmpty' }] };
      const rule = { identifier: 'r', title: 'R', level: 'Gold', query };
      await post(of, '/v1/blueprints/thing/scorecards', { identifier: 's', title: 'S', rules: [rule] });
      const aim = { blueprint: 'thing', scorecard: 's', target: { rules: ['r'] } };
      await post(of, '/v1/campaigns', { title: 'Books', ...aim, dueDate: '2027-01-31', status: 'active' });
    },
    isDone: async (of) => !(await isEmpty(of, 'campaign_days')),
    writes: ['insert', 'campaign_days'],
  },
  'campaigns.end-exemptions': {
    plant: async (of) => {
      await blueprint(of, {});
      await entity(of, {});
      await execute(sql`
        insert into scorecard_exemptions (org_id, identifier, blueprint_key, entity_key, scorecard, reason, until,
          created_at, created_by)
        select org_id, 'x', blueprint_key, key, 's', 'Old', '2020-01-01', ${longAgo()}, ''
        from entities where org_id = ${of.id} and identifier = 'one'`);
    },
    isDone: (of) => isEmpty(of, 'scorecard_exemptions'),
    writes: ['delete', 'scorecard_exemptions'],
  },
  'campaigns.remind-owners': {
    plant: async (of) => {
      await blueprint(of, { properties: { book: { type: 'string' } } });
      const query = { combinator: 'and', conditions: [{ property: 'book', operator: 'isNotEmpty' }] };
      const rule = { identifier: 'r', title: 'R', level: 'Gold', query };
      await post(of, '/v1/blueprints/thing/scorecards', { identifier: 's', title: 'S', rules: [rule] });
      const aim = { blueprint: 'thing', scorecard: 's', target: { rules: ['r'] } };
      const dueDate = new Date(app.clock.now().getTime() + 15 * dayMs).toISOString().slice(0, 10);
      await post(of, '/v1/campaigns', { title: 'Books', ...aim, dueDate, status: 'active' });
    },
    isDone: async (of) => !(await isEmpty(of, 'campaign_reminders')),
    writes: ['insert', 'campaign_reminders'],
  },
  'assistant.warn-of-budgets': {
    plant: (of) =>
      execute(sql`
        with budget as (
          insert into ai_budgets (org_id, scope, subject, period, requests, action, warn_at, counted_since, updated_at, updated_by)
          values (${of.id}, 'user', 'kim@example.com', 'month', 1, 'warn', 0.8, '2020-01-01', ${longAgo()}, ''))
        insert into ai_budget_days (org_id, scope, subject, day, requests)
        select ${of.id}, 'user', 'kim@example.com', to_char(day, 'YYYY-MM-DD'), 1
        from unnest(${[app.clock.now(), new Date(app.clock.now().getTime() + dayMs)]}::timestamptz[]) day`),
    isDone: async (of) => !(await isEmpty(of, 'ai_budget_warnings')),
    writes: ['insert', 'ai_budget_warnings'],
  },
  'catalog.tend-search-indexes': {
    plant: (of) =>
      execute(sql`insert into search_indexes (org_id, blueprint_key, slot, uses, used_at)
        values (${of.id}, 0, 'properties:text:gone', 90, ${app.clock.now()})`),
    isDone: (of) => isEmpty(of, 'search_indexes'),
    writes: ['delete', 'search_indexes'],
  },
  'catalog.follow-dated-scorecards': {
    plant: async (of) => {
      await blueprint(of, { properties: { on: { type: 'string', format: 'date-time' } } });
      await entity(of, { on: app.clock.now().toISOString() });
      const condition = { property: 'on', operator: 'between', value: { preset: 'today' } };
      const rule = {
        identifier: 'r',
        title: 'R',
        level: 'Gold',
        query: { combinator: 'and', conditions: [condition] },
      };
      await post(of, '/v1/blueprints/thing/scorecards', { identifier: 's', title: 'S', rules: [rule] });
    },
    isDone: async (of) =>
      has(sql`select 1 from journal where org_id = ${of.id} and event = 'entity.updated' and at >= ${app.clock.now()}`),
    writes: ['insert', 'jobs'],
  },
  'catalog.furnish-scorecard-data': {
    plant: (of) =>
      execute(sql`
        delete from blueprints where org_id = ${of.id} and identifier in ('_scorecard', '_rule', '_rule_result')`),
    isDone: (of) => has(sql`select 1 from blueprints where org_id = ${of.id} and identifier = '_rule_result'`),
    writes: ['insert', 'blueprints'],
  },
  'catalog.delete-old-images': {
    plant: async (of) => {
      await execute(sql`
        insert into data_migrations (org_id, id, kind, source_blueprint, blueprint_key, status, actor,
          created_at, created_by, updated_at, updated_by)
        values (${of.id}, 'm', 'map', 'thing', 0, 'COMPLETED', '{}', ${longAgo()}, '', ${longAgo()}, '')`);
      await execute(sql`
        insert into data_migration_images (org_id, migration_id, entity_key, identifier, source_key, version)
        values (${of.id}, 'm', 1, 'one', 1, 1)`);
    },
    isDone: (of) => isEmpty(of, 'data_migration_images'),
    writes: ['delete', 'data_migration_images'],
  },
  'catalog.forget-unknown-properties': {
    plant: async (of) => {
      await blueprint(of, {});
      await execute(sql`
        insert into unknown_properties (org_id, blueprint_key, property, datasource, guess, first_seen, last_seen)
        select ${of.id}, key, 'gone', 'x', '{}', ${longAgo()}, ${longAgo()}
        from blueprints where org_id = ${of.id} and identifier = 'thing'`);
    },
    isDone: (of) => isEmpty(of, 'unknown_properties'),
    writes: ['delete', 'unknown_properties'],
  },
  'journal.delete-old-records': {
    plant: (of) => execute(sql`update journal set at = ${longAgo()} where org_id = ${of.id}`),
    isDone: (of) => isEmpty(of, 'journal', sql`and at <= ${longAgo()}`),
    writes: ['delete', 'journal'],
  },
  'actions.delete-old-runs': {
    plant: (of) => run(of, sql`ended_at, draft`, sql`'SUCCESS', ${longAgo()}::timestamptz, null`),
    isDone: (of) => isEmpty(of, 'action_runs'),
    writes: ['delete', 'action_runs'],
  },
  'actions.expire-drafts': {
    plant: (of) => run(of, sql`draft`, sql`'DRAFT', ${JSON.stringify({ expiresAt: longAgo() })}::jsonb`),
    isDone: (of) => statusIs(of, 'DECLINED'),
    writes: ['update', 'action_runs'],
  },
  'actions.void-drafts': {
    plant: (of) => run(of, sql`invocation`, sql`'DRAFT', '{"id":"i","agent":"gone"}'::jsonb`),
    isDone: (of) => statusIs(of, 'DECLINED'),
    writes: ['update', 'action_runs'],
  },
  'actions.wake-approved': {
    plant: async (of) => {
      await run(of, sql`draft`, sql`'WAITING_FOR_APPROVAL', null`);
      const properties = { status: 'Active', port_role: 'Admin' };
      await post(of, '/v1/blueprints/_user/entities', { identifier: 'first@example.com', properties });
      const approve = { roles: [], users: ['first@example.com', 'second@example.com'] };
      await of.request('PATCH', '/v1/actions/act/permissions', { body: { approve } });
      const token = await of.personToken('first@example.com');
      const [{ id }] = (await of.request('GET', '/v1/actions/runs')).body.runs;
      const body = { status: 'APPROVE' };
      const answer = await of.request('PATCH', `/v1/actions/runs/${id}/approval`, { body, token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      await execute(sql`update action_runs set status = 'WAITING_FOR_APPROVAL' where org_id = ${of.id}`);
    },
    isDone: async (of) => !(await statusIs(of, 'WAITING_FOR_APPROVAL')),
    writes: ['update', 'action_runs'],
  },
  'workflows.wake-due': {
    plant: (of) => workflowRun(of, { status: 'IN_PROGRESS', dueAt: longAgo() }),
    isDone: (of) => isEmpty(of, 'workflow_node_runs', sql`and due_at is not null`),
    writes: ['update', 'workflow_node_runs'],
  },
  'workflows.sweep': {
    plant: (of) => workflowRun(of, { status: 'IN_PROGRESS', dueAt: null }),
    // what it sends on ends, because the version is not there
    isDone: (of) => isEmpty(of, 'workflow_runs', sql`and status <> 'COMPLETED'`),
    writes: ['insert', 'jobs'],
  },
  'workflows.void-drafts': {
    plant: (of) => workflowDraft(of, 'DRAFT'),
    isDone: (of) => isEmpty(of, 'workflow_run_calls', sql`and state = 'DRAFT'`),
    writes: ['update', 'workflow_run_calls'],
  },
  'workflows.delete-old-drafts': {
    plant: (of) => workflowDraft(of, 'DECLINED'),
    isDone: (of) => isEmpty(of, 'workflow_run_calls'),
    writes: ['delete', 'workflow_run_calls'],
  },
  'workflows.delete-old-notices': {
    plant: notice,
    isDone: (of) => isEmpty(of, 'notices'),
    writes: ['delete', 'notices'],
  },
  'workflows.delete-old-proposals': {
    plant: workflowProposal,
    isDone: (of) => isEmpty(of, 'workflow_proposals'),
    writes: ['delete', 'workflow_proposals'],
  },
  'workflows.delete-old-runs': {
    plant: (of) => workflowRun(of, { status: 'COMPLETED', dueAt: null }),
    isDone: (of) => isEmpty(of, 'workflow_runs'),
    writes: ['delete', 'workflow_runs'],
  },
  'integrations.recover-deliveries': {
    plant: async (of) => {
      await post(of, '/v1/webhooks', { identifier: 'hook', title: 'Hook', enabled: true, mappings: [] });
      await execute(sql`
        insert into webhook_deliveries (org_id, webhook_key, id, state, payload, bytes, received_at)
        select ${of.id}, key, 'd', 'waiting', '{"body":{},"headers":{},"queryParams":{}}', 2, ${longAgo()}
        from webhooks where org_id = ${of.id}`);
    },
    isDone: (of) => isEmpty(of, 'webhook_deliveries', sql`and state in ('waiting', 'running')`),
    writes: ['insert', 'jobs'],
  },
  'demo-organization.sweep-removed': {
    plant: async (of) => {
      await execute(sql`insert into checklists (org_id, is_dismissed) values (${of.id}, true)`);
      await execute(sql`insert into removed_organizations (id, removed_at) values (${of.id}, ${app.clock.now()})`);
    },
    isDone: (of) => isEmpty(of, 'checklists'),
    writes: ['delete', 'checklists'],
  },
  'sources.clean-up': {
    plant: async (of) => {
      await blueprint(of, {});
      await importLines(of.request, 'blueprint=thing&dry_run=true', [{ identifier: 'one' }]);
      await execute(sql`update source_syncs set ended_at = ${longAgo()} where org_id = ${of.id}`);
    },
    isDone: (of) => isEmpty(of, 'source_changes'),
    writes: ['delete', 'source_changes'],
  },
  'sources.schedule-syncs': {
    plant: (of) => post(of, '/v1/sources', { type: 'backstage', settings: { address: 'http://127.0.0.1:9' } }),
    isDone: async (of) => !(await isEmpty(of, 'source_syncs')),
    writes: ['insert', 'source_syncs'],
  },
  'checklist.note-milestones': {
    plant: (of) => blueprint(of, {}),
    isDone: async (of) => !(await isEmpty(of, 'organization_milestones')),
    writes: ['insert', 'organization_milestones'],
  },
  'migrations.forget-images': {
    plant: async (of) => {
      await execute(sql`
        insert into people_migrations (org_id, id, status, stage, from_model, actor, created_at, updated_at, undo_until)
        values (${of.id}, 'm', 'COMPLETED', 'done', 'legacy', '{}', ${longAgo()}, ${longAgo()}, ${longAgo()})`);
      await execute(sql`
        insert into people_migration_images (org_id, migration_id, kind, name) values (${of.id}, 'm', 'team', 'a')`);
    },
    isDone: (of) => isEmpty(of, 'people_migration_images'),
    writes: ['delete', 'people_migration_images'],
  },
  'assistant.remove-content': {
    plant: (of) =>
      execute(sql`
        insert into invocations (org_id, id, state, asked_by, request_hash, prompt, provider, model, prompt_version,
          runner, heartbeat_at, asked_at, replied_at)
        values (${of.id}, 'i', 'completed', 'jo', '', 'Who?', 'p', 'm', '1', 'r', now(), ${longAgo()}, ${longAgo()})`),
    isDone: (of) => has(sql`select 1 from invocations where org_id = ${of.id} and content_removed_at is not null`),
    writes: ['update', 'invocations'],
  },
  'assistant.follow-clock': {
    plant: (of) =>
      execute(sql`
        update organizations set cutover = ${JSON.stringify({ scheduledAt: longAgo() })}::jsonb where id = ${of.id}`),
    isDone: (of) =>
      has(sql`select 1 from blueprints where org_id = ${of.id} and identifier = '_ai_agent'
        and definition #> '{schema,properties,allowed_blueprints}' is null`),
    writes: ['update', 'blueprints'],
  },
};

/** Schedules that walk over nothing of organizations, and why nothing of one can hold up another. */
const others: Readonly<Record<string, string>> = {
  'sign-in.remove-ended': 'statements over whole tables',
  'connected-apps.remove-ended': 'one statement over a whole table',
  'automations.resume-changelog': 'begins sending to each receiver, and waits for none',
  'assistant.sweep-invocations': 'claims each run by itself; sweep-invocations.int.test.ts',
};

/**
 * Refuses what is written of the organization, of those that are looked at, whose turn comes first. A sequence remembers
 * which that was, since nothing else outlives a transaction that is rolled back.
 */
async function poisonable(): Promise<void> {
  await execute(sql`create table looked_at (organization text)`);
  await execute(sql`create sequence poisoned minvalue 0 start 0`);
  await execute(sql`
    create function refuse() returns trigger language plpgsql as $$
    declare mine bigint; poisoned bigint;
    begin
      select 1 + abs(hashtext(l.organization)::bigint) into mine
      from looked_at l where l.organization = coalesce(new.org_id, old.org_id);
      select last_value into poisoned from poisoned;
      if poisoned = 0 and mine is not null then poisoned := setval('poisoned', mine); end if;
      if poisoned = mine then raise exception 'poisoned'; end if;
      return coalesce(new, old);
    end $$`);
}

async function heal(table: string): Promise<void> {
  await execute(sql`drop trigger refuse on ${raw(table)}`);
  await execute(sql`delete from looked_at`);
}

/** The schedules come round once: at first they are only begun. */
async function comeRound(): Promise<void> {
  app.clock.advance(dayMs);
  await app.app.jobs.drain();
}

test('every schedule is looked at here', async () => {
  await app.app.jobs.drain();
  const rows = await app.database.rows<{ name: string }>(sql`select name from job_schedules order by name`);
  expect(rows.map(({ name }) => name)).toEqual([...Object.keys(walks), ...Object.keys(others)].toSorted());
});

test.each(Object.entries(walks))('%s passes over what it cannot handle', async (name, { plant, isDone, writes }) => {
  const [operation, table] = writes;
  const cutover = { stage: 'legacy' };
  const organizations: TestOrganization[] = [];
  for (let count = 0; count < 3; count += 1) organizations.push(await app.createOrganization({ cutover }));
  await app.app.jobs.drain();
  for (const each of organizations) await plant(each);
  await execute(sql`insert into looked_at (organization) select unnest(${organizations.map(({ id }) => id)}::text[])`);
  await app.database.rows(sql`select setval('poisoned', 0)`);
  await execute(sql`
    create trigger refuse before ${raw(operation)} on ${raw(table)} for each row execute function refuse()`);
  lines.length = 0;
  await comeRound();
  const done = await Promise.all(organizations.map(isDone));
  expect(done.toSorted()).toEqual([false, true, true]);
  const told = lines.filter(({ job }) => job === name).map((line) => JSON.stringify(line));
  expect(told.join()).toContain('poisoned');

  await heal(table);
  await comeRound();
  expect(await isDone(organizations[done.indexOf(false)] as TestOrganization)).toBe(true);
});
