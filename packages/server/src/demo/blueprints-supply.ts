import type { BlueprintBody } from './types.ts';

const nothingComputed = { mirrorProperties: {}, calculationProperties: {}, aggregationProperties: {} };

export const packageBlueprint: BlueprintBody = {
  identifier: 'package',
  title: 'Package',
  icon: 'Package',
  description: 'Third-party code that our services are built with.',
  schema: {
    properties: {
      ecosystem: {
        type: 'string',
        title: 'Ecosystem',
        enum: ['npm', 'maven', 'pypi', 'go', 'cargo', 'gem'],
        enumColors: { npm: 'red', maven: 'orange', pypi: 'blue', go: 'turquoise', cargo: 'brown', gem: 'pink' },
      },
      latest: { type: 'string', title: 'Latest version' },
    },
    required: ['ecosystem'],
  },
  relations: { usedBy: { title: 'Used by', target: 'service', required: false, many: true } },
  ...nothingComputed,
};

export const vulnerabilityBlueprint: BlueprintBody = {
  identifier: 'vulnerability',
  title: 'Vulnerability',
  icon: 'ShieldAlert',
  description: 'A published weakness of a package.',
  schema: {
    properties: {
      cvss: { type: 'number', title: 'CVSS score', minimum: 0, exclusiveMaximum: 10.1 },
      severity: {
        type: 'string',
        title: 'Severity',
        enum: ['low', 'medium', 'high', 'critical'],
        enumColors: { low: 'lightGray', medium: 'yellow', high: 'orange', critical: 'red' },
      },
      fixedIn: { type: 'string', title: 'Fixed in' },
      publishedAt: { type: 'string', format: 'date-time', title: 'Published' },
    },
    required: ['severity'],
  },
  relations: { package: { title: 'Package', target: 'package', required: true, many: false } },
  mirrorProperties: { affectedServices: { title: 'Affected services', path: 'package.usedBy.$title' } },
  calculationProperties: {},
  aggregationProperties: {},
};

export const devSandboxBlueprint: BlueprintBody = {
  identifier: 'devSandbox',
  title: 'Developer Sandbox',
  icon: 'FlaskConical',
  description: 'A short-lived copy of a service to try something out.',
  schema: {
    properties: {
      status: {
        type: 'string',
        title: 'Status',
        enum: ['starting', 'running', 'expired'],
        enumColors: { starting: 'yellow', running: 'green', expired: 'lightGray' },
      },
      url: { type: 'string', format: 'url', title: 'Address' },
      expiresAt: { type: 'string', format: 'timer', title: 'Expires' },
      branch: { type: 'string', title: 'Branch' },
      note: { type: 'string', title: 'Note' },
    },
    required: ['status'],
  },
  relations: {
    service: { title: 'Service', target: 'service', required: false, many: false },
    owner: { title: 'Owner', target: '_user', required: false, many: false },
    environment: { title: 'Environment', target: 'environment', required: false, many: false },
  },
  ...nothingComputed,
  ownership: { type: 'Direct' },
};
