import type { McpServerTool, McpToolReview } from '@portolan/contract/mcp-servers';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { presentTool } from './present-server.ts';
import { serverMissing } from './read-servers.ts';
import { lockServerRow } from './server.store.ts';
import { fingerprints } from './store-tools.ts';
import { decideOnTool, listToolRows } from './tool.store.ts';

/**
 * Approves or declines all named tools or none. A decision applies to the definition with the hash that was read,
 * never to a later one.
 * @throws AppError `not_found`, `invalid_request`, `stale_version`
 */
export function reviewTools(
  { unitOfWork }: Pick<ConnectorsDeps, 'unitOfWork'>,
  actor: Actor,
  identifier: string,
  { decisions }: McpToolReview,
): Promise<McpServerTool[]> {
  const names = decisions.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw invalidRequest([{ path: `/decisions/${twice}/name`, message: 'is decided on above' }]);
  return unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const { orgId } = actor;
    if (!(await lockServerRow(tx, orgId, identifier))) throw serverMissing(identifier);
    const before = await listToolRows(tx, orgId, identifier);
    const issues = decisions.flatMap(({ name, hash }, index) => {
      const tool = before.find((each) => each.name === name);
      const path = `/decisions/${index}`;
      if (!tool?.isPresent) return [{ path: `${path}/name`, message: 'is no tool that the server lists now' }];
      return tool.hash === hash ? [] : [{ path: `${path}/hash`, message: 'is of another definition' }];
    });
    if (issues.length > 0) {
      const message = 'Tools are not as they were read. Read them again, and decide on what is there now.';
      throw new AppError('stale_version', message, { details: issues });
    }
    for (const { name, decision, readOnly } of decisions) {
      const isReadOnly = decision === 'approve' && readOnly === true;
      await decideOnTool(tx, orgId, { server: identifier, name }, { decision, isReadOnly, at: now, by: actor.id });
    }
    const after = await listToolRows(tx, orgId, identifier);
    work.record({
      event: 'mcp-server.tools-reviewed',
      action: 'UPDATE',
      resourceType: 'mcp-server',
      identifier,
      context: {},
      before: { tools: fingerprints(before) },
      after: { tools: fingerprints(after) },
    });
    return after.map(presentTool);
  });
}
