import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import { createSecretScope } from '../secrets/secret-scope.ts';

const actorKey = Symbol('actor');

type Admitted = FastifyRequest & { [actorKey]?: Actor | undefined };

/** Gives the requests of an application, and of all that is registered in it, a place for their actor. */
export function prepareForActors(app: FastifyInstance): void {
  app.decorateRequest(actorKey, undefined);
}

/**
 * Notes who makes a request, with the request itself: nothing beside it has to be looked up or kept. What is opened for the
 * request is its own, unless it is made on behalf of a run.
 */
export function setActor(request: FastifyRequest, actor: Actor): void {
  (request as Admitted)[actorKey] = actor.opened ? actor : { ...actor, opened: createSecretScope() };
}

/** Who makes the request; undefined before that was checked, and where nobody asks. */
export function actorOfRequest(request: FastifyRequest): Actor | undefined {
  return (request as Admitted)[actorKey];
}
