import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { findTeamsByKey, noteTeamNames } from '../accounts/index.ts';
import { findOrganization } from '../organizations/index.ts';

export function identityTools({ database }: { database: Database }): ToolDeclaration[] {
  return [
    tool({
      name: 'describe_user_details',
      title: 'Describe the caller',
      description:
        'Tells who is asking: the person or machine credential, the organization, the roles and the teams. Use it for questions with "I", "me" or "my".',
      effect: 'read',
      scope: null,
      audience: 'developer',
      texts: 'noted',
      input: z.strictObject({}),
      run: async ({ actor }) => {
        const organization = await findOrganization(database, actor.orgId);
        const teams = await findTeamsByKey(database, actor.orgId, actor.teamKeys);
        await noteTeamNames(database, actor, actor.teamKeys);
        return {
          ...(actor.userId ? { user: actor.userId } : { credential: actor.id }),
          kind: actor.kind,
          organization: { id: actor.orgId, name: organization?.name ?? '' },
          roles: actor.roles,
          teams: teams.map(({ identifier, title }) => ({ identifier, title })),
        };
      },
    }),
  ];
}
