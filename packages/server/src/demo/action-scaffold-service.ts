import type { ActionBody, JsonObject } from './types.ts';

/** Every kind of input in one form, in three steps and one that only shows for services on the internet. */
const inputs: JsonObject = {
  name: {
    type: 'string',
    title: 'Name',
    icon: 'Tag',
    description: 'Becomes the identifier, the repository and the host name.',
    minLength: 3,
    maxLength: 40,
    pattern: {
      jqQuery:
        'if .form.language == "Kotlin" or .form.language == "Java" then "^[a-z][a-z0-9-]*$" else "^[a-z][a-z0-9_-]*$" end',
    },
  },
  summary: { type: 'string', format: 'multi-line', title: 'What does it do?', maxLength: 300 },
  language: {
    type: 'string',
    title: 'Language',
    enum: ['Go', 'Java', 'Kotlin', 'Python', 'Rust', 'TypeScript'],
    enumColors: {
      Go: 'turquoise',
      Java: 'orange',
      Kotlin: 'purple',
      Python: 'yellow',
      Rust: 'brown',
      TypeScript: 'blue',
    },
    default: 'Go',
  },
  domain: {
    type: 'string',
    format: 'entity',
    blueprint: 'domain',
    title: 'Domain',
    dataset: { combinator: 'and', rules: [{ property: 'parent', operator: 'isNotEmpty' }] },
    sort: { property: '$title', order: 'ASC' },
  },
  dependencies: {
    type: 'array',
    title: 'Will call',
    items: { type: 'string', format: 'entity', blueprint: 'service' },
    maxItems: 8,
  },
  team: { type: 'string', format: 'team', title: 'Owning team', default: { jqQuery: '.user.teamsIdentifiers[0]' } },
  onCall: { type: 'string', format: 'user', title: 'First on call', default: { jqQuery: '.user.email' } },
  contact: { type: 'string', format: 'email', title: 'Contact', default: { jqQuery: '.user.email' } },
  replicas: {
    type: 'number',
    title: 'Replicas',
    minimum: 1,
    maximum: 20,
    default: { jqQuery: 'if .form.isPublic then 3 else 2 end' },
    dependsOn: ['isPublic'],
  },
  firstRelease: { type: 'string', format: 'date-time', title: 'Planned first release' },
  helm: { type: 'string', format: 'yaml', title: 'Helm values', default: 'replicaCount: 2\n' },
  contract: { type: 'string', format: 'proto', title: 'gRPC contract' },
  readme: { type: 'string', format: 'markdown', title: 'Readme', default: '# New service\n' },
  chat: { type: 'object', format: 'labeled-url', title: 'Chat' },
  settings: { type: 'object', title: 'Settings', default: { http: { timeoutMs: 2000 } } },
  tags: { type: 'array', title: 'Tags', items: { type: 'string' }, maxItems: 6 },
  isPublic: { type: 'boolean', title: 'Reachable from the internet', default: false },
  homepage: { type: 'string', format: 'url', title: 'Public address', visible: { jqQuery: '.form.isPublic == true' } },
  gatewayIp: { type: 'string', format: 'ipv6', title: 'Gateway', visible: { jqQuery: '.form.isPublic == true' } },
  allowedIp: {
    type: 'string',
    format: 'ipv4',
    title: 'Partner address',
    visible: { jqQuery: '.form.isPublic == true' },
  },
  deployKey: { type: 'string', title: 'Deploy key', encryption: 'aes256-gcm' },
};

export const scaffoldService: ActionBody = {
  identifier: 'scaffold_service',
  title: 'Scaffold a service',
  icon: 'PackagePlus',
  description: 'Creates a repository, a pipeline and a catalog entry from the company template.',
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    blueprintIdentifier: 'service',
    actionCardButtonText: 'Scaffold',
    executeActionButtonText: 'Create it',
    userInputs: {
      properties: inputs,
      required: {
        jqQuery:
          'if .form.isPublic then ["name", "language", "domain", "team", "homepage"] else ["name", "language", "domain", "team"] end',
      },
      titles: {
        people: { title: 'Who looks after it', description: 'The team answers for it, a person is called at night.' },
        runtime: { title: 'How it runs' },
      },
      steps: [
        { title: 'What', order: ['name', 'summary', 'language', 'domain', 'dependencies', 'tags', 'isPublic'] },
        { title: 'Who', order: ['people', 'team', 'onCall', 'contact', 'chat', 'firstRelease'] },
        {
          title: 'Internet',
          order: ['homepage', 'gatewayIp', 'allowedIp'],
          visible: { jqQuery: '.form.isPublic == true' },
        },
        { title: 'How', order: ['runtime', 'replicas', 'helm', 'contract', 'settings', 'readme', 'deployKey'] },
      ],
    },
  },
  invocationMethod: {
    type: 'WEBHOOK',
    url: 'https://forge.halyardfreight.example/hooks/scaffold-service',
    agent: false,
    synchronized: false,
    method: 'POST',
    headers: { 'X-Run-Id': '{{ .run.id }}' },
    body: {
      run: '{{ .run.id }}',
      requestedBy: '{{ .trigger.by.user.email }}',
      service: {
        name: '{{ .inputs.name }}',
        summary: '{{ .inputs.summary }}',
        language: '{{ .inputs.language }}',
        domain: '{{ .inputs.domain.identifier }}',
        dependsOn: '{{ (.inputs.dependencies // []) | map(.identifier) }}',
        team: '{{ .inputs.team }}',
        onCall: '{{ .inputs.onCall }}',
        replicas: '{{ .inputs.replicas }}',
        isPublic: '{{ .inputs.isPublic }}',
        '{{ if .inputs.homepage then "homepage" else null end }}': '{{ .inputs.homepage }}',
      },
    },
  },
  requiredApproval: { type: 'ANY' },
  approvalNotification: {
    type: 'webhook',
    format: 'slack',
    url: 'https://chat.halyardfreight.example/hooks/platform-approvals',
  },
};
