import type { Expression } from './ast.ts';

/** True only if the expression never reads `.`. */
export function isInputFree(node: Expression): boolean {
  switch (node.kind) {
    case 'literal':
    case 'variable':
    case 'location':
      return true;
    case 'string':
      return node.parts.every((part) => typeof part === 'string' || isInputFree(part));
    case 'group':
      return isInputFree(node.body);
    case 'array':
      return node.body === null || isInputFree(node.body);
    case 'object':
      return node.entries.every(({ key, value, form }) =>
        value === null ? form === 'variable' : isInputFree(key) && isInputFree(value),
      );
    case 'index':
      return isInputFree(node.target) && isInputFree(node.key);
    case 'negate':
      return isInputFree(node.operand);
    case 'arithmetic':
    case 'comparison':
    case 'logical':
    case 'alternative':
      return isInputFree(node.left) && isInputFree(node.right);
    case 'pipe':
      return isInputFree(node.items[0]!) && node.items.slice(1).every(readsOnlyItsInput);
    default:
      return false;
  }
}

/** Later parts of a pipe read the output of earlier ones; definitions and similar are left out for simplicity. */
function readsOnlyItsInput(node: Expression): boolean {
  return node.kind === 'call' || node.kind === 'index' || node.kind === 'format' || node.kind === 'arithmetic';
}
