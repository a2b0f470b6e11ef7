import type { EntityBody } from '@portolan/contract';
import { systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdBlueprint, propertiesOf, type StoredBlueprint } from '../blueprints/index.ts';
import { type CatalogDeps, writeEntities } from '../entities/index.ts';

const blueprintIdentifier = '_ai_invocations';
const titleCharactersMax = 100;

/** The blueprint of invocations, held until the transaction ends; undefined where it is gone with its organization. */
export function holdInvocations({ tx, actor }: Work): Promise<StoredBlueprint | undefined> {
  return holdBlueprint(tx, actor.orgId, blueprintIdentifier);
}

/** @throws AppError `ai_not_enabled` */
export function setUp(blueprint: StoredBlueprint | undefined): StoredBlueprint {
  if (!blueprint) throw new AppError('ai_not_enabled', 'The assistant is not set up in this organization');
  return blueprint;
}

/**
 * Writes the entity of an invocation, within the transaction that starts or ends it. The platform writes: people may
 * not, whatever their rights.
 */
export async function writeInvocationEntity(
  catalog: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  expects: 'fresh' | 'new' | 'existing',
  body: EntityBody & { readonly identifier: string },
): Promise<void> {
  const { orgId, model, id } = work.actor;
  // organizations that were not brought to the new schema have fewer fields
  const properties = Object.fromEntries(
    Object.entries(body.properties ?? {}).filter(([key]) => Object.hasOwn(propertiesOf(blueprint), key)),
  );
  const platform: Work = { ...work, actor: { ...systemActor(orgId, model), id } };
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

/** The first line of the question, as a title. */
export function titleOf(question: string): string {
  const line = question.trim().split('\n', 1)[0] ?? '';
  return storable(line.length > titleCharactersMax ? `${line.slice(0, titleCharactersMax - 1)}…` : line);
}

/** Text without what a database cannot keep: U+0000, and halves of surrogate pairs. */
export function storable(text: string): string {
  const wellFormed = (text as string & { toWellFormed(): string }).toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '\ufffd') : wellFormed;
}
