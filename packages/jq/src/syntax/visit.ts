import type { Expression, Pattern } from './ast.ts';

/** The direct parts of an expression in source order, including the bodies of definitions. */
export function childrenOfExpression(node: Expression): Expression[] {
  switch (node.kind) {
    case 'identity':
    case 'recurse':
    case 'literal':
    case 'format':
    case 'variable':
    case 'location':
    case 'break':
      return [];
    case 'string':
      return node.parts.filter((part): part is Expression => typeof part !== 'string');
    case 'index':
      return [node.target, node.key];
    case 'slice':
      return [node.target, node.from, node.to].filter((part) => part !== null);
    case 'iterate':
      return [node.target];
    case 'try':
      return node.handler === null ? [node.body] : [node.body, node.handler];
    case 'group':
    case 'label':
      return [node.body];
    case 'array':
      return node.body === null ? [] : [node.body];
    case 'object':
      return node.entries.flatMap(({ key, value }) => (value === null ? [key] : [key, value]));
    case 'pipe':
    case 'comma':
      return [...node.items];
    case 'negate':
      return [node.operand];
    case 'arithmetic':
    case 'comparison':
    case 'logical':
    case 'alternative':
    case 'assignment':
      return [node.left, node.right];
    case 'if': {
      const parts = node.branches.flatMap(({ condition, body }) => [condition, body]);
      return node.otherwise === null ? parts : [...parts, node.otherwise];
    }
    case 'reduce':
      return [node.source, ...node.patterns.flatMap(keysOfPattern), node.initial, node.update];
    case 'foreach': {
      const parts = [node.source, ...node.patterns.flatMap(keysOfPattern), node.initial, node.update];
      return node.extract === null ? parts : [...parts, node.extract];
    }
    case 'bind':
      return [node.source, ...node.patterns.flatMap(keysOfPattern), node.body];
    case 'define':
      return [node.definition.body, node.body];
    case 'call':
      return [...node.args];
  }
}

/** The key expressions of a pattern. */
export function keysOfPattern(pattern: Pattern): Expression[] {
  switch (pattern.kind) {
    case 'variable':
      return [];
    case 'array':
      return pattern.items.flatMap(keysOfPattern);
    case 'object':
      return pattern.entries.flatMap(({ key, value }) => [key, ...(value === null ? [] : keysOfPattern(value))]);
  }
}

/** Calls `visit` for the expression and all its parts, parents first. */
export function visitExpression(root: Expression, visit: (node: Expression) => void): void {
  visit(root);
  for (const child of childrenOfExpression(root)) visitExpression(child, visit);
}
