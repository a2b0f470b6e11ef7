import * as contract from '@portolan/contract/installs';
import * as types from '@portolan/contract/source-types';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { assertMayRead } from '../../integrations/index.ts';
import { mayWriteSource } from '../sources/source-rights.ts';
import { createInstall, planInstall } from './create-install.ts';
import { deleteInstall } from './delete-install.ts';
import type { InstallsDeps } from './installs.deps.ts';
import { getInstall, listInstalls } from './read-installs.ts';

export function installRoutes(deps: InstallsDeps): Route[] {
  const { catalogue } = deps;
  return [
    route(types.listSourceTypes, async ({ query }, { actor }) => {
      assertMayRead(actor);
      return { sections: [...catalogue.sections], sourceTypes: catalogue.list(query) };
    }),
    route(types.getSourceType, async ({ params }, { actor }) => {
      assertMayRead(actor);
      const sourceType = catalogue.details(params.source_type);
      return { sourceType, allowed: { create: mayAdd(actor, sourceType) } };
    }),
    route(contract.planInstall, async ({ body }, { actor }) => ({ plan: await planInstall(deps, actor, body) })),
    route(contract.createInstall, async ({ body }, { actor }) => {
      const { install, clientSecret } = await createInstall(deps, actor, body);
      return { install: await getInstall(deps, actor, install.installationId), clientSecret };
    }),
    route(contract.listInstalls, async (_input, { actor }) => ({ installs: await listInstalls(deps, actor) })),
    route(contract.getInstall, async ({ params }, { actor }) => ({
      install: await getInstall(deps, actor, params.install_id),
    })),
    route(contract.deleteInstall, async ({ params }, { actor }) => deleteInstall(deps, actor, params.install_id)),
  ];
}

/** What Portolan reads itself may be added by those who may write what it writes; all else is for administrators. */
function mayAdd(actor: Actor, { type, way, mapping }: types.SourceTypeDetails): boolean {
  if (way !== 'native') return isAdmin(actor);
  const resources = (mapping?.['resources'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return mayWriteSource(actor, { type, mapping: resources });
}
