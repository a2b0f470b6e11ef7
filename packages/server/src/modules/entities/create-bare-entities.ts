import { entityIdentifier } from '@portolan/contract/wire';
import { groupBy } from '../../platform/collections.ts';
import { createJsonTexts } from '../../platform/db/json.ts';
import { type AppError, invalidRequest } from '../../platform/errors.ts';
import { writtenBy } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { refusalToRegister } from '../access/index.ts';
import { assertStays, holdBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { recomputeDerived } from '../derived/index.ts';
import { entityMissing, holdTargets, insertEntities, type TargetRow } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { recordEntity } from './record-entity.ts';

/** A missing entity that a relation points at. */
export interface TargetRef {
  readonly blueprint: string;
  readonly identifier: string;
}

/** Why each wanted entity cannot be created; undefined if it can. */
export async function bareRefusals(
  { tx, actor }: Work,
  wanted: readonly TargetRef[],
): Promise<(want: TargetRef) => AppError | undefined> {
  const blueprints = new Map<string, StoredBlueprint | undefined>();
  for (const name of [...new Set(wanted.map(({ blueprint }) => blueprint))].sort()) {
    blueprints.set(name, await holdBlueprint(tx, actor.orgId, name));
  }
  return ({ blueprint: name, identifier }) => {
    const blueprint = blueprints.get(name);
    if (!blueprint || blueprint.isSystem || !can(actor, 'read', blueprint)) {
      return entityMissing({ identifier: name }, identifier);
    }
    const refusal = refusalToRegister(actor, blueprint);
    if (refusal) return refusal;
    const isLegal = entityIdentifier.safeParse(identifier).success;
    const message = `"${identifier.slice(0, 100)}" cannot be created: it is not a legal identifier`;
    return isLegal ? undefined : invalidRequest([{ path: '/relations', message }], 'The entity');
  };
}

/**
 * Creates bare entities for relations: an identifier, the same as title, and nothing else, even if properties are
 * required (catalog semantics §1.8). Only those that `bareRefusals` allows.
 */
export async function createBareEntities(work: Work, wanted: readonly TargetRef[]): Promise<TargetRow[]> {
  const { tx, actor, now } = work;
  const created: TargetRow[] = [];
  for (const [name, group] of groupBy(wanted, ({ blueprint }) => blueprint)) {
    const blueprint = (await holdBlueprint(tx, actor.orgId, name)) as StoredBlueprint;
    assertStays(blueprint);
    const identifiers = [...new Set(group.map(({ identifier }) => identifier))].sort();
    const { orgId, id: by, datasource } = actor;
    const writing = { orgId, blueprintKey: blueprint.key, at: now, by, datasource, authors: writtenBy(actor) };
    const options = { texts: createJsonTexts(), isReadBack: false };
    const rows = await insertEntities(tx, writing, identifiers.map(bareRow), options);
    // nothing points at them and they point at nothing, so this needs no look-up and no lock
    const settled = await recomputeDerived(work, {
      entities: rows.map((entity) => ({
        blueprintKey: blueprint.key,
        key: entity.key,
        names: 'new',
        isUnpointed: true,
        entity,
      })),
    });
    for (const entity of rows) recordEntity(work, blueprint, undefined, settled.get(entity.key) ?? entity);
    created.push(...(await holdTargets(tx, orgId, group)));
  }
  return created;
}

function bareRow(identifier: string) {
  return {
    identifier,
    title: identifier,
    icon: null,
    properties: {},
    relations: {},
    ownTeamRefs: [],
    teamRefs: [],
  };
}
