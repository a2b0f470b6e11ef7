import { homePages } from './dashboard-home.ts';
import { deliveryPage, standardsPage } from './dashboards-quality.ts';
import type { DemoPage, SidebarFolder } from './types.ts';
import { board, dataset, myTeams, rule, table, widget } from './widgets.ts';

export const folders: SidebarFolder[] = [{ identifier: 'platform', title: 'Platform' }];

const engineeringOverview: DemoPage = {
  page: {
    identifier: 'engineering_overview',
    type: 'dashboard',
    title: 'Engineering Overview',
    icon: 'LayoutDashboard',
    description: 'How much there is, what it costs and who owns it.',
    parent: 'platform',
    widgets: [
      board('engineering_overview_board', [
        {
          height: 400,
          cells: [
            [
              3,
              widget('tracking_risk', 'entities-number-chart', 'Shipment Tracking: open incidents', {
                chartType: 'displaySingleProperty',
                blueprint: 'service',
                entity: 'shipment-tracking',
                property: 'openIncidents',
                unit: 'none',
                conditionalFormatting: [
                  { operator: '>', value: 0, message: 'Somebody is on it', description: '', color: 'red' },
                  { operator: '=', value: 0, message: 'Calm', description: '', color: 'green' },
                ],
              }),
            ],
            [
              3,
              widget('without_owner', 'entities-number-chart', 'Services without an owner', {
                chartType: 'countEntities',
                blueprint: 'service',
                func: 'count',
                dataset: dataset('service', rule('$team', 'isEmpty')),
                unit: 'none',
              }),
            ],
            [
              3,
              widget('weekly_deployments', 'entities-number-chart', 'Deployments per week', {
                chartType: 'countEntities',
                blueprint: 'deployment',
                func: 'average',
                averageOf: 'week',
                measureTimeBy: 'deployedAt',
                dataset: dataset('deployment'),
                unit: 'custom',
                unitCustom: 'a week',
                unitAlignment: 'right',
                displayFormatting: 'round',
              }),
            ],
            [
              3,
              widget('monthly_bill', 'entities-number-chart', 'Cloud bill per month', {
                chartType: 'aggregateByProperty',
                calculationBy: 'property',
                blueprint: 'cloudResource',
                func: 'sum',
                property: 'monthlyCost',
                dataset: dataset('cloudResource'),
                unit: '€',
                unitAlignment: 'left',
                displayFormatting: 'custom',
                decimalPlaces: '.00',
              }),
            ],
          ],
        },
        {
          height: 400,
          cells: [
            [
              4,
              widget('by_lifecycle', 'entities-pie-chart', 'Services by lifecycle', {
                blueprint: 'service',
                property: 'property#lifecycle',
                dataset: dataset('service'),
              }),
            ],
            [
              4,
              widget('by_domain', 'bar-chart', 'Services by domain', {
                blueprint: 'service',
                property: 'relation#domain',
                dataset: dataset('service'),
              }),
            ],
            [
              4,
              widget('handbook', 'links-widget', 'Handbook', {
                links: [
                  { title: 'Runbooks', url: 'https://handbook.halyardfreight.example/runbooks', icon: 'BookOpen' },
                  { title: 'On-call rota', url: 'https://handbook.halyardfreight.example/on-call', icon: 'Phone' },
                  {
                    title: 'Retiring a service',
                    url: 'https://handbook.halyardfreight.example/retiring',
                    icon: 'Archive',
                  },
                ],
              }),
            ],
          ],
        },
        {
          height: 600,
          cells: [
            [
              12,
              table('all_services', 'Services', 'service', [], {
                excludedFields: ['properties.grpc', 'properties.helm', 'properties.events', 'properties.config'],
                columns: {
                  groupSettings: { groupBy: ['domain'] },
                  sortSettings: { sortBy: [{ property: '$title', order: 'asc' }] },
                  propertiesSettings: {
                    hidden: ['build-id', 'buildLink', 'slaNumber', 'mergedConfig', '$createdAt'],
                    order: ['$title', '$team', 'lifecycle', 'language', 'riskBand'],
                  },
                },
              }),
            ],
          ],
        },
      ]),
    ],
  },
};

const incidentRoom: DemoPage = {
  page: {
    identifier: 'incident_room',
    type: 'dashboard',
    title: 'Incident Room',
    icon: 'Siren',
    description: 'What is burning, who has it, and what was tried.',
    parent: 'platform',
    after: 'engineering_overview',
    widgets: [
      board('incident_room_board', [
        {
          height: 480,
          cells: [
            [
              8,
              table('my_incidents', 'Incidents of my teams', 'incident', [myTeams], {
                emptyStateText: 'Nothing is open for your teams.',
                columns: {
                  filterSettings: { filterBy: { combinator: 'and', rules: [rule('status', '=', 'open')] } },
                  sortSettings: { sortBy: [{ property: 'openedAt', order: 'desc' }] },
                },
              }),
            ],
            [
              4,
              widget('ask_scribe', 'ai-agent', 'Ask the scribe', { agentIdentifier: 'incident_scribe', useMCP: true }),
            ],
          ],
        },
        {
          height: 420,
          cells: [
            [
              6,
              widget('incidents_by_severity', 'line-chart', 'Incidents by severity', {
                blueprint: 'incident',
                chartType: 'countEntities',
                func: 'count',
                measureTimeBy: 'openedAt',
                breakdownProperty: 'severity',
                timeInterval: 'isoWeek',
                timeRange: { preset: 'last3Months' },
                dataset: dataset('incident'),
                xAxisTitle: 'Week',
                yAxisTitle: 'Opened',
              }),
            ],
            [
              6,
              widget('newest_summary', 'markdown', 'INC-1201 in brief', {
                source: 'property',
                blueprintIdentifier: 'incident',
                propertyIdentifier: 'summaryByAi',
                entityIdentifier: 'INC-1201',
              }),
            ],
          ],
        },
        {
          height: 400,
          cells: [
            [
              12,
              widget('restarts', 'action-runs-table-widget', 'Restarts', {
                action: 'restart_workload',
                displayMode: 'widget',
              }),
            ],
          ],
        },
      ]),
    ],
  },
};

export const dashboards: DemoPage[] = [engineeringOverview, incidentRoom, deliveryPage, standardsPage, ...homePages];
