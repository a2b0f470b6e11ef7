import type { DemoClock } from './clock.ts';
import { people } from './people.ts';
import type { DemoEntity } from './types.ts';

type Facts = {
  title: string;
  status: 'starting' | 'running' | 'expired';
  branch: string;
  service: string;
  owner: string;
  team: string;
  expiresAt: string;
  note?: string;
};

/** Two have run out, one runs out five minutes after the organization is loaded, two live on. */
export function sandboxes({ minutesAgo, inMinutes }: DemoClock): DemoEntity[] {
  return [
    sandbox('e_h7Kq2mZx9Lb4Tn0V', {
      title: 'Brenner closure',
      status: 'running',
      branch: 'closure-feeds',
      service: 'route-planner',
      owner: people.priya,
      team: 'routing-planning',
      expiresAt: inMinutes(5),
      note: 'For the call with the Austrian road operator.',
    }),
    sandbox('e_R3vYc8Wd1PsJ6gQf', {
      title: 'Customs status on the shipment page',
      status: 'running',
      branch: 'customs-status',
      service: 'customer-portal',
      owner: people.henrik,
      team: 'partner-integrations',
      expiresAt: inMinutes(26 * 60),
    }),
    sandbox('e_b5NtX0uEo7Ck2HaM', {
      title: 'One e-mail per invoice',
      status: 'starting',
      branch: 'single-mail',
      service: 'invoicing',
      owner: people.clara,
      team: 'billing-rates',
      expiresAt: inMinutes(71 * 60),
    }),
    sandbox('e_Z9fLw4Sj3DmU8xIp', {
      title: 'Five-minute positions',
      status: 'expired',
      branch: 'drop-stale-positions',
      service: 'shipment-tracking',
      owner: people.daniel,
      team: 'tracking-visibility',
      expiresAt: minutesAgo(95),
    }),
    sandbox('e_y1GrB6kTq5VhO3eA', {
      title: 'Tariff cache',
      status: 'running',
      branch: 'cache-tariffs',
      service: 'zollprüfung',
      owner: people.henrik,
      team: 'customs-compliance',
      expiresAt: minutesAgo(1500),
      note: 'Its clean-up job failed, so it still says running.',
    }),
  ];
}

function sandbox(identifier: string, facts: Facts): DemoEntity {
  const { title, status, branch, service, owner, team, expiresAt, note = null } = facts;
  return {
    blueprint: 'devSandbox',
    identifier,
    title,
    team: [team],
    properties: { status, url: `https://${branch}.preview.halyardfreight.example`, expiresAt, branch, note },
    relations: { service, owner, environment: 'preview' },
  };
}
