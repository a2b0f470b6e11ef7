import { expect } from 'vitest';
import type { TestApp, TestOrganization } from './build-test-app.ts';
import { createLegacyOrganization } from './old-organizations.ts';

const ofSre = { property: '$team', operator: 'containsAny', value: ['SRE'] };
const ofSreNow = { ...ofSre, value: ['sre'] };
const mine = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'checkout' }] };

/** What refers to teams, in every kind of document that people write. */
const written: readonly (readonly [method: string, path: string, body: unknown])[] = [
  [
    'PATCH',
    '/v1/blueprints/checkout',
    {
      calculationProperties: {
        is_sre: { type: 'boolean', calculation: '.team | contains(["SRE"])' },
        owners: { type: 'string', calculation: '.team | join(", ")' },
        again: { type: 'string', calculation: '.team | join("; ")' },
      },
    },
  ],
  [
    'PATCH',
    '/v1/blueprints/checkout/permissions',
    { entities: { read: { policy: { combinator: 'and', rules: [ofSre] } } } },
  ],
  [
    'PATCH',
    '/v1/actions/deploy/permissions',
    { execute: { policy: { queries: { mine }, conditions: ['.user.team | index("SRE") != null'] } } },
  ],
  [
    'POST',
    '/v1/actions',
    {
      identifier: 'ask',
      title: 'Ask',
      trigger: {
        type: 'self-service',
        operation: 'CREATE',
        userInputs: { properties: { why: { type: 'string', visible: { jqQuery: '.user.team | contains(["SRE"])' } } } },
      },
      invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
    },
  ],
  [
    'POST',
    '/v1/actions',
    {
      identifier: 'adopt',
      trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'checkout' } },
      invocationMethod: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'checkout',
        mapping: { identifier: '{{ .event.diff.after.identifier }}', team: 'SRE' },
      },
      publish: false,
    },
  ],
  [
    'POST',
    '/v1/integration',
    {
      installationId: 'tracker',
      installationAppType: 'jira',
      config: {
        resources: [
          {
            kind: 'project',
            selector: { query: 'true' },
            port: {
              entity: { mappings: { identifier: '.key', blueprint: '"checkout"', team: '"SRE"', title: '.name' } },
            },
          },
        ],
      },
    },
  ],
  [
    'POST',
    '/v1/webhooks',
    {
      identifier: 'pager',
      title: 'Pager',
      mappings: [{ blueprint: 'checkout', entity: { identifier: '.body.id', team: '"SRE"' } }],
      security: { secret: 'kept' },
    },
  ],
  [
    'POST',
    '/v1/pages',
    {
      identifier: 'overview',
      title: 'Overview',
      type: 'dashboard',
      widgets: [
        {
          id: 'table',
          type: 'table-entities-explorer',
          blueprint: 'checkout',
          dataset: { combinator: 'and', rules: [ofSre] },
        },
      ],
    },
  ],
  [
    'POST',
    '/v1/blueprints/checkout/scorecards',
    {
      identifier: 'care',
      title: 'Care',
      rules: [
        {
          identifier: 'sre',
          title: 'Of SRE',
          level: 'Gold',
          query: { combinator: 'and', conditions: [ofSre] },
        },
      ],
    },
  ],
];

/** Where what was written is read, and a part of it that says what it should be in the end. */
export const outcomes: readonly (readonly [
  kind: string,
  path: string,
  pick: (body: Answer) => unknown,
  wanted: unknown,
])[] = [
  [
    'blueprint-permissions',
    '/v1/blueprints/checkout/permissions',
    (body) => body.permissions.entities.read.policy.rules,
    [ofSreNow],
  ],
  [
    'action-permissions',
    '/v1/actions/deploy/permissions',
    (body) => body.permissions.execute.policy.conditions,
    ['.user.team | index("sre") != null'],
  ],
  [
    'action',
    '/v1/actions/ask',
    (body) => body.action.trigger.userInputs.properties.why.visible.jqQuery,
    '.user.team | index("sre") != null',
  ],
  ['automation', '/v1/actions/adopt', (body) => body.action.invocationMethod.mapping.team, 'sre'],
  [
    'integration',
    '/v1/integration/tracker',
    (body) => body.integration.config.resources[0].port.entity.mappings.team,
    '"sre"',
  ],
  ['webhook', '/v1/webhooks/pager', (body) => body.integration.mappings[0].entity.team, '"sre"'],
  ['page', '/v1/pages/overview', (body) => body.page.widgets[0].dataset.rules, [ofSreNow]],
  [
    'scorecard',
    '/v1/blueprints/checkout/scorecards/care',
    (body) => body.scorecard.rules[0].query.conditions,
    [ofSreNow],
  ],
];

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
export type Answer = any;

/** A legacy organization with a reference to teams in every kind of document that people write. */
export async function createReferringOrganization(app: TestApp): Promise<TestOrganization> {
  const organization = await createLegacyOrganization(app);
  for (const [method, path, body] of written) {
    const answer = await organization.request(method, path, { body });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  }
  return organization;
}
