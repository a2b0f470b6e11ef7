import * as contract from '@portolan/contract/packs';
import { type Route, route } from '../../platform/http/route.ts';
import { installPack } from './install-pack.ts';
import type { PacksDeps } from './packs.deps.ts';
import { presentPlanned } from './plan-install.ts';
import { presentRemoval } from './plan-removal.ts';
import { getPack, listPacks, planPack } from './read-packs.ts';
import { removePack } from './remove-pack.ts';

export function packRoutes(deps: PacksDeps): Route[] {
  return [
    route(contract.listPacks, async (_input, { actor }) => ({ packs: await listPacks(deps, actor) })),
    route(contract.getPack, async ({ params }, { actor }) => ({ pack: await getPack(deps, actor, params.pack_id) })),
    route(contract.planPack, async ({ params, body }, { actor }) => ({
      changes: await planPack(deps, actor, params.pack_id, body),
    })),
    route(contract.installPack, async ({ params, body }, { actor }) => {
      const planned = await installPack(deps, actor, params.pack_id, body.resolutions);
      return { changes: planned.map(presentPlanned) };
    }),
    route(contract.removePack, async ({ params, body }, { actor }) => {
      const planned = await removePack(deps, actor, params.pack_id, body);
      return { changes: planned.map(presentRemoval) };
    }),
  ];
}
