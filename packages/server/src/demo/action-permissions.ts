import { people } from './people.ts';
import type { ActionPermissions } from './types.ts';

/** By action; an action that is not named may be executed by everybody. */
export const actionPermissions: Record<string, ActionPermissions> = {
  scaffold_service: { approve: { teams: ['developer-platform'], roles: ['Admin'], users: [] } },
  rollback_deployment: { execute: { ownedByTeam: true, roles: ['Admin'], users: [], teams: [] } },
  retire_service: {
    execute: { ownedByTeam: true, roles: ['Admin'], users: [], teams: [] },
    approve: {
      roles: ['Admin'],
      users: [],
      teams: [],
      policy: {
        queries: {
          owners: {
            combinator: 'and',
            rules: [
              { property: '$blueprint', operator: '=', value: '_user' },
              { property: '$team', operator: 'containsAny', value: '{{ .entity.team }}' },
            ],
          },
        },
        conditions: ['[.results.owners.entities[].relations.manager | select(. != null)] | unique'],
      },
    },
  },
  restart_workload: { execute: { teams: ['site-reliability'], roles: ['Admin'], users: [people.meiLin] } },
  request_export: {
    execute: {
      roles: ['Admin', 'Member'],
      users: [],
      teams: [],
      policy: {
        queries: {
          requester: {
            combinator: 'and',
            rules: [
              { property: '$blueprint', operator: '=', value: '_user' },
              { property: '$identifier', operator: '=', value: '{{ .trigger.user.email }}' },
            ],
          },
        },
        conditions: ['.results.requester.entities[0].properties.costCentre == "finance"'],
      },
    },
  },
};
