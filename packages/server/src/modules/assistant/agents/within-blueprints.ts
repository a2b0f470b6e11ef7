import { toRecord } from '@portolan/contract/json-value';
import type { CallTool } from '../loop/call-offered-tool.ts';

/**
 * Limits tool calls to blueprints, for agents from before the cutover. A call that names another blueprint, or searches
 * all, is refused with a message that a model can act on.
 */
export function withinBlueprints(blueprints: readonly string[] | undefined, call: CallTool): CallTool {
  if (!blueprints) return call;
  const allowed = new Set(blueprints);
  return (name, args, signal, callId) => {
    const named = namedBlueprint(name, args);
    if (named === 'none needed' || (typeof named === 'object' && allowed.has(named.blueprint))) {
      return call(name, args, signal, callId);
    }
    const message = `This agent reads only these blueprints: ${blueprints.join(', ') || 'none'}. Name one of them.`;
    return Promise.resolve({
      isError: true,
      content: { error: 'missing_permissions', message },
    });
  };
}

/** Tools that read several blueprints unless one is named. */
const readsAll = new Set([
  'search_entities',
  'list_scorecards',
  'list_campaigns',
  'list_action_runs',
  'search_audit_log',
]);
const namesItsBlueprint = new Set(['get_blueprint', 'get_blueprint_permissions']);

function namedBlueprint(name: string, args: unknown): { readonly blueprint: string } | 'none needed' | 'missing' {
  const fields = toRecord(args);
  const blueprint = namesItsBlueprint.has(name) ? (fields['identifier'] ?? fields['blueprint']) : fields['blueprint'];
  if (typeof blueprint === 'string') return { blueprint };
  return readsAll.has(name) || namesItsBlueprint.has(name) ? 'missing' : 'none needed';
}
