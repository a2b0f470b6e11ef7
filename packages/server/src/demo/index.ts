import { actionPermissions } from './action-permissions.ts';
import { actions } from './actions.ts';
import { agents } from './agents.ts';
import { automations } from './automations.ts';
import { blueprints } from './blueprints.ts';
import { catalogPages } from './catalog-pages.ts';
import { demoClock } from './clock.ts';
import { dashboards, folders } from './dashboards.ts';
import { deployments } from './deployments.ts';
import { domains } from './domains.ts';
import { incidents } from './incidents.ts';
import { invocations } from './invocations.ts';
import { packages, vulnerabilities } from './packages.ts';
import { systemBlueprints, teams, users } from './people.ts';
import { pullRequests } from './pull-requests.ts';
import { cloudResources, environments } from './resources.ts';
import { runs } from './runs.ts';
import { sandboxes } from './sandboxes.ts';
import { scorecards } from './scorecards.ts';
import { companyServices } from './services-company.ts';
import { operationsServices } from './services-operations.ts';
import type { DemoOrganization } from './types.ts';

export { withPlainRelations } from './search-relations.ts';
export type * from './types.ts';

/**
 * Halyard Freight, an invented logistics company of about sixty engineers, of whom fourteen accounts are shown. The same
 * `now` always gives the same data; nothing is read from the clock. `publicUrl` is where this server answers.
 *
 * Entities come after what they relate to, except that services relate to services, three of them in a circle: write all
 * entities without their self relations first, or write services twice.
 */
export function demoOrganization(now: Date, publicUrl = 'http://localhost:3000'): DemoOrganization {
  const clock = demoClock(now);
  return {
    name: 'Halyard Freight',
    users,
    teams,
    systemBlueprints,
    blueprints,
    entities: [
      ...domains,
      ...operationsServices,
      ...companyServices,
      ...environments,
      ...cloudResources,
      ...deployments(clock),
      ...incidents(clock),
      ...pullRequests(clock),
      ...packages,
      ...vulnerabilities,
      ...sandboxes(clock),
    ],
    agents,
    invocations: invocations(clock),
    scorecards,
    actions: actions(publicUrl),
    actionPermissions,
    // Here every member may ask the assistant; elsewhere an administrator decides.
    blueprintPermissions: {
      _ai_invocations: { register: { roles: ['Admin', '_ai_invocations-moderator', 'Member'] } },
    },
    automations: automations(publicUrl),
    folders,
    pages: [...dashboards, ...catalogPages],
    runs: runs(clock),
  };
}
