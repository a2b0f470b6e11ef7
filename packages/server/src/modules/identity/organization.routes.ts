import * as contract from '@portolan/contract/organization';
import { AppError } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { findSettings } from '../organizations/index.ts';
import type { IdentityDeps } from './identity.deps.ts';
import { patchSettings, presentOwnOrganization, replaceSettings } from './organization-settings.ts';
import { listSecretRows } from './secrets/secret.store.ts';
import { createSecret, deleteSecret, getSecret, presentSecret, updateSecret } from './secrets/write-secret.ts';

/** People's view of their own organization, with its secrets. */
export function organizationRoutes(deps: IdentityDeps): Route[] {
  const { database, unitOfWork, makings } = deps;
  return [
    route(contract.getOwnOrganization, async (_input, { actor }) => {
      const organization = await findSettings(database, actor.orgId);
      if (!organization) throw new AppError('unauthorized', 'The organization is gone');
      return { organization: presentOwnOrganization(organization) };
    }),
    route(contract.replaceOwnOrganization, async ({ body }, { actor }) => {
      await replaceSettings(unitOfWork, actor, body);
      return {};
    }),
    route(contract.patchOwnOrganization, async ({ body }, { actor }) => {
      await patchSettings(unitOfWork, actor, body);
      return {};
    }),
    route(contract.listSecrets, async (_input, { actor }) => ({
      secrets: (await listSecretRows(database, actor.orgId)).map(presentSecret),
    })),
    route(contract.createSecret, async ({ body }, { actor }) => {
      makings.take(`${actor.orgId} ${actor.id}`);
      return { secret: presentSecret(await createSecret(deps, actor, body)) };
    }),
    route(contract.getSecret, async ({ params }, { actor }) => ({
      secret: presentSecret(await getSecret(deps, actor, params.secret_name)),
    })),
    route(contract.patchSecret, async ({ params, body }, { actor }) => {
      makings.take(`${actor.orgId} ${actor.id}`);
      return { secret: presentSecret(await updateSecret(deps, actor, { ...body, name: params.secret_name })) };
    }),
    route(contract.deleteSecret, async ({ params }, { actor }) => {
      await deleteSecret(deps, actor, params.secret_name);
      return {};
    }),
  ];
}
