import type { EntityBody } from '@portolan/contract/entities';
import { systemActor } from '../../platform/actor.ts';
import { storable } from '../../platform/db/storable.ts';
import { AppError } from '../../platform/errors.ts';
import { carrying, outside } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { blueprintProperties, holdBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { type CatalogDeps, writeEntities } from '../entities/index.ts';

const blueprintIdentifier = '_ai_invocations';
const titleCharactersMax = 100;

/** Holds the blueprint of invocations for the transaction; undefined if its organization was deleted. */
export function holdInvocations({ tx, actor }: Work): Promise<StoredBlueprint | undefined> {
  return holdBlueprint(tx, actor.orgId, blueprintIdentifier);
}

/** @throws AppError `ai_not_enabled` */
export function setUp(blueprint: StoredBlueprint | undefined): StoredBlueprint {
  if (!blueprint) throw new AppError('ai_not_enabled', 'The assistant is not set up in this organization');
  return blueprint;
}

/**
 * Writes the entity of an invocation as the platform, in the transaction that starts or ends it. People may never write
 * it, whatever their rights. Its texts have the authors of what the invocation read.
 */
export async function writeInvocationEntity(
  catalog: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  expects: 'fresh' | 'new' | 'existing',
  body: EntityBody & { readonly identifier: string },
  authors: readonly string[] = [outside],
): Promise<void> {
  const { orgId, model, id } = work.actor;
  // organizations with the old schema have fewer fields
  const properties = Object.fromEntries(
    Object.entries(body.properties ?? {}).filter(([key]) => Object.hasOwn(blueprintProperties(blueprint), key)),
  );
  const platform: Work = { ...work, actor: carrying({ ...systemActor(orgId, model), id }, authors) };
  const [outcome] = await writeEntities(
    catalog,
    platform,
    blueprint,
    [{ target: body.identifier, body: { ...body, properties } }],
    {
      mode: expects === 'existing' ? 'merge' : 'replace',
      expects,
      createMissingRelated: false,
    },
  );
  if (outcome && 'error' in outcome) throw outcome.error;
}

export function invocationTitle(question: string): string {
  const line = question.trim().split('\n', 1)[0] ?? '';
  return storable(line.length > titleCharactersMax ? `${line.slice(0, titleCharactersMax - 1)}…` : line);
}
