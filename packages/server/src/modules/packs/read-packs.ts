import type { PackChange, PackFile, PackSummary } from '@portolan/contract/packs';
import type { Actor } from '../../platform/actor.ts';
import { assertNotInstalled, foundPack } from './install-pack.ts';
import { readDefinitions } from './installed-definitions.ts';
import { type InstalledPack, listInstalledPacks, listMadeItems } from './pack.store.ts';
import { itemId, listItems } from './pack-item.ts';
import type { PacksDeps } from './packs.deps.ts';
import { planInstall, presentItem, presentPlanned, type Resolutions } from './plan-install.ts';
import { planRemoval, presentRemoval, type RemovalChoices } from './plan-removal.ts';
import { assertInstalled } from './remove-pack.ts';

type ReadDeps = Pick<PacksDeps, 'database' | 'files'>;

export async function listPacks({ database, files }: ReadDeps, { orgId }: Actor): Promise<PackSummary[]> {
  const installed = await listInstalledPacks(database, orgId);
  return [...files.values()].map((pack) => summarize(pack, installed));
}

/** @throws AppError `not_found` */
export async function getPack(deps: ReadDeps, { orgId }: Actor, id: string) {
  const pack = foundPack(deps, id);
  const installed = await listInstalledPacks(deps.database, orgId);
  return { ...summarize(pack, installed), items: listItems(pack).map(presentItem) };
}

interface PlanRequest extends RemovalChoices {
  readonly for: 'install' | 'remove';
  readonly resolutions: Resolutions;
}

/** @throws AppError `not_found`, `identifier_taken` for an installation that is there */
export async function planPack(
  deps: PacksDeps,
  { orgId }: Actor,
  id: string,
  wanted: PlanRequest,
): Promise<PackChange[]> {
  const { database, blueprints } = deps;
  const pack = foundPack(deps, id);
  const installed = await listInstalledPacks(database, orgId);
  const definitions = await readDefinitions(database, orgId);
  const made = await listMadeItems(database, orgId);
  if (wanted.for === 'remove') {
    assertInstalled(id, installed);
    const input = { definitions, made, listener: blueprints.listener };
    return (await planRemoval(database, orgId, id, input, wanted)).map(presentRemoval);
  }
  assertNotInstalled(pack, installed);
  return planInstall(pack, definitions, new Set(made.map(itemId)), wanted.resolutions).map(presentPlanned);
}

function summarize(pack: PackFile, installed: readonly InstalledPack[]): PackSummary {
  const { id, version, title, summary, icon, fedBy, blueprints, scorecards, actions, pages } = pack;
  const found = installed.find((each) => each.pack === id);
  return {
    id,
    version,
    title,
    summary,
    icon,
    fedBy,
    blueprints: blueprints.map((each) => ({
      identifier: each.identifier,
      title: each.title,
      ...(each.icon === undefined ? {} : { icon: each.icon }),
    })),
    counts: { scorecards: scorecards.length, actions: actions.length, pages: pages.length },
    installed: found
      ? { version: found.version, installedAt: found.installedAt.toISOString(), installedBy: found.installedBy }
      : null,
  };
}
