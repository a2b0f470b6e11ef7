import { isBuiltin, refusedBuiltins } from '../builtins/builtins.ts';
import { JqRefusedError, JqSyntaxError } from '../errors.ts';
import type { Expression, Pattern } from '../syntax/ast.ts';
import { childrenOfExpression, keysOfPattern } from '../syntax/visit.ts';
import { patternVariables } from './patterns.ts';

/** The names in scope, as immutable lists from the inside out. */
interface Names {
  readonly kind: 'function' | 'variable' | 'label';
  readonly name: string;
  readonly arity: number;
  readonly parent: Names | null;
}

const bound = (parent: Names | null, kind: Names['kind'], name: string, arity = 0): Names => ({
  kind,
  name,
  arity,
  parent,
});

function isBound(names: Names | null, kind: Names['kind'], name: string, arity = 0): boolean {
  for (let at = names; at !== null; at = at.parent) {
    if (at.kind === kind && at.name === name && at.arity === arity) return true;
  }
  return false;
}

/**
 * Checks that every function, variable and label is defined. Throws {@link JqSyntaxError} at the first undefined one,
 * and {@link JqRefusedError} for functions this engine refuses. `variables` are declared by the caller.
 */
export function resolveNames(source: string, program: Expression, variables: readonly string[]): void {
  let globals: Names | null = null;
  for (const name of variables) globals = bound(globals, 'variable', name);

  const check = (node: Expression, names: Names | null): void => {
    switch (node.kind) {
      case 'variable':
        if (node.name !== 'ENV' && !isBound(names, 'variable', node.name)) {
          throw new JqSyntaxError(`$${node.name} is not defined`, source, node.start);
        }
        return;
      case 'break':
        if (isBound(names, 'label', node.name)) return;
        throw new JqSyntaxError(`label $${node.name} is not defined`, source, node.start);
      case 'label':
        return check(node.body, bound(names, 'label', node.name));
      case 'call':
        checkCall(node.name, node.args.length, node.start, names);
        break;
      case 'bind':
        check(node.source, names);
        checkKeys(node.patterns, names);
        return check(node.body, withPatterns(names, node.patterns));
      case 'reduce':
      case 'foreach': {
        check(node.source, names);
        checkKeys(node.patterns, names);
        check(node.initial, names);
        const inner = withPatterns(names, node.patterns);
        check(node.update, inner);
        if (node.kind === 'foreach' && node.extract !== null) check(node.extract, inner);
        return;
      }
      case 'define': {
        const { definition } = node;
        const outside = bound(names, 'function', definition.name, definition.parameters.length);
        let inside = outside;
        for (const parameter of definition.parameters) {
          inside = bound(inside, 'function', parameter.name);
          if (parameter.isValue) inside = bound(inside, 'variable', parameter.name);
        }
        check(definition.body, inside);
        return check(node.body, outside);
      }
      default:
    }
    for (const child of childrenOfExpression(node)) check(child, names);
  };

  const checkKeys = (patterns: readonly Pattern[], names: Names | null): void => {
    for (const key of patterns.flatMap(keysOfPattern)) check(key, names);
  };

  const checkCall = (name: string, arity: number, start: number, names: Names | null): void => {
    if (isBound(names, 'function', name, arity)) return;
    const refusal = refusedBuiltins.get(`${name}/${arity}`);
    if (refusal !== undefined) throw new JqRefusedError(name, refusal);
    if (!isBuiltin(name, arity)) throw new JqSyntaxError(`${name}/${arity} is not defined`, source, start);
  };

  check(program, globals);
}

function withPatterns(names: Names | null, patterns: readonly Pattern[]): Names | null {
  let inner = names;
  for (const name of patterns.flatMap(patternVariables)) inner = bound(inner, 'variable', name);
  return inner;
}
