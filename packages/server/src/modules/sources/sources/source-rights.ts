import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { StoredSource } from './source.ts';

/**
 * Administrators, moderators and machines may read sources, as they may integrations; who saved one may read it too.
 * @throws AppError `missing_permissions`
 */
export function assertMayReadSources(actor: Actor): void {
  if (isAdmin(actor) || actor.kind === 'machine' || actor.roles.some((role) => role.endsWith('-moderator'))) return;
  throw new AppError('missing_permissions', 'Only administrators and moderators may see sources; ask one of them');
}

/** A blueprint that an expression names outright: `"service"`. */
const literal = /^\s*"([^"\\]+)"\s*$/;

/** What decides about who may save a source; without an author, one that is not saved yet. */
type WrittenSource = Pick<StoredSource, 'type' | 'mapping'> & { readonly createdBy?: string };

/**
 * Who saves a source lends it their rights: administrators, and moderators of every blueprint that it writes, where the
 * mapping names them outright. Lists that people upload are theirs, since each upload is written with their own rights.
 * @throws AppError `missing_permissions`
 */
export function assertMayWriteSource(actor: Actor, { type, mapping, createdBy }: WrittenSource): void {
  if (isAdmin(actor)) return;
  if (type === 'file' && (createdBy === undefined || createdBy === actor.id)) return;
  const written = mapping.flatMap(blueprintsOfResource);
  const isModerated = written.every((name) => name !== undefined && actor.roles.includes(`${name}-moderator`));
  if (type !== 'file' && written.length > 0 && isModerated) return;
  const message = 'Only administrators, and moderators of every blueprint that it writes, may save this source';
  throw new AppError('missing_permissions', message);
}

/** Whether the actor may save the source, sync it and delete it. */
export function mayWriteSource(actor: Actor, source: WrittenSource): boolean {
  try {
    assertMayWriteSource(actor, source);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The blueprints that a resource writes; undefined for one that only the data decides. */
export function blueprintsOfResource(resource: Readonly<Record<string, unknown>>): (string | undefined)[] {
  const { mappings } = (resource as { port?: { entity?: { mappings?: unknown } } }).port?.entity ?? {};
  return [mappings].flat().map((mapping) => {
    const named = (mapping as { blueprint?: unknown } | undefined)?.blueprint;
    return typeof named === 'string' ? literal.exec(named)?.[1] : undefined;
  });
}
