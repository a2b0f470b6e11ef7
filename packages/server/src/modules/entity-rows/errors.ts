import { AppError } from '../../platform/errors.ts';

type WithIdentifier = { readonly identifier: string };

export function identifierTaken(blueprint: WithIdentifier, identifier: string, cause?: unknown): AppError {
  const message = `An entity "${identifier}" of the blueprint "${blueprint.identifier}" exists; the identifier is taken`;
  return new AppError('identifier_taken', message, { cause });
}

/** Clients distinguish a missing relation from wrong values by this code. */
export function relationMissing(blueprint: WithIdentifier, relation: string): AppError {
  const message = `Relation with identifier "${relation}" of the blueprint "${blueprint.identifier}" was not found`;
  return new AppError('not_found', message, {
    details: { resource: 'Relation', byField: 'identifier', withValue: relation, blueprint: blueprint.identifier },
  });
}

/** One client retries an entity after its dependencies only if it reads `not_found`. */
export function entityMissing(blueprint: WithIdentifier, identifier: string): AppError {
  const message = `Entity with identifier "${identifier}" of the blueprint "${blueprint.identifier}" was not found`;
  return new AppError('not_found', message, {
    details: { resource: 'Entity', byField: 'identifier', withValue: identifier, blueprint: blueprint.identifier },
  });
}
