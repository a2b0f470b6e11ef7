import { counted, type Integration, number, to, url, when } from './integration.ts';

/** Services that are on call, and their incidents: counts with filters and dates, means over time, the largest of a kind. */
export const incidents: Integration = {
  name: 'incidents',
  blueprints: [
    {
      identifier: 'onCallService',
      title: 'Service on call',
      schema: {
        properties: {
          status: { type: 'string', enum: ['active', 'warning', 'critical'] },
          url,
          oncall: { type: 'string', format: 'user' },
          secondaryOncall: { type: 'array', items: { type: 'string', format: 'user' } },
          meanSecondsToResolve: number,
        },
        required: [],
      },
      relations: {},
      calculationProperties: {
        resolveMinutes: {
          type: 'number',
          calculation:
            'if .properties.meanSecondsToResolve then .properties.meanSecondsToResolve / 60 | round else null end',
        },
        risk: {
          type: 'string',
          colorized: true,
          colors: { high: 'red', low: 'green' },
          calculation: 'if (.properties.openIncidents > 1) or (.properties.worst >= 3) then "high" else "low" end',
        },
      },
      aggregationProperties: {
        openIncidents: counted('Open', 'onCallIncident', [
          { property: 'status', operator: 'in', value: ['triggered', 'acknowledged'] },
        ]),
        recent: counted('Recent', 'onCallIncident', [
          { property: 'createdAt', operator: 'between', value: { preset: 'lastMonth' } },
        ]),
        worst: {
          title: 'Worst',
          target: 'onCallIncident',
          calculationSpec: { calculationBy: 'property', func: 'max', property: 'severity' },
        },
        perDay: {
          title: 'A day',
          target: 'onCallIncident',
          calculationSpec: {
            calculationBy: 'entities',
            func: 'average',
            averageOf: 'day',
            measureTimeBy: 'createdAt',
          },
        },
        median: {
          title: 'Median minutes',
          target: 'onCallIncident',
          calculationSpec: { calculationBy: 'property', func: 'median', property: 'minutes' },
          query: { combinator: 'and', rules: [{ property: 'minutes', operator: 'isNotEmpty' }] },
        },
      },
    },
    {
      identifier: 'onCallIncident',
      title: 'Incident',
      schema: {
        properties: {
          status: { type: 'string', enum: ['triggered', 'acknowledged', 'resolved'] },
          severity: { type: 'number', enum: [1, 2, 3], enumColors: { '1': 'green', '2': 'orange', '3': 'red' } },
          createdAt: when,
          minutes: number,
          ackBy: { type: 'string', format: 'timer' },
        },
      },
      relations: { service: to('onCallService', { required: true }) },
      mirrorProperties: { risk: { path: 'service.risk' }, resolveMinutes: { path: 'service.resolveMinutes' } },
    },
  ],
  entities: [
    ['onCallService', { identifier: 'PAY', title: 'Payments', properties: { meanSecondsToResolve: 149 } }],
    ['onCallService', { identifier: 'IDLE' }],
    [
      'onCallIncident',
      {
        identifier: 'Q1',
        properties: { status: 'resolved', severity: 3, createdAt: '2026-01-10T08:00:00Z', minutes: 10 },
        relations: { service: 'PAY' },
      },
    ],
    [
      'onCallIncident',
      {
        identifier: 'Q2',
        properties: { status: 'triggered', severity: 1, createdAt: '2026-01-12T09:00:00Z', minutes: 30 },
        relations: { service: 'PAY' },
      },
    ],
    [
      'onCallIncident',
      {
        identifier: 'Q3',
        properties: { status: 'acknowledged', severity: 2, createdAt: '2025-01-10T08:00:00Z', minutes: null },
        relations: { service: 'IDLE' },
      },
    ],
  ],
  expected: {
    'onCallService/PAY': {
      resolveMinutes: 2,
      openIncidents: 1,
      recent: 2,
      worst: 3,
      perDay: 2 / 3,
      median: 20,
      risk: 'high',
    },
    'onCallService/IDLE': { resolveMinutes: null, openIncidents: 1, recent: 0, worst: 2, perDay: 1, median: null },
    'onCallIncident/Q2': { risk: 'high', resolveMinutes: 2 },
    'onCallIncident/Q3': { risk: 'low', resolveMinutes: null },
  },
};
