/** What a release is asked to keep before its data is recorded, in the order of the requests. */
export const releaseCredentials = { clientId: 'release', clientSecret: 'secret-of-the-recorded-release' };

const properties = (more: object = {}) => ({
  schema: {
    properties: {
      tier: { type: 'string', title: 'Tier', enum: ['one', 'two'] },
      size: { type: 'number', title: 'Size' },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
      notes: { type: 'object', title: 'Notes' },
      since: { type: 'string', format: 'date-time', title: 'Since' },
      ...more,
    },
    required: [],
  },
});

export const seeds: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/v1/users/invite?notify=false', { invitee: { email: 'ana@acme.dev' } }],
  ['POST', '/v1/users/invite?notify=false', { invitee: { email: "o'neil@acme.dev" } }],
  ['POST', '/v1/teams', { name: 'Payments Core', description: 'Cards and ledgers', users: ['ana@acme.dev'] }],
  ['POST', '/v1/teams', { name: 'Growth & Ads', users: [] }],
  ['POST', '/v1/blueprints', { identifier: 'domain', title: 'Domain', ...properties() }],
  [
    'POST',
    '/v1/blueprints',
    {
      identifier: 'service',
      title: 'Service',
      ...properties(),
      relations: {
        domain: { title: 'Domain', target: 'domain', required: false, many: false },
        uses: { title: 'Uses', target: 'service', required: false, many: true },
      },
      mirrorProperties: { domain_tier: { title: 'Tier of the domain', path: 'domain.tier' } },
      calculationProperties: { twice: { title: 'Twice', type: 'number', calculation: '.properties.size * 2' } },
    },
  ],
  [
    'PATCH',
    '/v1/blueprints/domain',
    {
      aggregationProperties: {
        services: {
          title: 'Services',
          type: 'number',
          target: 'service',
          calculationSpec: { calculationBy: 'entities', func: 'count' },
        },
      },
    },
  ],
  ['POST', '/v1/blueprints/domain/entities', { identifier: 'money', title: 'Money', properties: { tier: 'one' } }],
  [
    'POST',
    '/v1/blueprints/service/entities',
    {
      identifier: 'cart-api',
      title: 'Cart "API"',
      team: ['payments_core'],
      properties: {
        tier: 'two',
        size: 1.5,
        tags: ['a', 'ż'],
        notes: { deep: [null, { x: 1 }] },
        since: '2026-01-02T03:04:05Z',
      },
      relations: { domain: 'money' },
    },
  ],
  [
    'POST',
    '/v1/blueprints/service/entities',
    { identifier: 'ledger', relations: { domain: 'money', uses: ['cart-api'] } },
  ],
  ['PATCH', '/v1/blueprints/service/entities/ledger', { title: 'Ledger', properties: { size: 3 } }],
  [
    'POST',
    '/v1/blueprints/service/scorecards',
    {
      identifier: 'ready',
      title: 'Ready',
      rules: [
        {
          identifier: 'has-tier',
          title: 'Has a tier',
          level: 'Gold',
          query: { combinator: 'and', conditions: [{ property: 'tier', operator: 'isNotEmpty' }] },
        },
      ],
    },
  ],
  [
    'POST',
    '/v1/actions',
    {
      identifier: 'deploy',
      title: 'Deploy',
      trigger: {
        type: 'self-service',
        operation: 'DAY-2',
        blueprintIdentifier: 'service',
        userInputs: { properties: { version: { type: 'string', title: 'Version' } }, required: ['version'] },
      },
      invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook', body: { version: '{{ .inputs.version }}' } },
    },
  ],
  [
    'POST',
    '/v1/actions',
    {
      identifier: 'on-new-service',
      title: 'On a new service',
      trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } },
      invocationMethod: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'domain',
        mapping: { identifier: 'seen-{{ .event.diff.after.identifier }}', title: 'Seen' },
      },
      publish: true,
    },
  ],
  ['POST', '/v1/blueprints/service/entities', { identifier: 'third', title: 'Third' }],
  ['POST', '/v1/actions/deploy/runs?run_as=ana@acme.dev', { entity: 'cart-api', properties: { version: '1.2.3' } }],
  ['POST', '/v1/pages', { identifier: 'growth', title: 'Growth', type: 'dashboard', widgets: [] }],
  [
    'POST',
    '/v1/organization/secrets',
    { secretName: 'TOKEN', secretValue: 'sealed by the release', description: 'kept' },
  ],
  [
    'POST',
    '/v1/webhooks',
    {
      identifier: 'builds',
      title: 'Builds',
      enabled: true,
      mappings: [
        {
          blueprint: 'service',
          filter: 'true',
          entity: { identifier: '.body.name', title: '.body.name', properties: { tier: '"one"' } },
        },
      ],
      security: {},
    },
  ],
  [
    'POST',
    '/v1/integration',
    {
      installationId: 'k8s-one',
      installationAppType: 'kubernetes',
      version: '1.0.0',
      config: {
        resources: [{ kind: 'v1/namespaces', selector: { query: 'true' }, port: { entity: { mappings: [] } } }],
      },
    },
  ],
  ['POST', '/v1/ai/invoke?stream=false', { prompt: 'How many services are there?' }],
];

/** Things that are read by their names. */
const named = [
  ...[
    'domain',
    'service',
    '_user',
    '_team',
    '_scorecard',
    '_rule',
    '_rule_result',
    '_ai_invocations',
    '_ai_agent',
  ].flatMap((each) => [
    `/v1/blueprints/${each}`,
    `/v1/blueprints/${each}/entities`,
    `/v1/blueprints/${each}/permissions`,
  ]),
  '/v1/blueprints/service/entities/cart-api',
  '/v1/blueprints/service/scorecards',
  '/v1/actions/deploy',
  '/v1/actions/deploy/permissions',
  '/v1/pages/growth',
  '/v1/pages/growth/permissions',
  '/v1/teams/Payments%20Core',
  '/v1/users/ana@acme.dev',
  '/v1/organization/secrets/TOKEN',
  '/v1/webhooks/builds',
  '/v1/integration/k8s-one',
  '/v1/integration/k8s-one/logs',
  '/v1/audit-log?limit=1000',
];

/** What answers by the day, by who asks, or with what comes with the release. */
const ofTheMoment =
  /^\/v1\/(auth|ai\/(limits|tools|usage|cutover|budget)|quota|exports|events|source-types|packs|checklist|organization\/demo|operator|backup|installs|users\/me|audit-log|portal)/;

export interface RecordedAnswer {
  readonly path: string;
  readonly body: unknown;
}

/** Everything of an organization that can be read: all lists that the API document names, and the things by their names. */
export function readPaths(document: {
  readonly paths: Readonly<Record<string, { readonly get?: unknown }>>;
}): string[] {
  const lists = Object.entries(document.paths)
    .filter(
      ([path, { get }]) =>
        get !== undefined && !path.includes('{') && path.startsWith('/v1/') && !ofTheMoment.test(path),
    )
    .map(([path]) => path);
  return [...new Set([...lists.sort(), ...named])];
}
