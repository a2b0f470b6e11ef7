import type { DemoClock } from './clock.ts';
import { people } from './people.ts';
import { sources } from './sources.ts';
import type { DemoEntity } from './types.ts';

type State = 'open' | 'merged' | 'closed';
type Facts = {
  repo: string;
  service: string;
  author: string;
  title: string;
  state: State;
  cycleHours: number | null;
  labels: string[];
};

/** Sends dependency updates and is no user here, so its search finds nobody and the author stays empty. */
const updateBot = 'renovate@bots.halyardfreight.example';

export function pullRequests({ minutesAgo, daysAgo }: DemoClock): DemoEntity[] {
  const rows: [number, string, Facts][] = [
    [
      1312,
      minutesAgo(50),
      change('shipment-tracking', people.daniel, 'Drop positions older than five minutes', 'open', null, ['hotfix']),
    ],
    [
      874,
      minutesAgo(190),
      change('route-planner', people.priya, 'Read closures from the national feeds', 'open', null, [
        'incident',
        'routing',
      ]),
    ],
    [
      2051,
      daysAgo(1, '12:48'),
      change('customer-portal', people.henrik, 'Show customs status on the shipment page', 'open', null, ['feature']),
    ],
    [
      91,
      daysAgo(2, '08:20'),
      change('load-optimizer', people.priya, 'Try axle weights before rotation', 'open', null, ['experiment']),
    ],
    [
      1309,
      daysAgo(2, '15:02'),
      change('shipment-tracking', people.meiLin, 'Retry milestone publishing with a jitter', 'merged', 17.5, [
        'reliability',
      ]),
    ],
    [
      2047,
      daysAgo(3, '09:30'),
      change('customer-portal', people.henrik, 'Ask for the signing key again when it is unknown', 'merged', 5.25, [
        'incident',
        'security',
      ]),
    ],
    [
      640,
      daysAgo(5, '13:11'),
      change('invoicing', people.clara, 'Send one e-mail per invoice, not per contact', 'open', null, ['bug']),
    ],
    [
      412,
      daysAgo(6, '10:54'),
      change('identity', people.yuki, 'Announce key rotations a day ahead', 'merged', 20, ['security']),
    ],
    [
      533,
      daysAgo(8, '14:37'),
      change('customs-declarations', people.aisha, 'Accept the new Swiss e-dec answers', 'merged', 88, ['regulated']),
    ],
    [
      287,
      daysAgo(10, '16:00'),
      change('rate-engine', updateBot, 'Update golang.org/x/net to 0.38.0', 'closed', null, ['dependencies']),
    ],
    [
      868,
      daysAgo(12, '11:40'),
      change('route-planner', people.priya, 'Give migrations a lock timeout', 'merged', 3.5, ['incident']),
    ],
    [
      58,
      daysAgo(13, '09:25'),
      {
        ...change('zollprüfung', people.henrik, 'Cache tariff chapters for a day', 'merged', 46, ['performance']),
        repo: 'zollpruefung',
      },
    ],
    [
      731,
      daysAgo(16, '15:30'),
      change('telemetry-ingest', people.meiLin, 'Sort by device clock, then by arrival', 'merged', 51, ['core']),
    ],
    [
      205,
      daysAgo(24, '10:10'),
      {
        ...change('eta+forecast', people.priya, 'Count ferry waiting time as driving rest', 'merged', 31, ['planning']),
        repo: 'eta-forecast',
      },
    ],
    [
      198,
      daysAgo(31, '13:45'),
      change('event-bus', people.samuel, 'Alert at 70 percent disk, not at 95', 'merged', 9, [
        'incident',
        'operations',
      ]),
    ],
    [
      276,
      daysAgo(43, '08:55'),
      change('rate-engine', people.clara, 'Refuse contract files with two currencies', 'merged', 27, ['finance']),
    ],
  ];
  return rows.map(([number, createdOn, facts]) => pullRequest(number, createdOn, facts));
}

function change(
  service: string,
  author: string,
  title: string,
  state: State,
  cycleHours: number | null,
  labels: string[],
): Facts {
  return { repo: service, service, author, title, state, cycleHours, labels };
}

function pullRequest(number: number, createdOn: string, facts: Facts): DemoEntity {
  const { repo, service, author, title, state, cycleHours, labels } = facts;
  return {
    blueprint: 'pullRequest',
    identifier: `${repo}/pull/${number}`,
    title,
    properties: {
      state,
      cycleHours,
      createdOn,
      labels,
      link: `https://github.com/halyard-freight/${repo}/pull/${number}`,
    },
    relations: {
      service,
      // The sync knows the author's address, not whether it is one of our users: a search leaves it empty instead of failing.
      author: { combinator: 'and', rules: [{ property: '$identifier', operator: '=', value: author }] },
    },
    datasource: sources.github,
  };
}
