import { type ActionBody, actionBody, createAction } from '@portolan/contract/actions';
import { blueprintPatch, createBlueprint, patchBlueprint } from '@portolan/contract/blueprints';
import type { PackFile } from '@portolan/contract/packs';
import { createPage, pageBody } from '@portolan/contract/pages';
import { createScorecard, scorecardBody } from '@portolan/contract/scorecards';
import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { requireScope } from '../../platform/scopes.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { createActionWithin } from '../actions/index.ts';
import { createBlueprintWithin, patchWithin } from '../blueprints/index.ts';
import { createPageWithin } from '../pages/index.ts';
import { registerScorecardWithin } from '../scorecards/index.ts';
import { readDefinitions } from './installed-definitions.ts';
import { insertPack, listInstalledPacks, listMadeItems, lockPacks, type MadeItem } from './pack.store.ts';
import { hashDefinition, type Item, isPart, itemId, type PartKind, toBlueprintPatch } from './pack-item.ts';
import type { PacksDeps } from './packs.deps.ts';
import { type PlannedItem, planInstall, type Resolutions } from './plan-install.ts';

/** A token that may not write something itself does not write it with a pack. */
const neededToInstall = [createBlueprint, patchBlueprint, createScorecard, createAction, createPage];

/** @throws AppError `not_found` */
export function foundPack({ files }: Pick<PacksDeps, 'files'>, id: string): PackFile {
  const pack = files.get(id);
  if (!pack) throw notFound('Starter model', id, 'id');
  return pack;
}

/**
 * Makes everything the pack brings that is not there, all or nothing, with the rights of the caller.
 * @throws AppError `identifier_taken` if it is installed, `invalid_request` naming the conflicts without a resolution, and
 * as the functions that create blueprints, scorecards, actions and pages
 */
export function installPack(deps: PacksDeps, actor: Actor, id: string, resolutions: Resolutions) {
  const pack = foundPack(deps, id);
  for (const operation of neededToInstall) requireScope(actor, operation);
  return deps.unitOfWork(actor, async (work) => {
    const { orgId } = actor;
    await lockPacks(work.tx, orgId);
    const installed = await listInstalledPacks(work.tx, orgId);
    assertNotInstalled(pack, installed);
    const others = await listMadeItems(work.tx, orgId);
    const planned = planInstall(pack, await readDefinitions(work.tx, orgId), new Set(others.map(itemId)), resolutions);
    assertDecided(planned);
    await makeItems(deps, work, planned);
    const items = await listHeld(work, planned, others);
    await insertPack(
      work.tx,
      orgId,
      { pack: id, version: pack.version, installedAt: work.now, installedBy: actor.id },
      items,
    );
    recordPack(work, pack, 'CREATE');
    return planned;
  });
}

/** @throws AppError `identifier_taken` */
export function assertNotInstalled({ id, title }: PackFile, installed: readonly { readonly pack: string }[]): void {
  if (!installed.some(({ pack }) => pack === id)) return;
  throw new AppError('identifier_taken', `The starter model "${title}" is installed; remove it to install it anew`);
}

export function recordPack(work: Work, { id, version, title }: PackFile, action: 'CREATE' | 'DELETE'): void {
  work.record({
    event: action === 'CREATE' ? 'pack.installed' : 'pack.removed',
    action,
    resourceType: 'pack',
    identifier: id,
    context: {},
    [action === 'CREATE' ? 'after' : 'before']: { id, version, title },
  });
}

function assertDecided(planned: readonly PlannedItem[]): void {
  const open = planned.filter(({ change }) => change === 'conflict');
  if (open.length === 0) return;
  const issues = open.map(({ item, reason }) => ({
    path: `/resolutions/${itemId(item).replaceAll('/', '~1')}`,
    message: `is needed, "rename" or "skip": ${reason}`,
  }));
  throw invalidRequest(issues, 'The installation');
}

async function makeItems(deps: PacksDeps, work: Work, planned: readonly PlannedItem[]): Promise<void> {
  const items = planned.filter(({ change }) => change === 'new' || change === 'renamed').map(({ made }) => made);
  const parts = groupBy(items.filter(isPart), ({ blueprint }) => blueprint);
  const shells = new Map(items.filter(({ kind }) => kind === 'blueprint').map((shell) => [shell.identifier, shell]));
  // first all blueprints, then what points at them, then what is computed over what points
  for (const [identifier, shell] of shells) {
    await createShell(deps, work, shell, (parts.get(identifier) ?? []).filter(ofKind('property')));
  }
  for (const [identifier, all] of parts) {
    const own = shells.has(identifier) ? [] : all.filter(ofKind('property'));
    await patchParts(deps, work, identifier, [...own, ...all.filter(ofKind('relation'))]);
  }
  for (const [identifier, all] of parts) {
    await patchParts(deps, work, identifier, all.filter(ofKind('mirror', 'calculation', 'aggregation')));
  }
  for (const [identifier, { definition }] of shells) {
    const { ownership } = definition as { readonly ownership?: object };
    if (ownership) await patchWithin(deps.blueprints, work, identifier, blueprintPatch.parse({ ownership }));
  }
  for (const { kind, blueprint, identifier, definition } of items) {
    const body = { identifier, ...definition };
    if (kind === 'scorecard') await registerScorecardWithin(deps.catalog, work, blueprint, scorecardBody.parse(body));
    if (kind === 'action') await createActionWithin(work, actionBody.parse(body) as ActionBody);
    if (kind === 'page') await createPageWithin(work, pageBody.parse(body));
  }
}

function ofKind(...kinds: readonly PartKind[]) {
  return ({ kind }: { readonly kind: PartKind }): boolean => kinds.includes(kind);
}

type Part = Item & { readonly kind: PartKind };

/** Ownership may lie over relations, which come later. */
async function createShell({ blueprints }: PacksDeps, work: Work, shell: Item, properties: readonly Part[]) {
  const { ownership: _later, required, ...definition } = shell.definition as Readonly<Record<string, unknown>>;
  const own = Object.fromEntries(properties.map(({ identifier, definition: property }) => [identifier, property]));
  const schema = { properties: own, ...(required ? { required } : {}) };
  const body = { ...definition, identifier: shell.identifier, schema } as Parameters<typeof createBlueprintWithin>[2];
  await createBlueprintWithin(blueprints, work, body, { withCatalogPage: true });
}

export async function patchParts(
  { blueprints }: Pick<PacksDeps, 'blueprints'>,
  work: Work,
  identifier: string,
  parts: readonly Part[],
  isRemoval = false,
): Promise<void> {
  if (parts.length === 0) return;
  await patchWithin(blueprints, work, identifier, blueprintPatch.parse(toBlueprintPatch(parts, isRemoval)));
}

/** What the pack is answerable for: what it made, as it is stored now, and what other packs made that it has too. */
async function listHeld({ tx, actor }: Work, planned: readonly PlannedItem[], others: readonly MadeItem[]) {
  const { items } = await readDefinitions(tx, actor.orgId);
  const made = new Map(others.map((each) => [itemId(each), each.hash]));
  return planned.flatMap(({ made: { kind, blueprint, identifier }, change }) => {
    const name = { kind, blueprint, identifier };
    const stored = items.get(itemId(name));
    const isOurs = change === 'new' || change === 'renamed';
    const hash = isOurs ? stored && hashDefinition(stored) : change === 'same' ? made.get(itemId(name)) : undefined;
    return hash === undefined ? [] : [{ ...name, hash }];
  });
}
