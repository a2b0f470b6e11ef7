import type { DemoClock } from './clock.ts';
import { companyServices } from './services-company.ts';
import { operationsServices } from './services-operations.ts';
import { sources } from './sources.ts';
import { commitHash } from './tokens.ts';
import type { DemoEntity } from './types.ts';

type Status = 'success' | 'failed' | 'rolled_back';
/** Service, version, environment, status, duration in seconds, lead time in hours. */
type Facts = [service: string, version: string, environment: string, status: Status, seconds: number, lead: number];

const newestNumber = 3187;
const serviceTitles = new Map([...operationsServices, ...companyServices].map((one) => [one.identifier, one.title]));

/** Newest first, in four age buckets: 6 today, 9 in the six days before, 14 up to day 30, 7 up to day 100. */
export function deployments(clock: DemoClock): DemoEntity[] {
  const { today, daysAgo } = clock;
  const history: [string, Facts][] = [
    [today(0.9), ['shipment-tracking', '4.18.2', 'prod-eu', 'success', 312, 5.5]],
    [today(0.74), ['route-planner', '7.3.0', 'staging', 'success', 245, 20]],
    [today(0.58), ['customer-portal', '5.41.0', 'prod-eu', 'failed', 604, 27.5]],
    [today(0.41), ['load-optimizer', '0.9.4', 'preview', 'success', 188, 3]],
    [today(0.26), ['rate-engine', '3.12.1', 'prod-us', 'success', 201, 16]],
    [today(0.09), ['telemetry-ingest', '2.27.0', 'prod-eu', 'success', 417, 44]],

    [daysAgo(1, '15:20'), ['customer-portal', '5.40.3', 'prod-eu', 'success', 388, 9]],
    [daysAgo(1, '10:05'), ['shipment-tracking', '4.18.1', 'prod-us', 'rolled_back', 355, 7.25]],
    [daysAgo(2, '13:40'), ['zollprüfung', '0.6.0', 'staging', 'success', 276, 51]],
    [daysAgo(2, '09:15'), ['invoicing', '6.8.1', 'prod-eu', 'success', 540, 30]],
    [daysAgo(3, '16:30'), ['eta+forecast', '2.4.0', 'prod-eu', 'success', 733, 68]],
    [daysAgo(4, '11:10'), ['notification-hub', '1.0.0-rc.2', 'staging', 'failed', 95, 12]],
    [daysAgo(5, '14:25'), ['identity', '9.2.4', 'prod-eu', 'success', 298, 22.5]],
    [daysAgo(5, '08:50'), ['event-bus', '3.1.7', 'prod-eu', 'success', 466, 75]],
    [daysAgo(6, '12:00'), ['customs-declarations', '8.14.0', 'prod-eu', 'success', 821, 119]],

    [daysAgo(8, '09:35'), ['shipment-tracking', '4.18.0', 'prod-eu', 'success', 321, 18]],
    [daysAgo(9, '13:05'), ['sanctions-screening', '2.9.3', 'prod-eu', 'success', 502, 41]],
    [daysAgo(11, '15:45'), ['route-planner', '7.2.5', 'prod-eu', 'success', 262, 4]],
    [daysAgo(12, '10:20'), ['route-planner', '7.2.4', 'prod-eu', 'failed', 1310, 36]],
    [daysAgo(14, '11:55'), ['rate-engine', '3.12.0', 'prod-eu', 'success', 214, 26]],
    [daysAgo(15, '14:10'), ['customer-portal', '5.40.2', 'prod-us', 'success', 402, 13]],
    [daysAgo(17, '09:00'), ['telemetry-ingest', '2.26.4', 'prod-eu', 'success', 431, 52.5]],
    [daysAgo(18, '16:15'), ['geo.tiles', '1.33.0', 'prod-eu', 'success', 1105, 210]],
    [daysAgo(20, '08:30'), ['invoicing', '6.8.0', 'prod-eu', 'rolled_back', 577, 48]],
    [daysAgo(21, '13:25'), ['shipment-tracking', '4.17.6', 'prod-eu', 'success', 309, 11]],
    [daysAgo(23, '10:40'), ['eta+forecast', '2.3.2', 'prod-eu', 'success', 690, 33]],
    [daysAgo(25, '15:05'), ['customs-declarations', '8.13.2', 'prod-eu', 'failed', 412, 90]],
    [daysAgo(27, '12:35'), ['identity', '9.2.3', 'prod-us', 'success', 305, 19]],
    [daysAgo(29, '09:50'), ['load-optimizer', '0.9.2', 'staging', 'success', 176, 8.5]],

    [daysAgo(34, '14:00'), ['event-bus', '3.1.6', 'prod-eu', 'success', 458, 96]],
    [daysAgo(41, '11:15'), ['shipment-tracking', '4.17.0', 'prod-eu', 'success', 334, 24]],
    [daysAgo(52, '10:30'), ['route-planner', '7.2.0', 'prod-eu', 'success', 281, 62]],
    [daysAgo(66, '16:05'), ['rate-engine', '3.11.0', 'prod-eu', 'failed', 150, 21]],
    [daysAgo(78, '09:20'), ['invoicing', '6.7.0', 'prod-eu', 'success', 525, 73]],
    [daysAgo(93, '13:30'), ['customer-portal', '5.36.0', 'prod-eu', 'success', 395, 35]],
    [daysAgo(98, '15:00'), ['quote-api@v1', '1.58.9', 'prod-eu', 'success', 640, 140]],
  ];
  return history.map(([deployedAt, facts], index) => deployment(newestNumber - index, deployedAt, facts));
}

function deployment(number: number, deployedAt: string, facts: Facts): DemoEntity {
  const [service, version, environment, status, durationSec, leadHours] = facts;
  return {
    blueprint: 'deployment',
    identifier: `deploy-${number}`,
    title: `${serviceTitles.get(service) ?? service} ${version} to ${environment}`,
    properties: { status, version, commit: commitHash(`${service} ${version}`), deployedAt, durationSec, leadHours },
    relations: { service, environment },
    datasource: sources.pipeline,
  };
}
