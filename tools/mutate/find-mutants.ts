import ts from 'typescript';
import { booleanChanges, equalityChange, innerChanges, looksBoolean } from './boolean-mutants.ts';
import type { Mutant, MutantKind } from './mutant.ts';
import { sqlMistakes } from './sql-mutants.ts';

const { SyntaxKind } = ts;
type FoundMutant = readonly [node: ts.Node, replacement: string, kind: MutantKind];

/** Names of calls and what each is mistaken for. */
const swappedCalls = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['and', 'or'],
  ['or', 'and'],
]);
/** Calls that hand back less than, or in another order than, what they are called on. */
const leftOutCalls = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'trim', 'toLowerCase']);
const listCalls = new Set(['map', 'filter', 'flatMap', 'toSorted', 'flat', 'keys', 'values', 'entries']);
const arithmetic = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
  [SyntaxKind.PlusEqualsToken, '-='],
  [SyntaxKind.MinusEqualsToken, '+='],
]);

/** Every mutant of a source, in the order of the text, each once. */
export function findMutants(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundMutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    found.push(...listChanges(node, source));
    node.forEachChild(visit);
  };
  visit(source);
  const mutants = found
    .map((each) => placed(file, each, source))
    .filter(({ start, end, replacement }) => {
      return text.slice(start, end) !== replacement;
    });
  const unique = new Map(mutants.map((each) => [`${each.start}:${each.end}:${each.replacement}`, each]));
  return [...unique.values()].sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Part of an optional chain cannot be put in parentheses alone: then the whole chain is what changes. */
function placed(file: string, [node, replacement, kind]: FoundMutant, source: ts.SourceFile): Mutant {
  let whole = node;
  while (ts.isOptionalChain(whole) && isContinued(whole)) whole = whole.parent;
  const start = whole.getStart(source);
  const before = source.text.slice(start, node.getStart(source));
  const after = source.text.slice(node.end, whole.end);
  return { file, start, end: whole.end, replacement: before + replacement + after, kind };
}

function isContinued(node: ts.Node): boolean {
  const { parent } = node;
  if (!(ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent)))
    return false;
  return parent.expression === node && ts.isOptionalChain(parent);
}

function listChanges(node: ts.Node, source: ts.SourceFile): FoundMutant[] {
  if (ts.isStatement(node))
    return [...removals(node), ...asked(findCondition(node), source), ...returned(node, source)];
  if (ts.isConditionalExpression(node)) return asked(node.condition, source);
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : valueChanges(node.body, source);
  if (ts.isBinaryExpression(node)) return binaryChanges(node, source);
  if (ts.isCallExpression(node)) return callChanges(node, source);
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return isTopQuestion(node) ? asked(node, source) : [];
  if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'false', 'literal']];
  if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'true', 'literal']];
  if (ts.isArrayLiteralExpression(node)) return elementChanges(node, source);
  return sqlChanges(node, source);
}

function findCondition(node: ts.Statement): ts.Expression | undefined {
  if (ts.isIfStatement(node)) return node.expression;
  return undefined;
}

function asked(condition: ts.Expression | undefined, source: ts.SourceFile): FoundMutant[] {
  if (!condition) return [];
  return booleanChanges(condition, source).map(({ node, replacement, kind }) => [node, replacement, kind]);
}

/** What a function hands back: a question is answered for good, a list emptied, anything else nothing. */
function returned(node: ts.Statement, source: ts.SourceFile): FoundMutant[] {
  return ts.isReturnStatement(node) && node.expression ? valueChanges(node.expression, source) : [];
}

function valueChanges(value: ts.Expression, source: ts.SourceFile): FoundMutant[] {
  if (looksBoolean(value)) return asked(value, source);
  if (isList(value)) return [[value, '[]', 'return']];
  if (isConstant(value)) return [];
  return [[value, 'undefined', 'return']];
}

function isList(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.length > 0;
  return (
    ts.isCallExpression(value) &&
    ts.isPropertyAccessExpression(value.expression) &&
    listCalls.has(value.expression.name.text)
  );
}

function isConstant(value: ts.Expression): boolean {
  return (
    [SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword, SyntaxKind.NullKeyword].includes(value.kind) ||
    (ts.isIdentifier(value) && value.text === 'undefined') ||
    (ts.isArrayLiteralExpression(value) && value.elements.length === 0)
  );
}

/** An early end, a throw, and a call for its effect alone can each be forgotten. */
function removals(node: ts.Statement): FoundMutant[] {
  const isCall = ts.isExpressionStatement(node) && isEffect(node.expression);
  const isEarly = ts.isReturnStatement(node) && !isLast(node);
  const isEnd = ts.isThrowStatement(node) || ts.isContinueStatement(node);
  return (isCall || isEarly || isEnd) && !isWholeBranch(node) ? [[node, ';', 'statement']] : [];
}

/** Without the one thing that an `if` does, it does nothing: its condition being false says that already. */
function isWholeBranch(node: ts.Statement): boolean {
  const { parent } = node;
  if (ts.isBlock(parent)) return parent.statements.length === 1 && isWholeBranch(parent);
  return ts.isIfStatement(parent) && parent.thenStatement === node && !parent.elseStatement;
}

function isEffect(expression: ts.Expression): boolean {
  const inner =
    ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
  const isSuper = ts.isCallExpression(inner) && inner.expression.kind === SyntaxKind.SuperKeyword;
  if (ts.isBinaryExpression(inner)) return inner.operatorToken.kind === SyntaxKind.EqualsToken;
  return ts.isCallExpression(inner) && !isSuper;
}

/** The last statement of a function hands back its value; without it nothing is left to test. */
function isLast(node: ts.Statement): boolean {
  return ts.isBlock(node.parent) && ts.isFunctionLike(node.parent.parent) && node.parent.statements.at(-1) === node;
}

function binaryChanges(node: ts.BinaryExpression, source: ts.SourceFile): FoundMutant[] {
  const kind = node.operatorToken.kind;
  const [left, right] = [node.left.getText(source), node.right.getText(source)];
  if (kind === SyntaxKind.QuestionQuestionToken) return [[node, right, 'fallback']];
  const swapped = arithmetic.get(kind);
  if (swapped) return hasText(node) ? [] : [[node, `${left} ${swapped} ${right}`, 'arithmetic']];
  if (!isTopQuestion(node)) return [];
  // a loop that never ends tells nothing that one without a round does not tell
  if (isLoop(node.parent)) return asked(node, source).filter(([, replacement]) => replacement !== 'true');
  if (looksBoolean(node)) return asked(node, source);
  const changes = innerChanges(node, source);
  const equality = equalityChange(node, source);
  return [...changes, ...(equality ? [equality] : [])].map((each) => [each.node, each.replacement, each.kind]);
}

function isLoop(node: ts.Node): boolean {
  return ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node);
}

/** Joining texts has no other operator that makes sense. */
function hasText(node: ts.BinaryExpression): boolean {
  return [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
}

/** A part of a question is changed with the whole. */
function isTopQuestion(node: ts.Expression): boolean {
  let { parent } = node;
  let child: ts.Node = node;
  while (ts.isParenthesizedExpression(parent)) [child, parent] = [parent, parent.parent];
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator !== SyntaxKind.ExclamationToken;
  if (ts.isBinaryExpression(parent)) {
    const kind = parent.operatorToken.kind;
    return kind !== SyntaxKind.AmpersandAmpersandToken && kind !== SyntaxKind.BarBarToken;
  }
  if (ts.isIfStatement(parent) || ts.isReturnStatement(parent)) return false;
  if (ts.isConditionalExpression(parent)) return parent.condition !== child;
  return !(ts.isArrowFunction(parent) && parent.body === child);
}

function callChanges(node: ts.CallExpression, source: ts.SourceFile): FoundMutant[] {
  const callee = node.expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : ts.isIdentifier(callee) ? callee : undefined;
  if (!name) return [];
  const swapped = swappedCalls.get(name.text);
  if (swapped) {
    const text = source.text;
    return [
      [
        node,
        text.slice(node.getStart(source), name.getStart(source)) + swapped + text.slice(name.end, node.end),
        'call',
      ],
    ];
  }
  if (!ts.isPropertyAccessExpression(callee) || !leftOutCalls.has(name.text)) return [];
  // what follows would lose its question mark with the call
  if (callee.questionDotToken && isContinued(node)) return [];
  return [[node, callee.expression.getText(source), 'call']];
}

/** Lists of constants are tables: each entry counts. */
function elementChanges(node: ts.ArrayLiteralExpression, source: ts.SourceFile): FoundMutant[] {
  const { elements } = node;
  if (elements.length === 0 || !elements.every(isEntry)) return [];
  return elements.map((_, index) => {
    const kept = elements.filter((_each, other) => other !== index).map((each) => each.getText(source));
    return [node, `[${kept.join(', ')}]`, 'element'];
  });
}

function isEntry(element: ts.Expression): boolean {
  return ts.isStringLiteral(element) || ts.isSpreadElement(element) || ts.isConditionalExpression(element);
}

function sqlChanges(node: ts.Node, source: ts.SourceFile): FoundMutant[] {
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText(source) === 'sql' ? templateChanges(node, source) : [];
  if (!ts.isStringLiteral(node)) return [];
  const isSeparator = /^ (and|or) $/.test(node.text);
  const isRaw = ts.isCallExpression(node.parent) && node.parent.expression.getText(source) === 'raw';
  if (!isSeparator && !isRaw) return [];
  return sqlMistakes(node.getText(source).slice(1, -1)).map((each) => {
    const quote = node.getText(source)[0] ?? "'";
    return [node, quote + each + quote, 'sql'];
  });
}

function templateChanges(node: ts.TaggedTemplateExpression, source: ts.SourceFile): FoundMutant[] {
  const { template } = node;
  const pieces: ts.Node[] = ts.isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
    : [template];
  const start = node.getStart(source);
  return pieces.flatMap((piece) => {
    const text = piece.getText(source);
    return sqlMistakes(text).map((changed): FoundMutant => {
      const at = piece.getStart(source);
      return [node, source.text.slice(start, at) + changed + source.text.slice(at + text.length, node.end), 'sql'];
    });
  });
}
