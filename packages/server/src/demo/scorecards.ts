import type { DemoOrganization } from './types.ts';

const inProduction = {
  combinator: 'and' as const,
  conditions: [{ property: 'lifecycle', operator: '=', value: 'production' }],
};

export const scorecards: DemoOrganization['scorecards'] = [
  {
    blueprint: 'service',
    scorecard: {
      identifier: 'production_readiness',
      title: 'Production Readiness',
      filter: inProduction,
      rules: [
        {
          identifier: 'owned',
          title: 'Has an owning team',
          level: 'Bronze',
          query: { combinator: 'and', conditions: [{ property: '$team', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'placed',
          title: 'Belongs to a domain',
          level: 'Bronze',
          query: { combinator: 'and', conditions: [{ relation: 'domain', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'runbook',
          title: 'Has a runbook',
          description: 'Somebody who has never seen the service must be able to restart it at night.',
          level: 'Silver',
          query: { combinator: 'and', conditions: [{ property: 'runbooks', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'grouped',
          title: 'Its domain reports to a group',
          level: 'Silver',
          query: { combinator: 'and', conditions: [{ property: 'groupTitle', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'on_call',
          title: 'Somebody is on call',
          level: 'Gold',
          query: { combinator: 'and', conditions: [{ property: 'onCall', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'low_risk',
          title: 'No open incident, no critical vulnerability',
          level: 'Gold',
          query: { combinator: 'and', conditions: [{ property: 'riskBand', operator: '=', value: 'Low' }] },
        },
      ],
    },
  },
  {
    blueprint: 'service',
    scorecard: {
      identifier: 'security_posture',
      title: 'Security Posture',
      levels: [
        { title: 'Exposed', color: 'red' },
        { title: 'Hardened', color: 'brown' },
        { title: 'Fortified', color: 'gold' },
      ],
      rules: [
        {
          identifier: 'no_critical',
          title: 'No critical vulnerability',
          level: 'Hardened',
          query: { combinator: 'and', conditions: [{ property: 'criticalVulns', operator: '=', value: 0 }] },
        },
        {
          identifier: 'score_below_seven',
          title: 'No score of seven or more',
          level: 'Fortified',
          query: {
            combinator: 'or',
            conditions: [
              { property: 'maxCvss', operator: '<', value: 7 },
              { property: 'maxCvss', operator: 'isEmpty' },
            ],
          },
        },
      ],
    },
  },
  {
    blueprint: 'domain',
    scorecard: {
      identifier: 'delivery_health',
      title: 'Delivery Health',
      // Leaves out the tier 3 group Company Services.
      filter: { combinator: 'and', conditions: [{ property: 'tier', operator: '<=', value: 2 }] },
      rules: [
        {
          identifier: 'has_services',
          title: 'Runs at least one service itself',
          level: 'Bronze',
          query: { combinator: 'and', conditions: [{ property: 'services', operator: '>=', value: 1 }] },
        },
        {
          identifier: 'charter',
          title: 'Has written down what it promises',
          level: 'Silver',
          query: { combinator: 'and', conditions: [{ property: 'charter', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'calm',
          title: 'Less than one incident in two weeks',
          level: 'Gold',
          query: { combinator: 'and', conditions: [{ property: 'incidentsPerWeek', operator: '<', value: 0.5 }] },
        },
      ],
    },
  },
];
