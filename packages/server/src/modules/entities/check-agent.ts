import { invokeLimits, parseExecutionMode } from '@portolan/contract/assistant';
import type { EntityBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { toolPatternProblem } from '../../platform/tools/tool-patterns.ts';
import { blueprintProperties, type StoredBlueprint } from '../blueprints/index.ts';

/** Replacements for agents' fields from before the cutover. */
const successors: Readonly<Record<string, string>> = {
  allowed_actions: 'was replaced at the cutover: write `tools` with "run_<action>$" for each action',
  allowed_tools: 'was replaced at the cutover: write `tools`; its default covers all reads',
  allowed_blueprints: 'was removed at the cutover: an agent reads what its caller may read',
};

/** Fields of the new schema. */
const newFields = new Set(['tools', 'provider', 'model', 'labels']);

/**
 * Issues of an agent beyond its blueprint: invalid tool patterns, and fields of the other schema, with the replacement.
 */
export function agentIssues(blueprint: StoredBlueprint, body: EntityBody): Issue[] {
  if (blueprint.identifier !== '_ai_agent') return [];
  const known = blueprintProperties(blueprint);
  const misplaced = Object.entries(body.properties ?? {}).flatMap(([key, value]) => {
    if (Object.hasOwn(known, key) || value === undefined) return [];
    const hint = newFields.has(key)
      ? 'comes with the schema of the cutover, from `schema_testing` on'
      : successors[key];
    return hint ? [{ path: `/properties/${key}`, message: hint }] : [];
  });
  return [...misplaced, ...patternIssues(body.properties?.['tools'])];
}

/** Stores the specification's word for a mode, whichever was written. */
export function normalAgent<Body extends EntityBody>(blueprint: StoredBlueprint, body: Body): Body {
  const written = body.properties?.['execution_mode'];
  if (blueprint.identifier !== '_ai_agent' || typeof written !== 'string') return body;
  const known = parseExecutionMode(written);
  if (!known) return body;
  const mode = known === 'Automatic' ? known : 'Approval Required';
  return { ...body, properties: { ...body.properties, execution_mode: mode } };
}

function patternIssues(tools: unknown): Issue[] {
  if (!Array.isArray(tools)) return [];
  const { patternsMax } = invokeLimits;
  const tooMany =
    tools.length > patternsMax
      ? [{ path: '/properties/tools', message: `holds more than ${patternsMax} patterns` }]
      : [];
  const invalid = tools.slice(0, patternsMax).flatMap((pattern: unknown, index) => {
    const problem = typeof pattern === 'string' ? toolPatternProblem(pattern) : undefined;
    const message = `is not a valid regular expression: ${problem}`;
    return problem ? [{ path: `/properties/tools/${index}`, message }] : [];
  });
  return [...tooMany, ...invalid];
}
