import { ownValue } from '../../platform/collections.ts';
import { AppError } from '../../platform/errors.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  hiddenTargets,
  type Link,
  type PendingWrite,
  type PermittedWrite,
  type ResolvedWrite,
  type WriteOptions,
} from '../access/index.ts';
import { blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import { transactionReader } from '../entity-query/index.ts';
import { entityMissing, holdTargets, type TargetRow } from '../entity-rows/index.ts';
import { bareRefusals, createBareEntities, type TargetRef } from './create-bare-entities.ts';

/**
 * Looks up the targets of all relations. An item whose target is missing fails with
 * `not_found`, unless the target is written by the same request or may be created; a target that the caller may not read
 * counts as missing where it is new. Nothing is created for an item that fails. Items that fail go to `failed`.
 */
export async function resolveTargets(
  work: Work,
  blueprint: StoredBlueprint,
  permitted: readonly PermittedWrite[],
  failed: Map<number, AppError>,
  options: Pick<WriteOptions, 'createMissingRelated' | 'isPlanned'>,
): Promise<ResolvedWrite[]> {
  const wanting = permitted.map((item): WriteWithTargets => ({ ...item, wants: listWanted(blueprint, item) }));
  const { found, isHidden } = await findTargets(
    work,
    wanting.flatMap(({ wants }) => wants),
  );
  const { isPlanned = () => false } = options;
  const missingOf = ({ wants }: WriteWithTargets): TargetRef[] =>
    wants.filter((want) => !found.has(targetKey(want)) && !isPlanned(want.blueprint, want.identifier));
  const pendingNames = new Set(wanting.map(({ draft }) => draft.identifier));
  const isWritten = (want: TargetRef, names: ReadonlySet<string>): boolean =>
    want.blueprint === blueprint.identifier && names.has(want.identifier);
  const lost = (item: WriteWithTargets): TargetRef[] =>
    missingOf(item).filter((want) => !isWritten(want, pendingNames));

  const refused = (item: WriteWithTargets): TargetRef[] => {
    const gone = new Set(lost(item).map(targetKey));
    return item.wants.filter((want) => (isHidden(want) ? !hasLink(item, want) : gone.has(targetKey(want))));
  };
  const missing = ({ blueprint: name, identifier }: TargetRef) => entityMissing({ identifier: name }, identifier);
  const bareRefusal = options.createMissingRelated ? await bareRefusals(work, wanting.flatMap(refused)) : missing;
  // what is hidden is refused where and as what is missing would be, and is never created
  const refusalOf = (want: TargetRef) => bareRefusal(want) ?? (isHidden(want) ? missing(want) : undefined);
  let alive = wanting.filter((item) => {
    const wants = refused(item).filter((want) => refusalOf(want));
    const [first] = wants;
    const reason = first && refusalOf(first);
    if (reason) failed.set(item.index, reason.code === 'not_found' ? new TargetsMissing(reason, wants) : reason);
    return !reason;
  });
  // an item that points at an item that failed fails too, and so on
  for (let isSettled = false; !isSettled; ) {
    const names = new Set(alive.map(({ draft }) => draft.identifier));
    const left = alive.filter((item) => {
      const broken = missingOf(item).find((want) => isWritten(want, pendingNames) && !isWritten(want, names));
      if (broken) failed.set(item.index, new TargetsMissing(entityMissing(blueprint, broken.identifier), [broken]));
      return !broken;
    });
    isSettled = left.length === alive.length;
    alive = left;
  }

  const creatable = options.isPlanned ? [] : alive.flatMap(lost);
  for (const row of creatable.length > 0 ? await createBareEntities(work, creatable) : [])
    found.set(targetKey(row), row);
  return alive.map(({ wants, ...item }) => ({ ...item, links: toLinks(wants, found) }));
}

/** Nothing is wrong with the item but that these are not there; they may still come. */
export class TargetsMissing extends AppError {
  readonly targets: readonly TargetRef[];

  constructor({ code, message, details }: AppError, targets: readonly TargetRef[]) {
    super(code, message, details === undefined ? {} : { details });
    this.targets = targets.map(({ blueprint, identifier }) => ({ blueprint, identifier }));
  }
}

/** A target that an item names, and where. */
type RelationTarget = TargetRef & { readonly relation: string; readonly position: number };

type WriteWithTargets = PermittedWrite & { readonly wants: readonly RelationTarget[] };

/** Whether the entity points there already: what stays as it was needs no right to see it. */
function hasLink(
  { before }: PendingWrite,
  { relation, identifier }: { relation: string; identifier: string },
): boolean {
  const value = before && ownValue(before.relations, relation);
  return value === identifier || (Array.isArray(value) && value.includes(identifier));
}

function targetKey({ blueprint, identifier }: TargetRef): string {
  return `${blueprint}\u0000${identifier}`;
}

/**
 * The targets an item names; none where all of them stay. Its row is held, and whoever deletes a target must change that
 * row first, so what was there when the row was locked is there still.
 */
function listWanted(blueprint: StoredBlueprint, { draft, before }: PendingWrite): RelationTarget[] {
  if (before && isSameJson(before.relations, draft.relations)) return [];
  const wants: RelationTarget[] = [];
  const relations = blueprintRelations(blueprint);
  for (const relation of Object.keys(relations)) {
    const value = ownValue(draft.relations, relation);
    if (value === undefined || value === null) continue;
    const { target } = relations[relation] as { readonly target: string };
    for (const [position, identifier] of (typeof value === 'string' ? [value] : value).entries()) {
      wants.push({ relation, position, blueprint: target, identifier });
    }
  }
  return wants;
}

async function findTargets(work: Work, wanted: readonly TargetRef[]) {
  const { tx, actor } = work;
  const distinct = new Map(
    wanted.map(({ blueprint, identifier }) => [targetKey({ blueprint, identifier }), { blueprint, identifier }]),
  );
  const rows = await holdTargets(tx, actor.orgId, [...distinct.values()]);
  const hidden = await hiddenTargets(transactionReader(work), actor, rows);
  const found = new Map<string, TargetRow>(rows.map((row) => [targetKey(row), row]));
  const isHidden = (want: TargetRef): boolean => {
    const row = found.get(targetKey(want));
    return row !== undefined && hidden.has(row.key);
  };
  return { found, isHidden };
}

function toLinks(wants: readonly RelationTarget[], found: ReadonlyMap<string, TargetRow>): Link[] {
  return wants.map((want) => {
    const target = found.get(targetKey(want)) ?? { pendingIdentifier: want.identifier };
    return { relation: want.relation, position: want.position, target };
  });
}
