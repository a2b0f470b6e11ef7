import * as contract from '@portolan/contract/changelog-destinations';
import { HttpAnswer, type Route, route } from '../../../platform/http/route.ts';
import { warningHeader } from '../../../platform/http/warning.ts';
import { warnOfAuthority } from '../../accounts/index.ts';
import type { AutomationsDeps } from '../automations.deps.ts';
import { changelogTopic } from './changelog-message.ts';
import { type Destination, listDestinations, type ShownDestination } from './destination.store.ts';
import { createDestination, deleteDestination, replaceDestination } from './write-destinations.ts';

export function changelogRoutes(deps: AutomationsDeps): Route[] {
  return [
    route(contract.listChangelogDestinations, async (_input, { actor }) => ({
      destinations: (await listDestinations(deps.database, actor.orgId)).map((each) => withDelivery(actor.orgId, each)),
    })),
    route(contract.createChangelogDestination, async ({ body }, { actor }) =>
      written(actor.orgId, await createDestination(deps, actor, body)),
    ),
    route(contract.replaceChangelogDestination, async ({ params, body }, { actor }) =>
      written(actor.orgId, await replaceDestination(deps, actor, params.id, body)),
    ),
    route(contract.deleteChangelogDestination, async ({ params }, { actor }) => {
      await deleteDestination(deps, actor, params.id);
      return {};
    }),
  ];
}

function written(orgId: string, destination: Destination) {
  const headers = warningHeader(warnOfAuthority(destination));
  return new HttpAnswer({ destination: presentDestination(orgId, destination) }, { headers });
}

function presentDestination(orgId: string, destination: Destination) {
  const { id, type, url, resources, isEnabled, createdAt, createdBy, updatedAt, updatedBy } = destination;
  return {
    id,
    type,
    ...(url === null ? { topic: changelogTopic(orgId) } : { url }),
    ...(resources === null ? {} : { resources: [...resources] }),
    enabled: isEnabled,
    createdAt: createdAt.toISOString(),
    createdBy,
    updatedAt: updatedAt.toISOString(),
    updatedBy,
  };
}

function withDelivery(orgId: string, destination: ShownDestination) {
  const { failures, failingSince, nextAttemptAt, lastError, lastSentAt, waiting } = destination;
  return {
    ...presentDestination(orgId, destination),
    delivery: {
      waiting,
      failures,
      failingSince: failingSince?.toISOString() ?? null,
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      lastError,
      lastSentAt: lastSentAt?.toISOString() ?? null,
    },
  };
}
