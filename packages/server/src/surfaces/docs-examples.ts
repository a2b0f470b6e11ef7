import { type Definitions, findDefinition, type PlacedOperation, type Schema } from './docs-document.ts';
import { portalExamples } from './docs-portal-examples.ts';
import { sourceExamples } from './docs-source-examples.ts';

interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body of JSON lines. */
  readonly lines?: readonly unknown[];
}

const identifiers = {
  blueprint_identifier: 'service',
  entity_identifier: 'route-planner',
  integration_identifier: 'my-exporter',
  webhook_identifier: 'builds',
  kind: 'repository',
  provider: 'openai-compatible',
};
/** The examples create, change and delete only these, never data of the demo. */
const library = { blueprint_identifier: 'library', entity_identifier: 'json-tools' };
const ready = { blueprint_identifier: 'service', scorecard_identifier: 'production_readiness' };
/** The server is not called until the model is used. */
const ownModels = { baseUrl: 'https://models.example.com/v1', models: ['llama-3.3-70b'] };
const popular = {
  identifier: 'popular',
  title: 'Popular',
  rules: [
    {
      identifier: 'thousand',
      title: 'A thousand downloads',
      level: 'Gold',
      query: { combinator: 'and', conditions: [{ property: 'downloads', operator: '>=', value: 1000 }] },
    },
  ],
};

/**
 * The requests of the examples. They run against the demo organization: reading ones use its data, writing ones create
 * a blueprint of their own first. An operation missing here gets an example generated from its schema.
 */
const examples: Readonly<Record<string, Example>> = {
  ...portalExamples,
  ...sourceExamples,
  createStandingApproval: {
    body: {
      agent: 'triage',
      action: 'page_on_call',
      entity: 'trigger',
      inputs: { reason: 'closed' },
      maxPerHour: 5,
      expiresAt: '2027-01-31T00:00:00Z',
    },
  },
  putAiBudget: {
    path: { scope: 'organization', budget_identifier: 'all', period: 'month' },
    body: { requests: 20_000, action: 'warn' },
  },
  deleteAiBudget: { path: { scope: 'organization', budget_identifier: 'all', period: 'month' } },
  createAccessToken: { body: { clientId: 'YOUR-CLIENT-ID', clientSecret: 'YOUR-CLIENT-SECRET' } },
  signIn: { body: { email: 'jo@example.com', password: 'YOUR-PASSWORD' } },
  changePassword: { body: { currentPassword: 'YOUR-PASSWORD', newPassword: 'a longer one' } },
  createPasswordLink: { body: { email: 'jo@example.com' } },
  redeemPasswordLink: { body: { token: 'THE-TOKEN-OF-THE-LINK', password: 'a long password' } },
  startSso: { query: { return_to: '/catalog' } },
  putSsoConnection: {
    body: {
      issuer: 'https://login.example.com',
      clientId: 'portolan',
      clientSecret: 'the secret of the client',
      scopes: ['openid', 'email', 'profile', 'groups'],
    },
  },
  createBlueprint: {
    body: {
      identifier: 'library',
      title: 'Library',
      schema: { properties: { language: { type: 'string' }, downloads: { type: 'number' } } },
      relations: { usedBy: { target: 'service', many: true } },
      mirrorProperties: { languagesOfUsers: { path: 'usedBy.language' } },
    },
  },
  replaceBlueprint: {
    path: library,
    body: {
      identifier: 'library',
      title: 'Shared library',
      schema: { properties: { language: { type: 'string' }, downloads: { type: 'number' } } },
      relations: { usedBy: { target: 'service', many: true } },
      mirrorProperties: { languagesOfUsers: { path: 'usedBy.language' } },
    },
  },
  patchBlueprint: { path: library, body: { schema: { properties: { license: { type: 'string' } } } } },
  deleteBlueprint: { path: library },
  renameProperty: {
    path: { ...library, property_identifier: 'license' },
    body: { newPropertyName: 'licence' },
  },
  renameMirror: {
    path: { ...library, property_identifier: 'languagesOfUsers' },
    body: { newMirrorName: 'userLanguages' },
  },
  renameRelation: {
    path: { ...library, relation_identifier: 'usedBy' },
    body: { newRelationIdentifier: 'users' },
  },
  patchBlueprintPermissions: {
    path: library,
    body: {
      entities: { register: { roles: ['Admin', 'Member'] }, updateProperties: { language: { ownedByTeam: true } } },
    },
  },
  createScorecard: { path: library, body: popular },
  previewScorecard: { path: library, body: popular },
  replaceScorecards: { path: library, body: [popular] },
  getScorecardResults: { path: { ...library, scorecard_identifier: 'popular' } },
  getScorecard: { path: { ...library, scorecard_identifier: 'popular' } },
  replaceScorecard: {
    path: { ...library, scorecard_identifier: 'popular' },
    body: { ...popular, title: 'Widely used' },
  },
  deleteScorecard: { path: { ...library, scorecard_identifier: 'popular' } },
  createCampaign: {
    body: {
      title: 'Every service at Gold',
      blueprint: 'service',
      scorecard: 'production_readiness',
      target: { level: 'Gold' },
      dueDate: '2027-03-31',
    },
  },
  replaceCampaign: {
    body: {
      title: 'Every service has a runbook',
      blueprint: 'service',
      scorecard: 'production_readiness',
      target: { rules: ['runbook'] },
      dueDate: '2027-06-30',
      status: 'active',
    },
  },
  listExemptions: { path: ready },
  createExemptions: {
    path: ready,
    body: { entities: ['rate-engine'], rule: 'runbook', reason: 'Replaced in spring', until: '2027-03-31' },
  },
  deleteAllEntities: { path: library },
  startDataMigration: {
    body: {
      sourceBlueprint: 'library',
      mapping: {
        blueprint: 'library',
        filter: '.properties.downloads > 1000',
        entity: { identifier: '.identifier', properties: { language: '.properties.language | ascii_downcase' } },
      },
    },
  },
  startUsersAndTeams: {},
  chooseForUsersAndTeams: { body: { identifiers: { 'Payments Core': 'payments' }, duplicates: { SRE: 'sre' } } },
  getSystemBlueprintStructure: { path: { blueprint_identifier: '_ai_invocations' } },
  createEntity: {
    path: library,
    query: { upsert: 'true' },
    body: {
      identifier: 'json-tools',
      title: 'JSON tools',
      properties: { language: 'Go', downloads: 1200 },
      relations: { usedBy: ['route-planner'] },
    },
  },
  bulkUpsertEntities: {
    path: library,
    query: { upsert: 'true' },
    body: { entities: [{ identifier: 'retry' }, { identifier: 'tracing', properties: { language: 'Go' } }] },
  },
  replaceEntity: { path: library, body: { identifier: 'json-tools', properties: { language: 'Rust' } } },
  patchEntity: { path: library, body: { properties: { downloads: 1300 } } },
  getEntityChanges: { query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } },
  listEntityChanges: { query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } },
  previewDeletion: { query: { delete_dependents: 'true' } },
  deleteEntity: { path: library },
  bulkDeleteEntities: { path: library, body: { entities: ['retry', 'tracing'] } },
  searchEntities: {
    query: { include: 'identifier,title' },
    body: {
      combinator: 'and',
      rules: [
        { property: '$blueprint', operator: '=', value: 'service' },
        { property: '$team', operator: 'isEmpty' },
      ],
    },
  },
  searchBlueprintEntities: {
    body: { query: { combinator: 'and', rules: [{ property: 'language', operator: '=', value: 'Go' }] }, limit: 20 },
  },
  aggregateEntities: {
    body: {
      func: 'countValues',
      property: 'language',
      query: { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'service' }] },
    },
  },
  aggregateOverTime: {
    body: {
      aggregationType: 'aggregatePropertiesValues',
      blueprint: 'deployment',
      func: 'median',
      properties: ['leadHours'],
      measureTimeBy: 'deployedAt',
      timeInterval: 'quarter',
      timeRange: { preset: 'last12Months' },
    },
  },
  getPropertiesHistory: {
    body: {
      blueprintIdentifier: 'service',
      entityIdentifier: 'route-planner',
      propertyNames: ['deploysPerWeek'],
      timeInterval: 'isoWeek',
      timeRange: { preset: 'last3Months', timeZone: 'Europe/Berlin' },
    },
  },
  searchByDatasource: { body: { datasource_prefix: 'curl/', limit: 100 } },
  topSearch: { body: { text: 'route plan' } },
  groupBlueprintEntities: { body: { groupBy: 'language' } },
  countBlueprintValues: { body: { properties: ['lifecycle', 'language'] } },
  exportAuditLog: { query: { resources: 'blueprint', actorKind: 'person' } },
  getAuditLog: { query: { resources: 'entity', includes: 'action,context', limit: '5' } },
  createLlmProvider: { body: { provider: 'openai-compatible', config: ownModels } },
  replaceLlmProvider: { body: { config: ownModels, enabled: true } },
  putLlmDefaults: { body: { provider: 'port', model: 'planner-1' } },
  invokeAssistant: { body: { userPrompt: 'Which services have no owner?' } },
  createApiToken: { body: { name: 'Continuous integration', scopes: ['read:*', 'update:entities'] } },
  createApp: { body: { name: 'Backup', role: 'Admin', scopes: ['read:*'] } },
  setAppPermissions: { body: { permissions: ['read:*', 'update:entities'] } },
  rotateApiToken: { body: { overlapSeconds: 3600 } },
  rotateAppSecret: { body: { overlapSeconds: 3600 } },
  replaceOwnOrganization: { body: { name: 'Halyard Freight', settings: { portalTitle: 'Harbour' } } },
  patchOwnOrganization: { body: { announcement: { enabled: true, content: 'The catalog moves on Friday.' } } },
  createSecret: { body: { secretName: 'DEPLOY_KEY', secretValue: 'YOUR-SECRET', description: 'Starts a deployment' } },
  createOrganization: { body: { name: 'Example Ltd' } },
  updateOrganization: { body: { plan: 'standard' } },
};

/** The body of an example; undefined if there is none. */
export function exampleBody(operation: PlacedOperation): unknown {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return undefined;
  return examples[operation.operationId]?.body ?? smallest(schema, operation.definitions);
}

/** A shell command that expects `PORTOLAN_URL` and the token in variables (the start of the page sets them). */
export function curlExample(operation: PlacedOperation): string {
  const body = exampleBody(operation);
  const [scheme] = operation.security.flatMap((each) => Object.keys(each));
  const isStream = 'text/event-stream' in (operation.responses['200']?.content ?? {});
  const lines = [`curl ${isStream ? '-N ' : ''}"$PORTOLAN_URL${exampleAddress(operation)}"`];
  const { lines: bodyLines } = examples[operation.operationId] ?? {};
  const natural = body === undefined && !bodyLines ? 'GET' : 'POST';
  if (operation.method !== natural) lines.push(`-X ${operation.method}`);
  if (scheme) lines.push(`-H "authorization: Bearer $${scheme === 'operator' ? 'OPERATOR_TOKEN' : 'TOKEN'}"`);
  if (body !== undefined) lines.push("-H 'content-type: application/json'", `-d ${inSingleQuotes(bodyText(body))}`);
  if (bodyLines) {
    const text = bodyLines.map((line) => JSON.stringify(line)).join('\n');
    lines.push("-H 'content-type: application/x-ndjson'", `--data-binary ${inSingleQuotes(text)}`);
  }
  return lines.join(' \\\n  ');
}

function exampleAddress(operation: PlacedOperation): string {
  const { path = {}, query = {} } = examples[operation.operationId] ?? {};
  const known: Readonly<Record<string, string>> = { ...identifiers, ...path };
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = known[name];
    return value === undefined ? `$${name.toUpperCase()}` : encodeURIComponent(value);
  });
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return search.length > 0 ? `${address}?${search.join('&')}` : address;
}

function bodyText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 72 ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The smallest value that has everything a schema requires. */
function smallest(schema: Schema, definitions: Definitions): unknown {
  if (schema.$ref) return smallest(findDefinition(schema.$ref, definitions) ?? {}, definitions);
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant) return smallest(variant, definitions);
  if (schema.properties) {
    const required = (schema.required ?? []).map((name) => [
      name,
      smallest(schema.properties?.[name] ?? {}, definitions),
    ]);
    return Object.fromEntries(required);
  }
  if (schema.type === 'array') return (schema.minItems ?? 0) > 0 ? [smallest(schema.items ?? {}, definitions)] : [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1;
  return schema.type === 'string' ? 'example' : {};
}
