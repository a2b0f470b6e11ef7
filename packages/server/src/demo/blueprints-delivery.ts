import type { BlueprintBody } from './types.ts';

const nothingComputed = { mirrorProperties: {}, calculationProperties: {}, aggregationProperties: {} };

export const cloudResourceBlueprint: BlueprintBody = {
  identifier: 'cloudResource',
  title: 'Cloud Resource',
  icon: 'Cloud',
  description: 'Something we rent or run: a workload, a database, a bucket.',
  schema: {
    properties: {
      kind: {
        type: 'string',
        title: 'Kind',
        enum: ['workload', 'database', 'cache', 'queue', 'bucket', 'dns', 'server'],
        enumColors: {
          workload: 'blue',
          database: 'purple',
          cache: 'turquoise',
          queue: 'orange',
          bucket: 'green',
          dns: 'yellow',
          server: 'darkGray',
        },
      },
      provider: {
        type: 'string',
        title: 'Provider',
        enum: [
          'alibaba',
          'aws',
          'azure',
          'cloudflare',
          'digitalocean',
          'fastly',
          'gcp',
          'hetzner',
          'ibm',
          'linode',
          'netlify',
          'on-premises',
          'oracle',
          'ovh',
          'scaleway',
          'vercel',
          'vultr',
        ],
        enumColors: {
          alibaba: 'bronze',
          aws: 'orange',
          azure: 'blue',
          cloudflare: 'gold',
          digitalocean: 'paleBlue',
          fastly: 'pink',
          gcp: 'yellow',
          hetzner: 'red',
          ibm: 'darkGray',
          linode: 'green',
          netlify: 'turquoise',
          'on-premises': 'brown',
          oracle: 'silver',
          ovh: 'olive',
          scaleway: 'purple',
          vercel: 'lightGray',
          vultr: 'lime',
        },
      },
      monthlyCost: { type: 'number', title: 'Monthly cost (EUR)', minimum: 0 },
      labels: {
        type: 'object',
        title: 'Labels',
        patternProperties: { '^[a-z][a-z0-9-]*$': { type: 'string' } },
        additionalProperties: false,
      },
      zones: { type: 'array', title: 'Zones' },
    },
    required: ['kind', 'provider'],
  },
  relations: {
    service: { title: 'Service', target: 'service', required: false, many: false },
    runsIn: { title: 'Runs in', target: 'environment', required: false, many: false },
  },
  ...nothingComputed,
  ownership: { type: 'Inherited', path: 'service' },
};

export const deploymentBlueprint: BlueprintBody = {
  identifier: 'deployment',
  title: 'Deployment',
  icon: 'Rocket',
  description: 'One version of one service going to one environment.',
  schema: {
    properties: {
      status: {
        type: 'string',
        title: 'Status',
        enum: ['success', 'failed', 'rolled_back'],
        enumColors: { success: 'green', failed: 'red', rolled_back: 'orange' },
      },
      version: { type: 'string', title: 'Version', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(-[a-z0-9.]+)?$' },
      commit: { type: 'string', title: 'Commit', pattern: '^[0-9a-f]{40}$' },
      deployedAt: { type: 'string', format: 'date-time', title: 'Deployed' },
      durationSec: { type: 'number', title: 'Duration (seconds)', minimum: 0 },
      leadHours: { type: 'number', title: 'Lead time (hours)', minimum: 0 },
    },
    required: ['status', 'deployedAt'],
  },
  relations: {
    service: { title: 'Service', target: 'service', required: true, many: false },
    environment: { title: 'Environment', target: 'environment', required: true, many: false },
  },
  ...nothingComputed,
  ownership: { type: 'Inherited', path: 'service' },
};

export const incidentBlueprint: BlueprintBody = {
  identifier: 'incident',
  title: 'Incident',
  icon: 'Siren',
  description: 'Something customers noticed, or were about to.',
  schema: {
    properties: {
      severity: {
        type: 'string',
        title: 'Severity',
        enum: ['SEV1', 'SEV2', 'SEV3', 'SEV4'],
        enumColors: { SEV1: 'red', SEV2: 'orange', SEV3: 'yellow', SEV4: 'lightGray' },
      },
      status: {
        type: 'string',
        title: 'Status',
        enum: ['open', 'resolved'],
        enumColors: { open: 'red', resolved: 'green' },
      },
      openedAt: { type: 'string', format: 'date-time', title: 'Opened' },
      resolvedAt: { type: 'string', format: 'date-time', title: 'Resolved' },
      minutesDown: { type: 'number', title: 'Minutes down', minimum: 0 },
      ackDeadline: {
        type: 'string',
        format: 'timer',
        title: 'Acknowledge by',
        description: 'Cleared as soon as somebody takes the incident.',
      },
      summaryByAi: { type: 'string', format: 'markdown', title: 'AI summary' },
    },
    required: ['severity', 'status', 'openedAt'],
  },
  relations: {
    services: { title: 'Affected services', target: 'service', required: false, many: true },
    commander: { title: 'Commander', target: '_user', required: false, many: false },
  },
  ...nothingComputed,
  ownership: { type: 'Direct' },
};

export const pullRequestBlueprint: BlueprintBody = {
  identifier: 'pullRequest',
  title: 'Pull Request',
  icon: 'GitPullRequest',
  description: 'A proposed change in one of our repositories.',
  schema: {
    properties: {
      state: {
        type: 'string',
        title: 'State',
        enum: ['open', 'merged', 'closed'],
        enumColors: { open: 'green', merged: 'purple', closed: 'red' },
      },
      cycleHours: { type: 'number', title: 'Hours from opening to merge', minimum: 0 },
      createdOn: { type: 'string', format: 'date-time', title: 'Opened' },
      labels: { type: 'array', items: { type: 'string' }, title: 'Labels' },
      link: { type: 'string', format: 'url', title: 'Link' },
    },
    required: ['state'],
  },
  relations: {
    service: { title: 'Service', target: 'service', required: false, many: false },
    author: { title: 'Author', target: '_user', required: false, many: false },
  },
  ...nothingComputed,
  ownership: { type: 'Inherited', path: 'service' },
};
