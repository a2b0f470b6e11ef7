import type { Expression } from '../syntax/ast.ts';
import { type CompiledFunction, findFunction, type StaticScope } from './static-scope.ts';

/** True if the call is inside the body of the function it calls, so that it may repeat without end. */
export function isOwnCall(node: Expression, target: CompiledFunction): boolean {
  const { definition } = target;
  return node.start >= definition.start && node.end <= definition.end;
}

/** True if the last step of the expression may be a call of an enclosing function. */
export function endsInOwnCall(node: Expression, scope: StaticScope | null): boolean {
  switch (node.kind) {
    case 'call': {
      const binding = findFunction(scope, node.name, node.args.length);
      return binding?.kind === 'function' && isOwnCall(node, binding.target);
    }
    case 'group':
      return endsInOwnCall(node.body, scope);
    case 'pipe':
    case 'comma':
      return endsInOwnCall(node.items.at(-1)!, scope);
    case 'if':
      return (
        node.branches.some(({ body }) => endsInOwnCall(body, scope)) ||
        (node.otherwise !== null && endsInOwnCall(node.otherwise, scope))
      );
    default:
      return false;
  }
}
