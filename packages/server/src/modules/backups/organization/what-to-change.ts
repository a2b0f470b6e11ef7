import type { Connection } from '../../../platform/db/engine.ts';
import { countOwn } from './organization-rows.store.ts';

/** Something that names an installation, and that only people can change. */
export interface Change {
  readonly count: number;
  readonly message: string;
}

interface Rule {
  readonly side: 'source' | 'target';
  readonly table: string;
  readonly where: string;
  readonly message: string;
}

const rules: readonly Rule[] = [
  {
    side: 'source',
    table: 'sessions',
    where: 'true',
    message: 'sign-ins stay behind: people sign in again, at the new address.',
  },
  {
    side: 'target',
    table: 'webhooks',
    where: 'true',
    message: 'webhooks that take events: give their senders the new address; secrets are the same.',
  },
  {
    side: 'target',
    table: 'sources',
    where: 'webhook is not null',
    message: 'sources are told of changes by their hosts: renew their webhooks, so that hosts know the new address.',
  },
  {
    side: 'target',
    table: 'sso_connections',
    where: 'true',
    message: 'single sign-on: allow the new address of return at the identity provider.',
  },
  {
    side: 'target',
    table: 'credentials',
    where: 'revoked_at is null',
    message:
      'client ids go on with their secrets; whatever uses them needs the new address, and fetches a new access token.',
  },
  {
    side: 'target',
    table: 'api_tokens',
    where: 'revoked_at is null',
    message: 'API tokens were signed by the other installation and are refused here: make new ones.',
  },
  {
    side: 'target',
    table: 'installs',
    where: 'true',
    message: 'installed integrations: set the new address where they run.',
  },
  {
    side: 'target',
    table: 'oauth_grants',
    where: 'true',
    message: 'connected apps know the old address: people connect them again.',
  },
  {
    side: 'target',
    table: 'password_links',
    where: 'ended_at is null',
    message: 'open invitations and password links name the old address: send new ones.',
  },
  {
    side: 'target',
    table: 'changelog_destinations',
    where: `type = 'KAFKA'`,
    message: 'changelogs in Kafka are written to the broker of this installation.',
  },
  { side: 'target', table: 'jobs', where: `state = 'waiting'`, message: 'jobs that waited go on here at once.' },
  {
    side: 'target',
    table: 'workflow_runs',
    where: `status <> 'COMPLETED'`,
    message: 'runs of workflows that were under way go on here.',
  },
  {
    side: 'target',
    table: 'action_runs',
    where: `status = 'IN_PROGRESS'`,
    message: 'action runs were under way: their backends report to the new address.',
  },
];

/** What the operator has to change, or should know; in the order of the rules. */
export async function listChanges(
  connection: Connection,
  orgId: string,
  side: 'source' | 'target',
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const rule of rules.filter((each) => each.side === side)) {
    const count = await countOwn(connection, rule.table, rule.where, orgId);
    if (count > 0) changes.push({ count, message: rule.message });
  }
  return changes;
}
