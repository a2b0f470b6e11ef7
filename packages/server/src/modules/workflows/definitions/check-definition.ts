import { isRecord } from '@portolan/contract/json-value';
import { invalidRequest } from '../../../platform/errors.ts';
import { limits } from './limits.ts';
import { checkBodyShape, checkShape, readableParts, readDefinition } from './read-definition.ts';
import { checkNumberOfNodes, checkScope, checkSelfCall, listBodies, type Scope } from './rules/body-rules.ts';
import { checkCompensations } from './rules/compensation-rules.ts';
import { checkExpressions } from './rules/expression-rules.ts';
import type { Fault, Warning } from './rules/fault.ts';
import { checkGraph, fault, warnOfGraph } from './rules/graph-rules.ts';
import { checkNode, warnOfNode } from './rules/node-rules.ts';
import type { WorkflowDefinition } from './workflow.ts';

export interface CheckedDefinition {
  /** As it would be stored; it can be relied on only without faults. */
  readonly definition: WorkflowDefinition;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
}

/**
 * Checks a workflow by every rule that needs nothing but itself, and tells all faults at once.
 * @throws AppError `invalid_request` if it is no object
 */
export function checkDefinition(body: unknown): CheckedDefinition {
  if (!isRecord(body)) throw invalidRequest([{ path: '', message: 'must be an object' }]);
  const written = readDefinition(body);
  const size = JSON.stringify(written).length;
  if (size > limits.definitionBytes) {
    const message = `has ${size} characters; a workflow has at most ${limits.definitionBytes}`;
    return toChecked(written, [fault('', 'too_large', message)], []);
  }
  const whole: Scope = { ...readableParts(written), at: '', isBody: false, nesting: 0 };
  const shapes: Fault[] = [];
  const bodies = listBodies(whole, (inner, at) => {
    shapes.push(...checkBodyShape(inner, at));
    return readableParts(inner, at);
  });
  const scopes = [whole, ...bodies];
  const checked = scopes.map(checkOne);
  const shape = [...checkShape(written), ...shapes];
  const rules = [
    ...checked.flatMap(({ faults }) => faults),
    ...checkNumberOfNodes(scopes),
    ...checkSelfCall(written as unknown as WorkflowDefinition, scopes),
  ];
  // a part of the wrong shape is told once
  const misshapen = new Set(shape.map(({ path }) => path));
  const faults = [...shape, ...rules.filter(({ path }) => !misshapen.has(path))];
  return toChecked(
    written,
    faults,
    checked.flatMap(({ warnings }) => warnings),
  );
}

/** A graph by the rules that look at nothing else. */
function checkOne(scope: Scope): Pick<CheckedDefinition, 'faults' | 'warnings'> {
  const expressions = checkExpressions(scope);
  return {
    faults: [
      ...checkGraph(scope, scope.isBody),
      ...checkScope(scope),
      ...checkCompensations(scope),
      ...scope.nodes.flatMap(checkNode),
      ...expressions.faults,
    ],
    warnings: [...warnOfGraph(scope), ...scope.nodes.flatMap(warnOfNode), ...expressions.warnings],
  };
}

function toChecked(
  written: Readonly<Record<string, unknown>>,
  faults: readonly Fault[],
  warnings: readonly Warning[],
): CheckedDefinition {
  // "connections" may be left out, and is a list from here on
  const definition = { ...written, connections: written['connections'] ?? [] } as unknown as WorkflowDefinition;
  return { definition, faults, warnings };
}
