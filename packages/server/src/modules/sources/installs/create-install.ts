import { type BlueprintBody, blueprintBody } from '@portolan/contract/blueprints';
import type { InstallBody, InstallPlan } from '@portolan/contract/installs';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { listBlueprintRows, type StoredBlueprint } from '../../blueprints/index.ts';
import { createAppWithin } from '../../identity/index.ts';
import { createIntegrationWithin, mappedBlueprints } from '../../integrations/index.ts';
import type { Client } from '../catalogue/client.types.ts';
import { checkSettings, neededSecrets } from './check-settings.ts';
import { findInstall, insertInstall, type StoredInstall } from './install.store.ts';
import type { InstallsDeps } from './installs.deps.ts';
import { makeBlueprints } from './make-blueprints.ts';
import { type BlueprintPlan, planBlueprints } from './plan-install.ts';

/** What the clients call, as scopes; they make no blueprints, pages or actions, which the install did. */
const scopes = [
  'read:organization',
  'read:blueprints',
  ...['read', 'create', 'update', 'delete'].map((verb) => `${verb}:entities`),
  ...['read', 'create', 'update'].map((verb) => `${verb}:integrations`),
  'read:migrations',
  'read:runs',
  'update:runs',
];

/** Shows what an install would do. @throws AppError `not_found`, `invalid_request` for settings */
export async function planInstall(
  { database, catalogue }: Pick<InstallsDeps, 'database' | 'catalogue'>,
  actor: Actor,
  body: InstallBody,
): Promise<InstallPlan> {
  const client = catalogue.client(body.type);
  assertSettings(client, body);
  const existing = await listBlueprintRows(database, actor.orgId);
  const { blueprints, conflicts, leftOut } = planFor(client, existing, body);
  const { missing } = usableMapping(client, existing);
  return {
    blueprints: [...blueprints],
    conflicts: [...conflicts],
    leftOut: [...leftOut, ...missing],
    kinds: [...client.kinds],
    scopes: [...scopes],
  };
}

/**
 * Prepares a client in one transaction: blueprints, the record with its mapping, and credentials bound to it. The record
 * says that resources were made, or the client would make its defaults where none of its blueprints exists.
 * @throws AppError `not_found`, `invalid_request`, `identifier_taken`, `limit_reached`
 */
export function createInstall(
  { unitOfWork, catalogue, blueprints, identity }: InstallsDeps,
  actor: Actor,
  body: InstallBody,
): Promise<{ install: StoredInstall; clientSecret: string }> {
  const client = catalogue.client(body.type);
  assertSettings(client, body);
  identity.countMaking(actor);
  return unitOfWork(actor, async (work) => {
    if (await findInstall(work.tx, actor.orgId, body.installationId)) throw taken(body.installationId);
    const name = `source ${body.installationId}`;
    const { app } = await createAppWithin(identity, work, {
      name,
      role: 'Admin',
      scopes,
      boundTo: body.installationId,
    });
    const existing = await listBlueprintRows(work.tx, actor.orgId);
    const plan = planFor(client, existing, body);
    if (plan.conflicts.length > 0) throw undecided(plan.conflicts);
    const created = await makeBlueprints(blueprints, work, plan);
    const title = body.title ?? `${client.title} (${body.installationId})`;
    await createIntegrationWithin(work, {
      installationId: body.installationId,
      title,
      installationAppType: client.type === 'kubernetes' ? 'K8S EXPORTER' : client.type,
      config: usableMapping(client, existing).mapping,
      installationType: 'OnPrem',
      createPortResourcesOrigin: 'Default',
      arePortResourcesInitialized: true,
    });
    const install: StoredInstall = {
      installationId: body.installationId,
      type: client.type,
      title,
      settings: body.settings,
      secrets: neededSecrets(client, body).map((each) => each.name),
      resyncMinutes: body.resyncMinutes,
      clientId: app.id,
      created,
      createdAt: work.now,
      createdBy: actor.id,
    };
    await insertInstall(work.tx, actor.orgId, install);
    return { install, clientSecret: app.secret as string };
  });
}

function assertSettings(client: Client, body: InstallBody): void {
  const issues = checkSettings(client, body);
  if (issues.length > 0) throw invalidRequest(issues, 'The install');
}

function planFor(client: Client, existing: readonly StoredBlueprint[], { keep }: InstallBody): BlueprintPlan {
  return planBlueprints(client.blueprints.map(toBody), existing, new Set(keep));
}

function toBody(written: unknown): BlueprintBody {
  return blueprintBody.parse(written);
}

/** The default mapping without resources of blueprints that neither exist nor come along; the client would be refused. */
function usableMapping({ mapping, blueprints }: Client, existing: readonly StoredBlueprint[]) {
  const known = new Set([...existing, ...blueprints].map(({ identifier }) => identifier));
  const unknownOf = (resource: (typeof mapping.resources)[number]): string[] =>
    [...mappedBlueprints({ resources: [resource] }).identifiers].filter((each) => !known.has(each));
  const missing = mapping.resources.flatMap((resource) =>
    unknownOf(resource).map((each) => `The kind "${resource.kind}", for there is no blueprint "${each}"`),
  );
  return {
    mapping: { ...mapping, resources: mapping.resources.filter((resource) => unknownOf(resource).length === 0) },
    missing,
  };
}

function undecided(conflicts: BlueprintPlan['conflicts']): AppError {
  const issues = conflicts.map(({ name, message }) => ({
    path: '/keep',
    message: `${message}; name ${name} in keep to leave yours as it is, or change the blueprint first`,
  }));
  return invalidRequest(issues, 'The install');
}

function taken(installationId: string): AppError {
  const message = `"${installationId}" is installed already; choose another installation id, or remove that one first`;
  return new AppError('identifier_taken', message);
}
