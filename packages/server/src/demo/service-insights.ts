import type { AggregationProperty, CalculationProperty, MirrorProperty } from './types.ts';

/** The computed side of the service blueprint: what is looked up, calculated and rolled up. */

export const serviceMirrors: Record<string, MirrorProperty> = {
  domainTitle: { title: 'Domain name', path: 'domain.$title' },
  groupTitle: { title: 'Group', path: 'domain.parent.$title' },
  dependencyTitles: { title: 'Dependency names', path: 'dependsOn.$title' },
  domainTier: { title: 'Tier', path: 'domain.tier' },
};

export const serviceCalculations: Record<string, CalculationProperty> = {
  repoName: { title: 'Repository name', type: 'string', calculation: '.properties.repo | split("/") | last' },
  buildLink: {
    title: 'Build log',
    type: 'string',
    format: 'url',
    calculation:
      'if .properties["build-id"] then "https://ci.halyardfreight.example/builds/" + .properties["build-id"] else null end',
  },
  tagCount: { title: 'Number of tags', type: 'number', calculation: '(.properties.tags // []) | length' },
  riskBand: {
    title: 'Risk',
    description: 'High: an open incident and a critical vulnerability at once. Medium: one of the two.',
    type: 'string',
    colorized: true,
    colors: { High: 'red', Medium: 'orange', Low: 'green' },
    calculation:
      '((.properties.openIncidents // 0) > 0) as $burning | ((.properties.criticalVulns // 0) > 0) as $exposed | if $burning and $exposed then "High" elif $burning or $exposed then "Medium" else "Low" end',
  },
  isCore: { title: 'Core service', type: 'boolean', calculation: '.properties.domainTier == 1' },
  mergedConfig: {
    title: 'Effective configuration',
    description: 'The company defaults with the service’s own settings on top.',
    type: 'object',
    calculation: '{"http": {"timeoutMs": 2000, "retries": 2}, "logLevel": "info"} * (.properties.config // {})',
  },
  ageDays: {
    title: 'Age in days',
    type: 'number',
    calculation: '((now - (.properties.launchedOn | fromdateiso8601)) / 86400) | floor',
  },
  slaNumber: {
    title: 'Availability as a number',
    description:
      'Stays empty: the percent sign cannot be read as a number. Kept to show what a failing expression does.',
    type: 'number',
    calculation: '.properties.sla | tonumber',
  },
};

const fromIncidents = [{ path: ['services'], fromBlueprint: 'incident' }];
const fromDeployments = [{ path: ['service'], fromBlueprint: 'deployment' }];
const fromVulnerabilities = [{ path: ['package', 'usedBy'], fromBlueprint: 'vulnerability' }];

export const serviceAggregations: Record<string, AggregationProperty> = {
  openIncidents: {
    title: 'Open incidents',
    type: 'number',
    target: 'incident',
    calculationSpec: { calculationBy: 'entities', func: 'count' },
    query: { combinator: 'and', rules: [{ property: 'status', operator: '=', value: 'open' }] },
    pathFilter: fromIncidents,
  },
  downMinutes90d: {
    title: 'Minutes down, 90 days',
    type: 'number',
    target: 'incident',
    calculationSpec: { calculationBy: 'property', func: 'sum', property: 'minutesDown' },
    query: {
      combinator: 'and',
      rules: [{ property: 'openedAt', operator: 'between', value: { preset: 'last3Months' } }],
    },
    pathFilter: fromIncidents,
  },
  maxCvss: {
    title: 'Highest CVSS score',
    type: 'number',
    target: 'vulnerability',
    calculationSpec: { calculationBy: 'property', func: 'max', property: 'cvss' },
    pathFilter: fromVulnerabilities,
  },
  criticalVulns: {
    title: 'Critical vulnerabilities',
    type: 'number',
    target: 'vulnerability',
    calculationSpec: { calculationBy: 'entities', func: 'count' },
    query: { combinator: 'and', rules: [{ property: 'severity', operator: '=', value: 'critical' }] },
    pathFilter: fromVulnerabilities,
  },
  deploysPerWeek: {
    title: 'Deployments per week',
    type: 'number',
    target: 'deployment',
    calculationSpec: { calculationBy: 'entities', func: 'average', averageOf: 'week', measureTimeBy: 'deployedAt' },
    pathFilter: fromDeployments,
  },
  leadP50: {
    title: 'Median lead time (hours)',
    type: 'number',
    target: 'deployment',
    calculationSpec: { calculationBy: 'property', func: 'median', property: 'leadHours' },
    pathFilter: fromDeployments,
  },
  fastestLead: {
    title: 'Fastest lead time (hours)',
    type: 'number',
    target: 'deployment',
    calculationSpec: { calculationBy: 'property', func: 'min', property: 'leadHours' },
    pathFilter: fromDeployments,
  },
  prCycleAvg: {
    title: 'Pull request cycle time (hours)',
    type: 'number',
    target: 'pullRequest',
    calculationSpec: { calculationBy: 'property', func: 'average', property: 'cycleHours', averageOf: 'total' },
    pathFilter: [{ path: ['service'], fromBlueprint: 'pullRequest' }],
  },
};
