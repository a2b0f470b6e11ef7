import type { Install, InstallDetails } from '@portolan/contract/installs';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { listIntegrations, listKinds, listLogs } from '../../integrations/index.ts';
import { entitiesOfSource } from '../../search/index.ts';
import { installCommands } from './commands.ts';
import { findInstall, listInstallRows, type StoredInstall } from './install.store.ts';
import { hintsFor, installHealth, installSteps, type Observed } from './install-progress.ts';
import type { InstallsDeps } from './installs.deps.ts';
import { clientSecretVariable, secretEnvironment } from './runnable.ts';

/** @throws AppError `missing_permissions` */
export async function listInstalls(deps: InstallsDeps, actor: Actor): Promise<Install[]> {
  const integrations = await listIntegrations(deps.database, actor);
  const rows = await listInstallRows(deps.database, actor.orgId);
  return Promise.all(
    rows.map(async (install) => {
      const integration = integrations.find(({ installationId }) => installationId === install.installationId);
      return present(deps, install, await observe(deps, actor, install, integration));
    }),
  );
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function getInstall(deps: InstallsDeps, actor: Actor, id: string): Promise<InstallDetails> {
  const { database } = deps;
  const [integration] = (await listIntegrations(database, actor)).filter(({ installationId }) => installationId === id);
  const install = await findInstall(database, actor.orgId, id);
  if (!install) throw notFound('Install', id);
  const { prefix, suffix } = datasourceOf(install);
  const { counts, first } = await entitiesOfSource(deps.catalog, actor, prefix, suffix);
  const seen = {
    ...(await observe(deps, actor, install, integration)),
    kinds: integration ? Object.keys(await listKinds(database, actor, id)) : [],
    entities: Object.values(counts).reduce((sum, count) => sum + count, 0),
  };
  const logs = integration ? await listLogs(database, actor, id, { limit: 3 }) : [];
  return {
    ...present(deps, install, seen),
    steps: installSteps(seen),
    hints: hintsFor(
      seen,
      deps.publicUrl(),
      logs.map(({ message }) => message.slice(0, 300)),
    ),
    ...presentCommands(deps, install),
    entities: { ...counts },
    firstEntity: first ?? null,
  };
}

/** The commands of an install, and the variables that they take. */
function presentCommands(
  { catalogue, publicUrl }: Pick<InstallsDeps, 'catalogue' | 'publicUrl'>,
  install: StoredInstall,
) {
  const { version } = catalogue.client(install.type);
  const run = { ...install, version, publicUrl: publicUrl() };
  return {
    commands: installCommands(run),
    variables: secretEnvironment(install).map(([, name], index) => ({
      name,
      holds:
        name === clientSecretVariable ? 'The client secret' : `The setting ${install.secrets[index - 1]} of the client`,
      required: true,
    })),
  };
}

async function observe(
  { identity, clock }: InstallsDeps,
  { orgId }: Actor,
  { clientId, createdAt, resyncMinutes }: StoredInstall,
  integration: Observed['integration'],
): Promise<Observed> {
  const credential = await identity.credentialOf(orgId, clientId);
  return { now: clock.now(), createdAt, resyncMinutes, credential, integration };
}

function present({ catalogue }: InstallsDeps, install: StoredInstall, observed: Observed): Install {
  const version = observed.integration?.version ?? null;
  const newest = catalogue.client(install.type).version;
  return {
    id: install.installationId,
    type: install.type,
    title: install.title,
    health: installHealth(observed),
    version,
    newerVersion: version !== null && newest !== null && version !== newest ? newest : null,
    clientId: install.clientId,
    settings: install.settings as Install['settings'],
    resyncMinutes: install.resyncMinutes,
    created: install.created.map(({ identifier, title, change, adds }) => ({
      identifier,
      title,
      change,
      adds: [...adds],
    })),
    createdAt: install.createdAt.toISOString(),
    createdBy: install.createdBy,
  };
}

/** The user agent of its client, without the version in the middle. */
function datasourceOf({ type, installationId }: StoredInstall): { prefix: string; suffix: string } {
  return type === 'kubernetes'
    ? { prefix: 'port-k8s-exporter', suffix: `(statekey/${installationId})` }
    : { prefix: `port-ocean/${type}/`, suffix: `/${installationId}/exporter` };
}
