import { scopesCover } from '@portolan/contract/scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { isBadText } from '../../../platform/http/read-json.ts';
import { actorOfRequest, setActor } from '../../../platform/http/request-actor.ts';
import type { Surface } from '../../../platform/http/server.ts';
import { insufficientScope } from '../../../platform/scopes.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import type { FoundPage, Page, ScimGroupRow, ScimUserRow } from './scim.store.ts';
import { readObject, readPatch } from './scim-body.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './scim-documents.ts';
import { asScimError, invalidValue, ScimError, scimErrorBody } from './scim-error.ts';
import { type Comparison, readFilter } from './scim-filter.ts';
import {
  changeScimGroup,
  createScimGroup,
  getScimGroup,
  listScimGroups,
  readGroupBody,
  readGroupPatch,
  removeScimGroup,
} from './scim-groups.ts';
import { listResponse, presentScimGroup, presentScimUser, selected } from './scim-present.ts';
import {
  changeScimUser,
  createScimUser,
  getScimUser,
  listScimUsers,
  readUser,
  readUserPatch,
  removeScimUser,
} from './scim-users.ts';

export interface ScimOptions {
  readonly authenticate: (authorization: string | undefined, userAgent: string | undefined) => Promise<Actor>;
}

/** Operations of a resource type; paths and answers are shared. */
interface Resource<Row> {
  readonly path: string;
  readonly scope: 'users' | 'teams';
  list(actor: Actor, filter: readonly Comparison[], page: Page): Promise<FoundPage<Row>>;
  get(actor: Actor, id: string): Promise<Row>;
  create(actor: Actor, body: unknown): Promise<Row>;
  replace(actor: Actor, id: string, body: unknown): Promise<Row>;
  patch(actor: Actor, id: string, body: unknown): Promise<Row>;
  remove(actor: Actor, id: string): Promise<void>;
  present(row: Row, address: string): { readonly meta: { readonly location: string } };
}

const prefix = '/scim/v2';
const countMax = 200;

/**
 * SCIM 2.0 (RFC 7643, RFC 7644) for identity providers: users and groups under `/scim/v2`, with an administrator's
 * bearer token. Answers and errors follow SCIM, so these are not operations of the contract.
 */
export function createScim(deps: SignInDeps, { authenticate }: ScimOptions): Surface {
  return (app) => {
    void app.register(
      async (scope) => {
        scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
        scope.setNotFoundHandler((request, reply) => {
          const path = request.url.split('?')[0]?.slice(0, 200);
          return answerError(new ScimError(404, `There is no ${request.method} ${path}`), request, reply);
        });
        serveDocuments(scope, () => deps.publicUrl() + prefix);
        serveResource(scope, deps, authenticate, usersResource(deps));
        serveResource(scope, deps, authenticate, groupsResource(deps));
      },
      { prefix },
    );
  };
}

function usersResource(deps: SignInDeps): Resource<ScimUserRow> {
  return {
    path: '/Users',
    scope: 'users',
    list: (actor, filter, page) => listScimUsers(deps, actor, filter, page),
    get: (actor, id) => getScimUser(deps, actor, id),
    create: (actor, body) => createScimUser(deps, actor, body),
    replace: (actor, id, body) => {
      const wish = readUser(readObject(body), {});
      if (wish.userName === undefined) throw invalidValue('userName is missing; it is the e-mail address');
      return changeScimUser(deps, actor, id, wish);
    },
    patch: (actor, id, body) => changeScimUser(deps, actor, id, readUserPatch(readPatch(body))),
    remove: (actor, id) => removeScimUser(deps, actor, id),
    present: presentScimUser,
  };
}

function groupsResource(deps: SignInDeps): Resource<ScimGroupRow> {
  return {
    path: '/Groups',
    scope: 'teams',
    list: (actor, filter, page) => listScimGroups(deps, actor, filter, page),
    get: (actor, id) => getScimGroup(deps, actor, id),
    create: (actor, body) => createScimGroup(deps, actor, body),
    replace: (actor, id, body) => changeScimGroup(deps, actor, id, readGroupBody(body)),
    patch: (actor, id, body) => changeScimGroup(deps, actor, id, readGroupPatch(readPatch(body))),
    remove: (actor, id) => removeScimGroup(deps, actor, id),
    present: presentScimGroup,
  };
}

/** Public: clients read it before they have a token. */
function serveDocuments(scope: FastifyInstance, address: () => string): void {
  scope.get('/ServiceProviderConfig', (_request, reply) => send(reply, 200, serviceProviderConfig(address())));
  for (const [path, documents] of [
    ['/ResourceTypes', resourceTypes],
    ['/Schemas', schemas],
  ] as const) {
    scope.get(path, (_request, reply) => {
      const all = documents(address());
      return send(reply, 200, listResponse(all, all.length, 1));
    });
    scope.get<{ Params: { id: string } }>(`${path}/:id`, (request, reply) => {
      const found = documents(address()).find(({ id }) => id === request.params.id);
      if (!found) throw new ScimError(404, `There is no ${path.slice(1)} "${request.params.id.slice(0, 200)}"`);
      return send(reply, 200, found);
    });
  }
}

function serveResource<Row>(
  scope: FastifyInstance,
  deps: SignInDeps,
  authenticate: ScimOptions['authenticate'],
  resource: Resource<Row>,
): void {
  const { path } = resource;
  const admit = (verb: string) => async (request: FastifyRequest) => {
    const actor = await authenticate(request.headers.authorization, request.headers['user-agent']);
    if (!isAdmin(actor))
      throw new AppError('missing_permissions', 'Only an administrator may provision users and teams');
    const needed = `${verb}:${resource.scope}`;
    if (!scopesCover(actor.scopes, needed)) throw insufficientScope(needed);
    setActor(request, { ...actor, provisioner: 'scim' });
  };
  const actorOf = (request: FastifyRequest): Actor => {
    const actor = actorOfRequest(request);
    if (!actor) throw new Error('A SCIM request came past its authentication');
    return actor;
  };
  const shown = (row: Row, request: FastifyRequest): object =>
    selected(resource.present(row, deps.publicUrl() + prefix), request.query as Record<string, unknown>);
  const idOf = (request: FastifyRequest): string => {
    const { id } = request.params as { readonly id: string };
    if (isBadText(id)) throw new ScimError(404, 'There is no resource with this id');
    return id;
  };

  scope.get(path, { onRequest: admit('read') }, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const page = parsePage(query);
    const filter = typeof query['filter'] === 'string' && query['filter'] !== '' ? readFilter(query['filter']) : [];
    const { total, rows } = await resource.list(actorOf(request), filter, page);
    return send(
      reply,
      200,
      listResponse(
        rows.map((row) => shown(row, request)),
        total,
        page.startIndex,
      ),
    );
  });
  scope.get(`${path}/:id`, { onRequest: admit('read') }, async (request, reply) =>
    send(reply, 200, shown(await resource.get(actorOf(request), idOf(request)), request)),
  );
  scope.post(path, { onRequest: admit('create') }, async (request, reply) => {
    const row = await resource.create(actorOf(request), request.body);
    reply.header('location', resource.present(row, deps.publicUrl() + prefix).meta.location);
    return send(reply, 201, shown(row, request));
  });
  scope.put(`${path}/:id`, { onRequest: admit('update') }, async (request, reply) =>
    send(reply, 200, shown(await resource.replace(actorOf(request), idOf(request), request.body), request)),
  );
  scope.patch(`${path}/:id`, { onRequest: admit('update') }, async (request, reply) =>
    send(reply, 200, shown(await resource.patch(actorOf(request), idOf(request), request.body), request)),
  );
  scope.delete(`${path}/:id`, { onRequest: admit('delete') }, async (request, reply) => {
    await resource.remove(actorOf(request), idOf(request));
    return reply.status(204).send();
  });
}

/** 1-based; lower values count as the minimum (RFC 7644 §3.4.2.4). */
function parsePage(query: Readonly<Record<string, unknown>>): Page {
  const numberOf = (name: string, fallback: number): number => {
    const text = query[name];
    if (text === undefined || text === '') return fallback;
    if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} must be a whole number`);
    return Number(text);
  };
  return {
    startIndex: Math.max(1, numberOf('startIndex', 1)),
    count: Math.min(countMax, Math.max(0, numberOf('count', 100))),
  };
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.status(status).type('application/scim+json; charset=utf-8').send(JSON.stringify(body));
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asScimError(error) ?? ofFramework(error);
  if (!known) request.log.error({ err: error }, 'a SCIM request failed');
  const answered = known ?? new ScimError(500, 'Something failed inside. The id of the request is in x-trace-id.');
  if (answered.status === 401) reply.header('www-authenticate', 'Bearer');
  return send(reply, answered.status, scimErrorBody(answered));
}

/** Refusals by the HTTP server: too large, wrong type, not JSON. */
function ofFramework(error: unknown): ScimError | undefined {
  const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
  if (!code?.startsWith('FST_') || !statusCode || statusCode >= 500) return undefined;
  return new ScimError(statusCode, statusCode === 413 ? 'The body is larger than 1 MiB' : 'The request cannot be read');
}
