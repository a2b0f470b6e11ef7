import { type DemoClock, later } from './clock.ts';
import { people } from './people.ts';
import { runId } from './tokens.ts';
import type { DemoRun, JsonObject } from './types.ts';

type Extras = Partial<Pick<DemoRun, 'statusLabel' | 'link' | 'summary' | 'approval' | 'logs' | 'source'>> & {
  entity?: [blueprint: string, identifier: string];
  minutes?: number;
};

const workflow = (repo: string, number: number) => `https://github.com/halyard-freight/${repo}/actions/runs/${number}`;

/** Twenty-two runs, newest first: all five statuses, three of them waiting for somebody's approval. */
export function runs({ minutesAgo, daysAgo }: DemoClock): DemoRun[] {
  const { marta, tomas, priya, aisha, henrik, meiLin, daniel, clara, samuel, yuki } = people;
  const trackingUs = 'k8s:prod-us/tracking/deployment/shipment-tracking';
  const ingest = 'k8s:prod-eu/tracking/deployment/telemetry-ingest';
  return [
    run(
      'restart_workload',
      'IN_PROGRESS',
      samuel,
      minutesAgo(4),
      { reason: 'Backlog grows, INC-1204' },
      {
        entity: ['cloudResource', ingest],
        statusLabel: '2 of 6 pods replaced',
        link: [workflow('cluster-control', 9120)],
        logs: ['Pod 1 of 6 is ready', 'Pod 2 of 6 is ready'],
      },
    ),
    run('create_sandbox', 'SUCCESS', priya, minutesAgo(235), {
      service: 'route-planner',
      branch: 'closure-feeds',
      environment: 'preview',
      hours: '4',
      note: 'For the call with the Austrian road operator.',
    }),
    run('scaffold_service', 'WAITING_FOR_APPROVAL', aisha, minutesAgo(260), {
      name: 'origin-proofs',
      language: 'Kotlin',
      domain: 'customs',
      team: 'customs-compliance',
      summary: 'Keeps certificates of origin and says which one covers a shipment.',
    }),
    run(
      'retire_service',
      'WAITING_FOR_APPROVAL',
      henrik,
      daysAgo(1, '11:08'),
      { confirmation: 'quote-api@v1' },
      { entity: ['service', 'quote-api@v1'] },
    ),
    run(
      'rollback_deployment',
      'SUCCESS',
      daniel,
      daysAgo(1, '10:31'),
      { reason: 'Milestones arrive twice in the US' },
      {
        entity: ['deployment', 'deploy-3180'],
        minutes: 6,
        link: [workflow('deploy-control', 5518), 'https://grafana.halyardfreight.example/d/shipment-tracking'],
        summary: 'Shipment Tracking in prod-us is back on 4.18.0.',
        logs: ['Waiting for traffic to drain', 'Version 4.18.0 is live'],
      },
    ),
    run('create_sandbox', 'SUCCESS', henrik, daysAgo(1, '09:40'), {
      service: 'customer-portal',
      branch: 'customs-status',
      environment: 'preview',
      hours: '8',
    }),
    run(
      'expire_sandbox',
      'FAILURE',
      null,
      daysAgo(1, '07:59'),
      {},
      {
        source: 'AUTOMATION',
        entity: ['devSandbox', 'e_y1GrB6kTq5VhO3eA'],
        summary: 'The namespace still had a volume attached.',
      },
    ),
    run(
      'request_export',
      'IN_PROGRESS',
      clara,
      daysAgo(1, '07:45'),
      { month: '2026-01', format: 'csv' },
      { statusLabel: 'Collecting invoices' },
    ),
    run('create_sandbox', 'SUCCESS', clara, daysAgo(2, '15:22'), {
      service: 'invoicing',
      branch: 'single-mail',
      environment: 'preview',
      hours: '72',
    }),
    run('scaffold_service', 'WAITING_FOR_APPROVAL', meiLin, daysAgo(3, '13:50'), {
      name: 'geofence-alerts',
      language: 'Go',
      domain: 'tracking',
      team: 'tracking-visibility',
      summary: 'Tells a customer when a trailer enters or leaves an area.',
    }),
    run(
      'restart_workload',
      'SUCCESS',
      samuel,
      daysAgo(4, '02:17'),
      { reason: 'Memory above 90 percent' },
      { entity: ['cloudResource', trackingUs], minutes: 5, link: [workflow('cluster-control', 9087)] },
    ),
    run(
      'scaffold_service',
      'DECLINED',
      henrik,
      daysAgo(6, '09:33'),
      { name: 'quote-api-v3', language: 'TypeScript', domain: 'billing', team: 'partner-integrations' },
      {
        approval: {
          state: 'DECLINED',
          userId: yuki,
          description: 'Please extend the rate engine instead; a third quote interface is one too many.',
        },
        minutes: 190,
      },
    ),
    run(
      'restart_workload',
      'SUCCESS',
      tomas,
      daysAgo(6, '08:26'),
      { reason: 'Drop the cached signing key, INC-1197' },
      {
        entity: ['cloudResource', 'k8s:prod-eu/platform/deployment/identity'],
        minutes: 4,
        link: [workflow('cluster-control', 9071)],
      },
    ),
    run('create_sandbox', 'SUCCESS', yuki, daysAgo(7, '14:05'), {
      service: 'identity',
      branch: 'rotation-notice',
      environment: 'preview',
      hours: '8',
    }),
    run(
      'request_export',
      'SUCCESS',
      clara,
      daysAgo(9, '09:10'),
      { month: '2025-12', format: 'parquet' },
      { minutes: 22 },
    ),
    run(
      'rollback_deployment',
      'FAILURE',
      priya,
      daysAgo(12, '10:44'),
      { reason: 'The migration hangs' },
      {
        entity: ['deployment', 'deploy-3169'],
        minutes: 9,
        link: [workflow('deploy-control', 5460)],
        summary: 'The migration of 7.2.4 cannot be undone while it waits for its lock.',
        logs: ['Undoing migration 0117', 'Timed out after 300 s'],
      },
    ),
    run('create_sandbox', 'SUCCESS', priya, daysAgo(16, '10:15'), {
      service: 'load-optimizer',
      branch: 'axle-weights',
      environment: 'preview',
      hours: '24',
    }),
    run(
      'rollback_deployment',
      'SUCCESS',
      clara,
      daysAgo(20, '10:02'),
      { reason: 'Totals miss the fuel surcharge' },
      { entity: ['deployment', 'deploy-3164'], minutes: 7, link: [workflow('deploy-control', 5411)] },
    ),
    run(
      'scaffold_service',
      'SUCCESS',
      meiLin,
      daysAgo(28, '11:30'),
      { name: 'notification-hub', language: 'TypeScript', domain: 'tracking', team: 'tracking-visibility' },
      {
        approval: { state: 'APPROVED', userId: tomas, description: 'Agreed in the architecture round.' },
        minutes: 64,
        link: ['https://github.com/halyard-freight/notification-hub'],
      },
    ),
    run(
      'restart_workload',
      'FAILURE',
      samuel,
      daysAgo(47, '22:41'),
      { reason: 'Brokers refuse new connections, INC-1150' },
      {
        entity: ['cloudResource', ingest],
        minutes: 11,
        link: [workflow('cluster-control', 8842)],
        summary: 'New pods could not reach the brokers.',
      },
    ),
    run(
      'request_export',
      'SUCCESS',
      clara,
      daysAgo(54, '08:20'),
      { month: '2025-11', format: 'xlsx' },
      { minutes: 19 },
    ),
    run(
      'retire_service',
      'FAILURE',
      marta,
      daysAgo(61, '15:00'),
      { confirmation: 'edi-bridge' },
      { entity: ['service', 'edi-bridge'], minutes: 2880, summary: 'Withdrawn: two shippers still send EDIFACT.' },
    ),
  ];
}

function run(
  action: string,
  status: DemoRun['status'],
  createdBy: string | null,
  createdAt: string,
  properties: JsonObject,
  extras: Extras = {},
): DemoRun {
  const { entity, minutes = 1, source = 'UI', link = [], logs = [], ...rest } = extras;
  const isRunning = status === 'IN_PROGRESS' || status === 'WAITING_FOR_APPROVAL';
  return {
    id: runId(`${action} ${createdBy} ${JSON.stringify(properties)}`),
    action,
    status,
    ...(entity ? { entity: { blueprint: entity[0], identifier: entity[1] } } : {}),
    properties,
    source,
    link,
    createdBy,
    createdAt,
    endedAt: isRunning ? null : later(createdAt, minutes),
    logs,
    ...rest,
  };
}
