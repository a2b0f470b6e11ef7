import type { McpServer, McpServerBody, McpServerPatch } from '@portolan/contract/mcp-servers';
import type { Actor } from '../../platform/actor.ts';
import { lockCount } from '../../platform/db/count-lock.store.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { requireSecrets } from '../../platform/scopes.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { grantedScopes, type Permitted, permitGrants, writtenTeams } from '../accounts/index.ts';
import { type Grant, mergeLists } from '../rights/index.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { sealHeaders, takesSecrets } from './open-peer.ts';
import { serverMissing, shownServer } from './read-servers.ts';
import {
  deleteServerRow,
  insertServerRow,
  listServerRows,
  lockServerRow,
  type StoredServer,
  updateServerRow,
} from './server.store.ts';
import { withdrawDecisions } from './tool.store.ts';

type Deps = Pick<ConnectorsDeps, 'unitOfWork' | 'secrets'>;

const serversMax = 50;
/** All callers share the server's credential, so access starts with administrators. */
const rightsAtFirst: Grant = { roles: ['Admin'] };

/**
 * Stores the server without contacting it.
 * @throws AppError `identifier_taken`, `limit_reached`
 */
export function createServer(deps: Deps, actor: Actor, body: McpServerBody): Promise<McpServer> {
  return deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const { orgId } = actor;
    await lockCount(tx, orgId, 'mcp-servers');
    if ((await listServerRows(tx, orgId)).length >= serversMax) {
      throw new AppError(
        'limit_reached',
        `An organization connects ${serversMax} MCP servers at most; remove one first`,
      );
    }
    const server: StoredServer = {
      identifier: body.identifier,
      title: body.title ?? null,
      url: body.url,
      ...sealed(deps, actor, body.identifier, body.headers ?? {}),
      isEnabled: body.enabled ?? true,
      rights: await rightsAfter(work, body.identifier, rightsAtFirst, body.permissions),
      protocolVersion: null,
      checkedAt: null,
      problem: null,
      createdAt: now,
      createdBy: actor.id,
      updatedAt: now,
      updatedBy: actor.id,
    };
    if (!(await insertServerRow(tx, orgId, permitted(actor, server, rightsAtFirst)))) {
      throw new AppError('identifier_taken', `There is an MCP server "${body.identifier}" already`);
    }
    record(work, 'CREATE', undefined, server);
    return shownServer(tx, actor, server);
  });
}

/**
 * A new address invalidates all reviews, and headers meant for the old one are not sent to it.
 * @throws AppError `not_found`, `invalid_request`
 */
export function patchServer(deps: Deps, actor: Actor, identifier: string, patch: McpServerPatch): Promise<McpServer> {
  return deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const before = await lockServerRow(tx, actor.orgId, identifier);
    if (!before) throw serverMissing(identifier);
    const url = patch.url ?? before.url;
    const isElsewhere = url !== before.url;
    const isOtherOrigin = new URL(url).origin !== new URL(before.url).origin;
    if (isOtherOrigin && before.sealedHeaders !== null && patch.headers === undefined) {
      const message = 'must be sent again: those that are stored were meant for the old address (null for none)';
      throw invalidRequest([{ path: '/headers', message }]);
    }
    const after: StoredServer = {
      ...before,
      url,
      title: patch.title === undefined ? before.title : patch.title,
      ...(patch.headers === undefined ? {} : sealed(deps, actor, identifier, patch.headers ?? {})),
      isEnabled: patch.enabled ?? before.isEnabled,
      rights: await rightsAfter(work, identifier, before.rights, patch.permissions),
      updatedAt: now,
      updatedBy: actor.id,
    };
    await updateServerRow(tx, actor.orgId, permitted(actor, after, before.rights));
    if (isElsewhere) await withdrawDecisions(tx, actor.orgId, identifier);
    record(work, 'UPDATE', before, after);
    return shownServer(tx, actor, after);
  });
}

/** @throws AppError `not_found` */
export function deleteServer({ unitOfWork }: Deps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const before = await lockServerRow(work.tx, actor.orgId, identifier);
    if (!before) throw serverMissing(identifier);
    await deleteServerRow(work.tx, actor.orgId, identifier);
    record(work, 'DELETE', before, undefined);
  });
}

/** @throws AppError `insufficient_scope` if headers use secrets that the caller may not send anywhere */
function sealed({ secrets }: Deps, actor: Actor, identifier: string, headers: Readonly<Record<string, string>>) {
  if (takesSecrets(headers)) requireSecrets(actor);
  return {
    sealedHeaders: sealHeaders(secrets, actor.orgId, identifier, headers),
    headerNames: Object.keys(headers)
      .map((name) => name.toLowerCase())
      .sort(),
  };
}

function permitted(actor: Actor, server: StoredServer, before: Grant): Permitted<StoredServer> {
  const what = `use the tools of "${server.identifier}"`;
  return permitGrants(actor, server, [{ before, after: server.rights, what, scopes: grantedScopes.useServer }]);
}

async function rightsAfter(
  work: Work,
  identifier: string,
  before: Grant,
  change: McpServerBody['permissions'] | undefined,
): Promise<Grant> {
  if (!change) return before;
  const resolve = await writtenTeams(work, { kind: 'mcp-server', identifier }, change.teams ?? []);
  return mergeLists(before, change, resolve);
}

/** Addresses can contain a key: only their host is recorded, and only the names of headers. */
function record(work: Work, action: 'CREATE' | 'UPDATE' | 'DELETE', before?: StoredServer, after?: StoredServer): void {
  const { identifier } = (after ?? before) as StoredServer;
  const past = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' } as const;
  work.record({
    event: `mcp-server.${past[action]}`,
    action,
    resourceType: 'mcp-server',
    identifier,
    context: {},
    ...(before ? { before: recorded(before) } : {}),
    ...(after ? { after: recorded(after) } : {}),
  });
}

function recorded({ identifier, title, url, headerNames, isEnabled, rights }: StoredServer) {
  const { roles = [], users = [], teams = [] } = rights;
  const permissions = { roles, users, teams };
  return { identifier, title, origin: new URL(url).origin, headers: headerNames, enabled: isEnabled, permissions };
}
