import ts from 'typescript';

/** A change of one node: what stands there instead, and the sort of change. */
export interface Change {
  readonly node: ts.Node;
  readonly replacement: string;
  readonly kind: 'condition' | 'operand' | 'boundary' | 'equality';
}

const { SyntaxKind } = ts;
const boundaries = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
]);
const comparisons = new Set<ts.SyntaxKind>([
  ...boundaries.keys(),
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
]);
const asking = new Set(['some', 'every', 'has', 'includes', 'startsWith', 'endsWith', 'test', 'isArray', 'hasOwn']);

/** Whether an expression is a boolean by its form alone. */
export function looksBoolean(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return looksBoolean(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.ExclamationToken;
  if (ts.isCallExpression(node)) return isQuestion(node.expression);
  if (!ts.isBinaryExpression(node)) return false;
  if (comparisons.has(node.operatorToken.kind)) return true;
  return chainOperator(node) !== undefined && looksBoolean(node.left) && looksBoolean(node.right);
}

function isQuestion(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
  return asking.has(name) || /^(is|has|may|can|should|does)[A-Z]/.test(name);
}

function chainOperator(node: ts.Node): '&&' | '||' | undefined {
  if (!ts.isBinaryExpression(node)) return undefined;
  if (node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken) return '&&';
  return node.operatorToken.kind === SyntaxKind.BarBarToken ? '||' : undefined;
}

/**
 * The changes of what somebody asks. A whole question is answered for good, an operand of `&&` and `||` is left out
 * (a swap of the two, and a negation, die wherever these die), and a boundary moves by one.
 */
export function booleanChanges(node: ts.Expression, source: ts.SourceFile): Change[] {
  const wholes = ['true', 'false'].filter((each) => each !== impliedBy(node));
  return [
    ...wholes.map((replacement): Change => ({ node, replacement, kind: 'condition' })),
    ...innerChanges(node, source),
  ];
}

/** Leaving out an operand says already what this constant says: it is a test for both. */
function impliedBy(node: ts.Expression): string | undefined {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
  const operator = chainOperator(inner);
  if (!operator) return undefined;
  return operator === '&&' ? 'true' : 'false';
}

/** What can change inside a question or a chain of `&&` or `||` whose value is asked for. */
export function innerChanges(node: ts.Expression, source: ts.SourceFile): Change[] {
  if (ts.isParenthesizedExpression(node)) return innerChanges(node.expression, source);
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return innerChanges(node.operand, source);
  const operator = chainOperator(node);
  if (operator) return chainChanges(node as ts.BinaryExpression, operator, source);
  if (!ts.isBinaryExpression(node)) return [];
  const moved = boundaries.get(node.operatorToken.kind);
  return moved ? [replaceOperator(node, moved, 'boundary', source)] : [];
}

function chainChanges(node: ts.BinaryExpression, operator: string, source: ts.SourceFile): Change[] {
  const operands = listOperands(node, operator);
  const textOf = (each: ts.Expression): string => each.getText(source);
  const leftOut = operands.map((_, index): Change => {
    const kept = operands.filter((_, other) => other !== index).map(textOf);
    return { node, replacement: kept.join(` ${operator} `), kind: 'operand' };
  });
  return [...leftOut, ...operands.flatMap((each) => innerChanges(each, source))];
}

/** `a && b && c` is one chain of three. */
function listOperands(node: ts.Expression, operator: string): ts.Expression[] {
  if (!ts.isBinaryExpression(node) || chainOperator(node) !== operator) return [node];
  return [...listOperands(node.left, operator), node.right];
}

/** `===` and `!==` where no question is seen. */
export function equalityChange(node: ts.BinaryExpression, source: ts.SourceFile): Change | undefined {
  if (node.operatorToken.kind === SyntaxKind.EqualsEqualsEqualsToken)
    return replaceOperator(node, '!==', 'equality', source);
  if (node.operatorToken.kind === SyntaxKind.ExclamationEqualsEqualsToken)
    return replaceOperator(node, '===', 'equality', source);
  return undefined;
}

function replaceOperator(
  node: ts.BinaryExpression,
  operator: string,
  kind: Change['kind'],
  source: ts.SourceFile,
): Change {
  return { node, replacement: `${node.left.getText(source)} ${operator} ${node.right.getText(source)}`, kind };
}
