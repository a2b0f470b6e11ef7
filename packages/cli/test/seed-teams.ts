import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './processes.ts';

export interface SeededOrganization {
  readonly clientId: string;
  readonly clientSecret: string;
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${response.url} ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** An empty organization of a model, and requests of its administrator. */
export async function openOrganization(
  server: ServerProcess,
  name: string,
  model: string,
): Promise<SeededOrganization> {
  const secrets = JSON.parse(readFileSync(join(server.dataDir, 'secrets.json'), 'utf8')) as { operatorToken: string };
  const json = { 'content-type': 'application/json' };
  const created = await readAnswer(
    await fetch(`${server.address}/v1/operator/organizations`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${secrets.operatorToken}` },
      body: JSON.stringify({ name, model }),
    }),
  );
  const credentials = created['credentials'] as { clientId: string; clientSecret: string };
  const { accessToken } = await readAnswer(
    await fetch(`${server.address}/v1/auth/access_token`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(credentials),
    }),
  );
  const call = async (method: string, path: string, body?: unknown) =>
    readAnswer(
      await fetch(`${server.address}${path}`, {
        method,
        headers: { ...json, authorization: `Bearer ${String(accessToken)}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return { ...credentials, call };
}

/** An organization from before users and teams were blueprints, with a reference of most kinds and some decoys. */
export async function seedLegacyOrganization(server: ServerProcess): Promise<SeededOrganization> {
  const seeded = await openOrganization(server, 'Acme <b>Logistics</b>', 'legacy');
  const { call } = seeded;
  for (const name of ['SRE', 'Payments Core', 'Growth & Ads']) await call('POST', '/v1/teams', { name });
  await call('POST', '/v1/blueprints', {
    identifier: 'service',
    title: 'Service',
    schema: {
      properties: {
        team_size: { type: 'number' },
        squad: { type: 'string', format: 'team' },
        kind: { type: 'string' },
      },
    },
    calculationProperties: {
      owner_names: { title: 'Owners', type: 'string', calculation: '.team | join(", ")' },
      is_sre: { title: 'SRE?', type: 'boolean', calculation: '.team | contains(["SRE"])' },
      big: { title: 'Big', type: 'boolean', calculation: '.properties.team_size > 3' },
    },
  });
  await call('POST', '/v1/blueprints', {
    identifier: 'deployment',
    title: 'Deployment',
    schema: { properties: {} },
    relations: { service: { target: 'service', required: false, many: false } },
    teamInheritance: { path: 'service' },
  });
  await call('POST', '/v1/blueprints', {
    identifier: 'clean',
    title: 'Clean',
    schema: { properties: { team: { type: 'string' } } },
  });
  await call('POST', '/v1/blueprints/service/entities', {
    identifier: 'cart',
    title: 'Cart',
    team: ['SRE', 'Payments Core'],
    properties: {},
  });
  await call('PATCH', '/v1/blueprints/service/permissions', { entities: { register: { teams: ['SRE'] } } });
  await call('POST', '/v1/actions', {
    identifier: 'restart',
    title: 'Restart',
    trigger: {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: 'service',
      userInputs: {
        properties: {
          reason: { type: 'string', visible: { jqQuery: '.user.team | contains(["SRE"])' } },
          other: {
            type: 'string',
            format: 'entity',
            blueprint: 'service',
            dataset: {
              combinator: 'and',
              rules: [{ property: '$team', operator: 'containsAny', value: ['Payments Core'] }],
            },
          },
        },
        required: [],
        order: ['reason', 'other'],
      },
    },
    invocationMethod: {
      type: 'WEBHOOK',
      url: 'https://my.team.example.com/run?squad={{ .entity.team[0] }}',
      body: { id: '{{ .entity.identifier }}' },
    },
  });
  await call('PATCH', '/v1/actions/restart/permissions', {
    execute: {
      teams: ['Payments Core'],
      policy: {
        queries: {
          mine: { combinator: 'and', rules: [{ property: '$team', operator: 'containsAny', value: ['SRE'] }] },
        },
        conditions: ['.results.mine.entities | length > 0'],
      },
    },
  });
  await call('POST', '/v1/actions', {
    identifier: 'clean_action',
    title: 'Clean action',
    description: 'Ask the .team of SRE',
    trigger: {
      type: 'self-service',
      operation: 'CREATE',
      userInputs: { properties: { team: { type: 'string' } }, required: [], order: ['team'] },
    },
    invocationMethod: { type: 'WEBHOOK', url: 'https://my.team.example.com', body: { team: '{{ .inputs.team }}' } },
  });
  await call('POST', '/v1/actions', {
    identifier: 'adopt',
    title: 'Adopt',
    publish: true,
    trigger: {
      type: 'automation',
      event: { type: 'ENTITY_UPDATED', blueprintIdentifier: 'service' },
      condition: { type: 'JQ', expressions: ['.diff.after.team | index("SRE") != null'], combinator: 'and' },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'service',
      mapping: { identifier: '{{ .event.diff.after.identifier }}', team: 'SRE' },
    },
  });
  await call('POST', '/v1/integration', {
    installationId: 'tracker',
    installationAppType: 'jira',
    config: {
      resources: [
        {
          kind: 'project',
          selector: { query: 'true' },
          port: {
            entity: {
              mappings: {
                identifier: '.key',
                blueprint: '"service"',
                team: '.owner.squad',
                properties: { kind: '.team.kind' },
              },
            },
          },
        },
      ],
    },
  });
  await call('POST', '/v1/integration', { installationId: 'sources', installationAppType: 'GitHub' });
  await call('POST', '/v1/webhooks', {
    identifier: 'pager',
    title: 'Pager',
    mappings: [{ blueprint: 'service', filter: 'true', entity: { identifier: '.body.id', team: '"SRE"' } }],
  });
  await call('POST', '/v1/pages', {
    identifier: 'overview',
    type: 'dashboard',
    title: 'Overview',
    widgets: [
      {
        id: 'root',
        type: 'dashboard-widget',
        layout: [{ height: 400, columns: [{ id: 'sre_services', size: 12 }] }],
        widgets: [
          {
            id: 'sre_services',
            type: 'table-entities-explorer',
            title: 'Of SRE',
            blueprint: 'service',
            dataset: { combinator: 'and', rules: [{ property: '$team', operator: 'containsAny', value: ['SRE'] }] },
            excludedFields: [],
            blueprintConfig: {},
          },
        ],
      },
    ],
  });
  await call('PATCH', '/v1/pages/overview/permissions', { read: { teams: ['Growth & Ads'] } });
  await call('POST', '/v1/blueprints/service/scorecards', {
    identifier: 'ownership',
    title: 'Ownership',
    rules: [
      {
        identifier: 'known',
        title: 'Known',
        level: 'Gold',
        query: { combinator: 'and', conditions: [{ property: '$team', operator: 'contains', value: 'SRE' }] },
      },
    ],
  });
  return seeded;
}
