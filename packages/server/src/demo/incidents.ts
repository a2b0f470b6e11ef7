import { type DemoClock, later } from './clock.ts';
import { people } from './people.ts';
import { sources } from './sources.ts';
import type { DemoEntity } from './types.ts';

type Incident = {
  number: number;
  title: string;
  severity: 'SEV1' | 'SEV2' | 'SEV3' | 'SEV4';
  services: string[];
  team: string[];
  commander: string | null;
  openedAt: string;
  summaryByAi?: string;
};

/** Four open ones, newest first: one deadline ahead, two missed, one cleared because the incident was taken. */
export function incidents(clock: DemoClock): DemoEntity[] {
  return [...openIncidents(clock), ...resolvedIncidents(clock)];
}

function openIncidents({ minutesAgo, inMinutes }: DemoClock): DemoEntity[] {
  return [
    open(inMinutes(25), {
      number: 1204,
      title: 'Road positions arrive late',
      severity: 'SEV2',
      services: ['shipment-tracking', 'telemetry-ingest'],
      team: ['tracking-visibility'],
      commander: people.samuel,
      openedAt: minutesAgo(35),
    }),
    open(minutesAgo(480), {
      number: 1203,
      title: 'Tariff lookups time out for machinery',
      severity: 'SEV3',
      services: ['zollprüfung'],
      team: ['customs-compliance'],
      commander: people.aisha,
      openedAt: minutesAgo(540),
    }),
    open(minutesAgo(1185), {
      number: 1201,
      title: 'Plans ignore the closed Brenner pass',
      severity: 'SEV2',
      services: ['route-planner', 'geo.tiles'],
      team: ['routing-planning'],
      commander: people.priya,
      openedAt: minutesAgo(1215),
      summaryByAi:
        '**Trips over the Brenner are planned although the pass is closed.**\n\n- Affected: Route Planner, Map Tiles\n- Map Tiles last shipped 18 days ago and has no owning team, so nobody was paged for the stale map.\n- Next step: publish the closure by hand (runbook “road-closures”), then find an owner for Map Tiles.',
    }),
    open(null, {
      number: 1198,
      title: 'Two carriers get invoice e-mails twice',
      severity: 'SEV4',
      services: ['invoicing'],
      team: ['billing-rates'],
      commander: people.clara,
      openedAt: minutesAgo(4020),
    }),
  ];
}

function resolvedIncidents({ daysAgo }: DemoClock): DemoEntity[] {
  return [
    resolved(47, {
      number: 1197,
      title: 'Customers cannot sign in to the portal',
      severity: 'SEV1',
      services: ['identity', 'customer-portal'],
      team: ['developer-platform'],
      commander: people.tomas,
      openedAt: daysAgo(6, '07:42'),
      summaryByAi:
        '**Sign-in failed for every customer for 47 minutes.**\n\n- Cause: the signing key was rotated, but Identity kept handing out the old one from its cache.\n- Fixed by restarting Identity; 9.2.4 announces rotations a day ahead.',
    }),
    resolved(35, {
      number: 1189,
      title: 'Night import of the sanctions lists stalls',
      severity: 'SEV3',
      services: ['sanctions-screening'],
      team: ['customs-compliance'],
      commander: people.henrik,
      openedAt: daysAgo(11, '03:04'),
    }),
    resolved(52, {
      number: 1183,
      title: 'Route Planner 7.2.4 hangs in its migration',
      severity: 'SEV2',
      services: ['route-planner'],
      team: ['routing-planning'],
      commander: people.priya,
      openedAt: daysAgo(12, '10:31'),
      summaryByAi:
        '**No new plans for 52 minutes.** The migration of 7.2.4 waited for a lock that a report held. The release failed, 7.2.5 a day later sets a lock timeout.',
    }),
    resolved(95, {
      number: 1176,
      title: 'Invoice totals miss the fuel surcharge',
      severity: 'SEV2',
      services: ['invoicing'],
      team: ['billing-rates'],
      commander: people.clara,
      openedAt: daysAgo(20, '09:12'),
    }),
    resolved(60, {
      number: 1171,
      title: 'Acknowledgements from German customs are late',
      severity: 'SEV3',
      services: ['customs-declarations'],
      team: ['customs-compliance'],
      commander: people.aisha,
      openedAt: daysAgo(25, '15:18'),
    }),
    resolved(0, {
      number: 1162,
      title: 'Arrival times show yesterday’s date',
      severity: 'SEV4',
      services: ['eta+forecast'],
      team: ['routing-planning'],
      commander: null,
      openedAt: daysAgo(33, '08:05'),
    }),
    resolved(71, {
      number: 1150,
      title: 'A broker runs out of disk',
      severity: 'SEV1',
      services: ['event-bus'],
      team: ['site-reliability', 'developer-platform'],
      commander: people.samuel,
      openedAt: daysAgo(47, '22:36'),
    }),
    resolved(28, {
      number: 1141,
      title: 'Quotes fail after a broken contract import',
      severity: 'SEV3',
      services: ['rate-engine'],
      team: ['billing-rates'],
      commander: people.clara,
      openedAt: daysAgo(66, '16:20'),
    }),
    resolved(40, {
      number: 1133,
      title: 'Telemetry backlog after a device firmware update',
      severity: 'SEV3',
      services: ['telemetry-ingest'],
      team: ['tracking-visibility'],
      commander: people.meiLin,
      openedAt: daysAgo(80, '05:50'),
    }),
    resolved(120, {
      number: 1118,
      title: 'Old quote interface returns prices in the wrong currency',
      severity: 'SEV2',
      services: ['quote-api@v1'],
      team: ['partner-integrations'],
      commander: people.henrik,
      openedAt: daysAgo(104, '11:27'),
    }),
  ];
}

function open(ackDeadline: string | null, incident: Incident): DemoEntity {
  return entity(incident, { status: 'open', resolvedAt: null, minutesDown: null, ackDeadline });
}

function resolved(minutesDown: number, incident: Incident): DemoEntity {
  // Watching for a quarter of an hour before an incident is called resolved is the house rule.
  const resolvedAt = later(incident.openedAt, minutesDown + 15);
  return entity(incident, { status: 'resolved', resolvedAt, minutesDown, ackDeadline: null });
}

type Outcome = { status: string; resolvedAt: string | null; minutesDown: number | null; ackDeadline: string | null };

function entity(incident: Incident, outcome: Outcome): DemoEntity {
  const { number, title, severity, services, team, commander, openedAt, summaryByAi = null } = incident;
  return {
    blueprint: 'incident',
    identifier: `INC-${number}`,
    title,
    team,
    properties: { severity, openedAt, ...outcome, summaryByAi },
    relations: { services, commander },
    datasource: sources.incidentHook,
  };
}
