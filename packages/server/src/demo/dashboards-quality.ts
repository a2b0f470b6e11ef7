import type { DemoPage } from './types.ts';
import { board, dataset, rule, table, widget } from './widgets.ts';

export const deliveryPage: DemoPage = {
  page: {
    identifier: 'delivery',
    type: 'dashboard',
    title: 'Delivery',
    icon: 'Rocket',
    description: 'How often we ship and how long a change takes.',
    parent: 'platform',
    after: 'incident_room',
    pageFilters: [
      {
        identifier: 'environment',
        title: 'Environment',
        query: {
          blueprint: 'deployment',
          combinator: 'and',
          rules: [{ property: { path: ['environment'] }, operator: 'matchAny', value: ['prod-eu', 'prod-us'] }],
        },
      },
    ],
    widgets: [
      board('delivery_board', [
        {
          height: 420,
          cells: [
            [
              6,
              widget('lead_time', 'line-chart', 'Median lead time', {
                blueprint: 'deployment',
                chartType: 'aggregatePropertiesValues',
                func: 'median',
                properties: ['leadHours'],
                measureTimeBy: 'deployedAt',
                timeInterval: 'quarter',
                timeRange: { preset: 'last12Months' },
                dataset: dataset('deployment'),
                xAxisTitle: 'Quarter',
                yAxisTitle: 'Hours',
              }),
            ],
            [
              6,
              widget('tracking_pace', 'line-chart', 'Shipment Tracking: deployments per week', {
                blueprint: 'service',
                chartType: 'propertiesValueHistory',
                entity: 'shipment-tracking',
                properties: ['deploysPerWeek'],
                timeInterval: 'isoWeek',
                timeRange: { preset: 'last3Months' },
              }),
            ],
          ],
        },
        {
          height: 480,
          cells: [
            [
              7,
              widget('around_tracking', 'table-entities-explorer-by-direction', 'Around Shipment Tracking', {
                blueprintConfig: {
                  '$downstream-deployment': {
                    title: 'Deployments',
                    tabIndex: 0,
                    targetBlueprint: 'deployment',
                    dataset: dataset('deployment', {
                      operator: 'relatedTo',
                      blueprint: 'service',
                      value: 'shipment-tracking',
                      direction: 'downstream',
                    }),
                  },
                  '$upstream-service': {
                    title: 'Depends on',
                    tabIndex: 1,
                    targetBlueprint: 'service',
                    dataset: dataset('service', {
                      operator: 'relatedTo',
                      blueprint: 'service',
                      value: 'shipment-tracking',
                      direction: 'upstream',
                    }),
                  },
                },
              }),
            ],
            [
              5,
              widget('recent_rollbacks', 'runs-table', 'Rollbacks', {
                query: { action: 'rollback_deployment', limit: 50 },
              }),
            ],
          ],
        },
        {
          height: 400,
          cells: [
            [
              12,
              table(
                'failed_deployments',
                'Failed and rolled back',
                'deployment',
                [rule('status', 'in', ['failed', 'rolled_back'])],
                { columns: { sortSettings: { sortBy: [{ property: 'deployedAt', order: 'desc' }] } } },
              ),
            ],
          ],
        },
      ]),
    ],
  },
};

export const standardsPage: DemoPage = {
  page: {
    identifier: 'standards',
    type: 'dashboard',
    title: 'Standards',
    icon: 'BadgeCheck',
    description: 'What we expect of a service in production, and who is not there yet.',
    parent: 'platform',
    after: 'delivery',
    widgets: [
      board('standards_board', [
        {
          height: 420,
          cells: [
            [
              4,
              widget('readiness_levels', 'entities-pie-chart', 'Production readiness', {
                blueprint: 'service',
                property: 'scorecard#production_readiness',
                dataset: dataset('service', rule('lifecycle', '=', 'production')),
              }),
            ],
            [
              4,
              widget('runbook_rule', 'bar-chart', 'Has a runbook', {
                blueprint: 'service',
                property: 'scorecard-rule#production_readiness#runbook',
                dataset: dataset('service', rule('lifecycle', '=', 'production')),
              }),
            ],
            [
              4,
              widget('what_it_means', 'markdown', 'What the levels mean', {
                source: 'custom',
                markdown:
                  '**Bronze** has an owner. **Silver** can be restarted at night by somebody who has never seen it. **Gold** has a person on call and nothing burning.\n\nThe rules were agreed by all team leads and change once a quarter.',
              }),
            ],
          ],
        },
        {
          height: 480,
          cells: [
            [
              6,
              table('missing_runbook', 'In production without a runbook', 'service', [
                rule('lifecycle', '=', 'production'),
                { scorecard: 'production_readiness', scorecardRule: 'runbook', operator: '=', value: 'FAILURE' },
              ]),
            ],
            [
              6,
              table('exposed_services', 'Exposed to known vulnerabilities', 'service', [
                { scorecard: 'security_posture', operator: '=', value: 'Exposed' },
              ]),
            ],
          ],
        },
        {
          height: 420,
          cells: [
            [
              6,
              widget('status_page', 'iframe-widget', 'Public status page', {
                url: 'https://status.halyardfreight.example/embed',
                urlType: 'public',
              }),
            ],
            [
              6,
              widget('platform_domain', 'entity-details', 'Platform', {
                blueprint: 'domain',
                entity: 'platform',
                hiddenQuery: ['charter'],
                order: ['tier', 'services', 'monthlyCost'],
                showEmptyValues: false,
              }),
            ],
          ],
        },
      ]),
    ],
  },
};
