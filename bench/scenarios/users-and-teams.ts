import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import { repeat } from '../harness/load.ts';
import { operatorToken } from '../harness/replicas.ts';
import type { Finding } from '../harness/table.ts';
import { readSizes } from './scale.ts';
import type { Scenario } from './scenario.ts';

const trigger = '/v1/blueprints/system/users-and-teams-as-blueprints';
const teams = 50;
/** Pages and actions, each of which names every team once. */
const holders = { pages: 500, actions: 500 };
const writers = 4;
const pollMs = 25;

/**
 * The migration of users and teams of a beta organization all of whose entities inherit their teams over a relation that
 * goes, which is the dearest case, while people write entities: how long the longest write took, and how long everything.
 */
export const usersAndTeams: Scenario = {
  name: 'users-and-teams',
  run: async (environment, size) => {
    const findings: Finding[] = [];
    for (const entities of readSizes({ ...size, entities: size.entities * 10 })) {
      findings.push(...(await migrateOne(environment, entities)));
    }
    return findings;
  },
};

async function migrateOne(environment: Environment, entities: number): Promise<Finding[]> {
  const { port } = environment.ours;
  const headers = await createOrganization(port);
  for (let n = 0; n < teams; n += 1) await fetchJson(port, 'POST', '/v1/teams', headers, { name: `Team ${n}` });
  await fetchJson(port, 'POST', '/v1/blueprints', headers, {
    identifier: 'ledger',
    title: 'Ledger',
    schema: { properties: { n: { type: 'number' } } },
    relations: { owners: { target: '_team', many: true, required: false } },
    teamInheritance: { path: 'owners' },
    calculationProperties: { owner: { type: 'string', calculation: '.team[0]' } },
  });
  await grantTeams(port, headers);
  await fill(environment.databaseUrl('bench'), entities);
  const planStartedAt = performance.now();
  await fetchJson(port, 'GET', `${trigger}/plan`, headers);
  const planMs = performance.now() - planStartedAt;
  const rssBefore = await environment.ours.rssMb();
  const load = startWriters(port, headers, entities);
  await sleep(2_000);
  const calm = load.longest();
  load.reset();
  const startedAt = performance.now();
  await fetchJson(port, 'POST', trigger, headers);
  const stages = new Map<string, number>();
  const rssAt: number[] = [];
  const longestIn = new Map<string, number>();
  let rssMost = rssBefore;
  for (let status = ''; status !== 'COMPLETED'; await sleep(pollMs)) {
    const now = await fetchJson(port, 'GET', trigger, headers);
    status = String(now['status']);
    if (status === 'FAILED') throw new Error(`The migration failed: ${String(now['message'])}`);
    const stage = String(now['stage']);
    // what ends while a stage is seen may have waited for the one before it
    longestIn.set(stage, Math.max(longestIn.get(stage) ?? 0, load.longest()));
    load.reset();
    if (!stages.has(stage)) {
      rssAt.push(await environment.ours.rssMb());
      stages.set(stage, performance.now() - startedAt);
      console.error(`${entities} entities: ${stage} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    rssMost = Math.max(rssMost, await environment.ours.rssMb());
  }
  const totalMs = performance.now() - startedAt;
  const dueMs = await untilNothingIsDue(environment.databaseUrl('bench'), startedAt);
  rssMost = Math.max(rssMost, await environment.ours.rssMb());
  const { count, refused } = await load.stop();
  const waits = [...longestIn].map(([stage, ms]) => `${stage} ${ms.toFixed(0)} ms`).join(', ');
  const atFlip = Math.max(...['FLIPPING', 'APPLYING', 'CLEARING'].map((stage) => longestIn.get(stage) ?? 0));
  const path = `users and teams, ${entities} entities`;
  const at = [...stages].map(([stage, ms]) => `${stage} ${(ms / 1000).toFixed(1)} s`).join(', ');
  const finding = (figure: string, value: number, unit: string, most: number | undefined, note: string): Finding => ({
    path,
    contender: 'ours',
    figure,
    value,
    unit,
    ...(most === undefined ? {} : { budget: { of: 'value', most } }),
    note,
  });
  return [
    finding('longest write around the flip', atFlip, 'ms', 1_000, `${waits}; before it began ${calm.toFixed(0)} ms`),
    finding('writes meanwhile', count, '', undefined, `${refused} refused`),
    finding(
      'plan',
      planMs,
      'ms',
      60_000,
      `${(holders.pages + holders.actions) * teams} teams named in rights, nothing else under way`,
    ),
    finding('whole job', totalMs, 'ms', 300_000, at),
    finding('values computed anew', dueMs, 'ms', undefined, 'from the trigger until nothing that reads teams is due'),
    finding(
      'memory above before',
      rssMost - rssBefore,
      'MB',
      undefined,
      `${rssBefore.toFixed(0)} MB before, then ${rssAt.map((mb) => mb.toFixed(0)).join(', ')} at the stages`,
    ),
  ];
}

/** Waits until no value is due any more, and answers how long after `startedAt` that was. */
async function untilNothingIsDue(url: string, startedAt: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query('select exists (select 1 from derived_marks) as "isDue"');
      if (!rows[0].isDue) return performance.now() - startedAt;
      await sleep(100);
    }
  } finally {
    await client.end();
  }
}

async function createOrganization(port: number): Promise<Record<string, string>> {
  const operator = { authorization: `Bearer ${operatorToken}` };
  const body = { name: 'Old', model: 'beta' };
  const created = await fetchJson(port, 'POST', '/v1/operator/organizations', operator, body);
  const granted = await fetchJson(port, 'POST', '/v1/auth/access_token', {}, created['credentials']);
  return { authorization: `Bearer ${String(granted['accessToken'])}` };
}

/** One page and one action whose rights name every team, to be copied. */
async function grantTeams(port: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const named = { teams: Array.from({ length: teams }, (_, n) => `Team ${n}`) };
  await fetchJson(port, 'POST', '/v1/pages', headers, {
    identifier: 'granted',
    title: 'Granted',
    type: 'dashboard',
    widgets: [],
  });
  await fetchJson(port, 'PATCH', '/v1/pages/granted/permissions', headers, { read: named });
  await fetchJson(port, 'POST', '/v1/actions', headers, {
    identifier: 'granted',
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
    invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/' },
  });
  await fetchJson(port, 'PATCH', '/v1/actions/granted/permissions', headers, { execute: named });
}

/** Entities of the blueprint below the API, as the API would have written them. */
async function fill(url: string, entities: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select b.org_id, b.key, t.key as team_blueprint from blueprints b
       join blueprints t on t.org_id = b.org_id and t.identifier = '_team'
       where b.identifier = 'ledger' order by b.created_at desc limit 1`,
    );
    const { org_id: orgId, key, team_blueprint: teamBlueprint } = rows[0];
    await client.query(
      `with named as (
         select t.key as team, t.identifier, row_number() over (order by t.key) - 1 as n from teams t where t.org_id = $1),
       made as (
         insert into entities (org_id, blueprint_key, identifier, title, properties, relations, derived, team_refs,
           datasource, seen_at, created_at, created_by, updated_at, updated_by)
         select $1, $2, 'e-' || s, 'Entity ' || s, jsonb_build_object('n', s),
           jsonb_build_object('owners', jsonb_build_array(m.identifier)), jsonb_build_object('owner', 'Team ' || m.n),
           array[m.team], 'bench', now(), now(), 'bench', now(), 'bench'
         from generate_series(0, $3::int - 1) s join named m on m.n = s % $4
         returning key, relations)
       insert into entity_relations (org_id, source_key, relation, target_key, source_blueprint_key, position)
       select $1, d.key, 'owners', x.key, $2, 0 from made d
       join entities x on x.org_id = $1 and x.blueprint_key = $5 and x.identifier = d.relations -> 'owners' ->> 0`,
      [orgId, key, entities, teams, teamBlueprint],
    );
    await client.query(
      `insert into pages (org_id, identifier, type, definition, permissions, created_at, created_by, updated_at, updated_by)
       select org_id, identifier || '-' || s, type, definition, permissions, created_at, created_by, updated_at, updated_by
       from pages, generate_series(1, $2::int - 1) s where org_id = $1 and identifier = 'granted'`,
      [orgId, holders.pages],
    );
    await client.query(
      `insert into actions (org_id, id, identifier, kind, definition, permissions, created_at, created_by, updated_at, updated_by)
       select org_id, id || s, identifier || '-' || s, kind, definition, permissions, created_at, created_by, updated_at, updated_by
       from actions, generate_series(1, $2::int - 1) s where org_id = $1 and identifier = 'granted'`,
      [orgId, holders.actions],
    );
    await client.query('analyze entities, entity_relations');
  } finally {
    await client.end();
  }
}

/** Writes titles of entities, one after another on some connections, and keeps the longest time. */
function startWriters(port: number, headers: Readonly<Record<string, string>>, entities: number) {
  let isOver = false;
  let longest = 0;
  let count = 0;
  let refused = 0;
  const all = repeat(writers, async (index: number) => {
    const connection = await openConnection(port);
    try {
      for (let n = index; !isOver; n += 7_919) {
        const path = `/v1/blueprints/ledger/entities/e-${n % entities}`;
        const startedAt = performance.now();
        const answer = await connection.send(requestBytes('PATCH', path, { headers, body: { title: `Changed ${n}` } }));
        longest = Math.max(longest, performance.now() - startedAt);
        count += 1;
        if (answer.status !== 200) refused += 1;
        await sleep(5);
      }
    } finally {
      connection.close();
    }
  });
  return {
    longest: () => longest,
    reset: () => {
      longest = 0;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(all);
      return { longest, count, refused };
    },
  };
}
