import { isRecord } from '@portolan/contract/json-value';
import type { Reader } from '../../../platform/db/database.ts';
import { outside, type TextAuthor } from '../../../platform/text-authors.ts';
import { findEntityAuthors } from '../../entities/index.ts';

/**
 * Who wrote the context of a question. A context that only names an entity holds what its authors chose; callers copy
 * everything else from anywhere, so it is from outside.
 */
export async function findContextAuthors(
  reader: Reader,
  orgId: string,
  context: Readonly<Record<string, unknown>> | undefined,
): Promise<readonly TextAuthor[]> {
  if (context === undefined) return [];
  const named = readNamedEntity(context);
  return named ? findEntityAuthors(reader, orgId, named.blueprint, named.identifier) : [outside];
}

/** The entity that a context names; undefined if it holds anything else beside it. */
export function readNamedEntity(context: Readonly<Record<string, unknown>>) {
  const { entity, ...others } = context;
  if (!isRecord(entity) || Object.keys(others).length > 0) return undefined;
  const { blueprint, identifier, ...more } = entity;
  if (typeof blueprint !== 'string' || typeof identifier !== 'string' || Object.keys(more).length > 0) return undefined;
  return { blueprint, identifier };
}
