import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import { createSecretScope } from '../secrets/secret-scope.ts';

const actorKey = Symbol('actor');

type AuthenticatedRequest = FastifyRequest & { [actorKey]?: Actor | undefined };

/** Gives the requests of an application, and of all that is registered in it, a place for their actor. */
export function prepareForActors(app: FastifyInstance): void {
  app.decorateRequest(actorKey, undefined);
}

/** Stores the actor on the request. Opened secrets are per request, unless it is made for a run. */
export function setActor(request: FastifyRequest, actor: Actor): void {
  (request as AuthenticatedRequest)[actorKey] = actor.opened ? actor : { ...actor, opened: createSecretScope() };
}

/** Undefined before authentication and on routes without it. */
export function actorOfRequest(request: FastifyRequest): Actor | undefined {
  return (request as AuthenticatedRequest)[actorKey];
}
