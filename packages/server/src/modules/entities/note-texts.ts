import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { outside } from '../../platform/text-authors.ts';
import { noteTeamNames } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { findTextReach } from '../derived/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import { listEntityTexts } from './text-authors.store.ts';

/** Mirrored values from farther away count as anybody's. */
const hopsMax = 3;

/** Notes the authors of entities that are shown to the actor, where somebody wants to know them. */
export async function noteEntityTexts(
  reader: Reader,
  { orgId, textsRead }: Pick<Actor, 'orgId' | 'textsRead'>,
  blueprints: Iterable<StoredBlueprint>,
  entities: readonly StoredEntity[],
): Promise<void> {
  if (!textsRead || entities.length === 0) return;
  const blueprintKeys = [...blueprints].map(({ key }) => key);
  const { hops, ...reach } = await findTextReach(reader, orgId, blueprintKeys);
  const keys = entities.map(({ key }) => key);
  // identifiers of related entities are shown in any case
  const texts = await listEntityTexts(reader, orgId, keys, { ...reach, hops: Math.max(1, Math.min(hops, hopsMax)) });
  for (const { authors, blueprint, identifier } of texts) textsRead.add(authors, `${blueprint} ${identifier}`);
  const known = new Set(texts.map(({ key }) => key));
  const unknown = entities.find(({ key }) => !known.has(key));
  if (unknown) textsRead.add([outside], `the deleted ${unknown.identifier}`);
  if (hops > hopsMax) textsRead.add([outside], 'mirrored values');
  const owners = entities.flatMap(({ teamRefs }) => teamRefs);
  await noteTeamNames(reader, { orgId, textsRead }, owners);
}
