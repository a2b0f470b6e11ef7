import { serviceAggregations, serviceCalculations, serviceMirrors } from './service-insights.ts';
import type { BlueprintBody } from './types.ts';

export const domainBlueprint: BlueprintBody = {
  identifier: 'domain',
  title: 'Domain',
  icon: 'Network',
  description: 'A part of the business, from the group at the top to the area a team looks after.',
  schema: {
    properties: {
      tier: {
        type: 'number',
        title: 'Tier',
        description: '1: freight stops without it. 2: customers notice within a day. 3: inconvenient.',
        enum: [1, 2, 3],
        enumColors: { '1': 'red', '2': 'orange', '3': 'lightGray' },
      },
      contacts: {
        type: 'object',
        title: 'Contacts',
        properties: {
          lead: { type: 'string', format: 'email' },
          channel: { type: 'string' },
          escalation: {
            type: 'object',
            properties: { phone: { type: 'string' }, hours: { type: 'string' } },
            additionalProperties: false,
          },
        },
        required: ['lead', 'channel'],
        additionalProperties: false,
      },
      charter: { type: 'string', format: 'markdown', title: 'Charter' },
    },
    required: [],
  },
  relations: { parent: { title: 'Group', target: 'domain', required: false, many: false } },
  mirrorProperties: {},
  calculationProperties: {},
  aggregationProperties: {
    services: {
      title: 'Services',
      type: 'number',
      target: 'service',
      calculationSpec: { calculationBy: 'entities', func: 'count' },
      pathFilter: [{ path: ['domain'], fromBlueprint: 'service' }],
    },
    monthlyCost: {
      title: 'Monthly cost (EUR)',
      type: 'number',
      target: 'cloudResource',
      calculationSpec: { calculationBy: 'property', func: 'sum', property: 'monthlyCost' },
      pathFilter: [{ path: ['service', 'domain'], fromBlueprint: 'cloudResource' }],
    },
    incidentsPerWeek: {
      title: 'Incidents per week',
      type: 'number',
      target: 'incident',
      calculationSpec: { calculationBy: 'entities', func: 'average', averageOf: 'week', measureTimeBy: 'openedAt' },
      pathFilter: [{ path: ['services', 'domain'], fromBlueprint: 'incident' }],
    },
  },
  ownership: { type: 'Direct' },
};

export const serviceBlueprint: BlueprintBody = {
  identifier: 'service',
  title: 'Service',
  icon: 'Boxes',
  description: 'Software that runs on its own and has one repository.',
  schema: {
    properties: {
      summary: { type: 'string', title: 'Summary' },
      language: {
        type: 'string',
        title: 'Language',
        enum: ['Go', 'Java', 'Kotlin', 'Python', 'Ruby', 'Rust', 'TypeScript'],
        enumColors: {
          Go: 'turquoise',
          Java: 'orange',
          Kotlin: 'purple',
          Python: 'yellow',
          Ruby: 'red',
          Rust: 'brown',
          TypeScript: 'blue',
        },
      },
      lifecycle: {
        type: 'string',
        title: 'Lifecycle',
        enum: ['planned', 'beta', 'production', 'deprecated'],
        enumColors: { planned: 'lightGray', beta: 'blue', production: 'green', deprecated: 'red' },
      },
      version: {
        type: 'string',
        title: 'Version',
        description: 'Newest version running in production, else anywhere.',
      },
      repo: { type: 'string', format: 'url', title: 'Repository' },
      dashboard: { type: 'string', format: 'url', spec: 'embedded-url', title: 'Dashboard' },
      spec: { type: 'string', format: 'url', spec: 'open-api', title: 'API' },
      events: { type: 'object', spec: 'async-api', title: 'Events' },
      grpc: { type: 'string', format: 'proto', title: 'gRPC' },
      helm: { type: 'string', format: 'yaml', title: 'Helm values' },
      chat: { type: 'object', format: 'labeled-url', title: 'Chat' },
      runbooks: { type: 'array', items: { type: 'string', format: 'url' }, title: 'Runbooks' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, title: 'Tags' },
      hosts: { type: 'array', items: { type: 'string', format: 'ipv4' }, title: 'Hosts' },
      onCall: { type: 'string', format: 'user', title: 'On call' },
      sla: { type: 'string', title: 'Availability promise', pattern: '^[0-9]{2}(\\.[0-9]{1,3})?%$' },
      config: { type: 'object', title: 'Configuration' },
      isPublic: { type: 'boolean', title: 'Reachable from the internet', default: false },
      'build-id': { type: 'string', title: 'Last build' },
      launchedOn: { type: 'string', format: 'date-time', title: 'Launched' },
    },
    required: ['language', 'lifecycle'],
  },
  relations: {
    domain: { title: 'Domain', target: 'domain', required: true, many: false },
    dependsOn: { title: 'Depends on', target: 'service', required: false, many: true },
  },
  mirrorProperties: serviceMirrors,
  calculationProperties: serviceCalculations,
  aggregationProperties: serviceAggregations,
  ownership: { type: 'Direct', title: 'Owning Teams' },
};

export const environmentBlueprint: BlueprintBody = {
  identifier: 'environment',
  title: 'Environment',
  icon: 'Globe',
  description: 'A place where services run.',
  schema: {
    properties: {
      kind: {
        type: 'string',
        title: 'Kind',
        enum: ['production', 'staging', 'preview'],
        enumColors: { production: 'red', staging: 'yellow', preview: 'blue' },
      },
      gateway: { type: 'string', format: 'ipv6', title: 'Gateway' },
      frozen: { type: 'boolean', title: 'Frozen', description: 'No deployments while this is on.' },
    },
    required: ['kind'],
  },
  relations: {},
  mirrorProperties: {},
  calculationProperties: {},
  aggregationProperties: {},
};
