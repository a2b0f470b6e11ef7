import type { ArithmeticOperator, ComparisonOperator } from '../value/arithmetic.ts';

/** Half-open range of UTF-16 offsets in the source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type AssignmentOperator = '=' | '|=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//=';

/**
 * The syntax tree of a jq program. `|` and `,` chains are flat lists; parentheses stay as `group` nodes, so that the
 * tree prints back with the same meaning. The budget's `nestingMax` bounds its depth.
 */
export type Expression =
  | (Span & { readonly kind: 'identity' })
  | (Span & { readonly kind: 'recurse' })
  | (Span & { readonly kind: 'literal'; readonly value: null | boolean | number })
  | StringExpression
  | (Span & { readonly kind: 'format'; readonly name: string })
  | (Span & { readonly kind: 'variable'; readonly name: string })
  | (Span & { readonly kind: 'location'; readonly line: number })
  | IndexExpression
  | SliceExpression
  | (Span & { readonly kind: 'iterate'; readonly target: Expression })
  | TryExpression
  | (Span & { readonly kind: 'group'; readonly body: Expression })
  | (Span & { readonly kind: 'array'; readonly body: Expression | null })
  | (Span & { readonly kind: 'object'; readonly entries: readonly ObjectEntry[] })
  | (Span & { readonly kind: 'pipe'; readonly items: readonly Expression[] })
  | (Span & { readonly kind: 'comma'; readonly items: readonly Expression[] })
  | (Span & { readonly kind: 'negate'; readonly operand: Expression })
  | BinaryExpression<'arithmetic', ArithmeticOperator>
  | BinaryExpression<'comparison', ComparisonOperator>
  | BinaryExpression<'logical', 'and' | 'or'>
  | BinaryExpression<'alternative', '//'>
  | BinaryExpression<'assignment', AssignmentOperator>
  | ConditionalExpression
  | ReduceExpression
  | ForeachExpression
  | BindExpression
  | (Span & { readonly kind: 'define'; readonly definition: FunctionDefinition; readonly body: Expression })
  | (Span & { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] })
  | (Span & { readonly kind: 'label'; readonly name: string; readonly body: Expression })
  | (Span & { readonly kind: 'break'; readonly name: string });

export type ExpressionKind = Expression['kind'];
export type ExpressionOf<K extends ExpressionKind> = Extract<Expression, { readonly kind: K }>;

/** `"text"`, `"a\(expression)b"` and `@format "…"`. Text parts are already unescaped. */
export interface StringExpression extends Span {
  readonly kind: 'string';
  readonly format: string | null;
  readonly parts: readonly (string | Expression)[];
}

/** `.name`, `."name"` and `target[key]`. */
export interface IndexExpression extends Span {
  readonly kind: 'index';
  readonly target: Expression;
  readonly key: Expression;
  readonly form: 'field' | 'string' | 'bracket';
}

export interface SliceExpression extends Span {
  readonly kind: 'slice';
  readonly target: Expression;
  readonly from: Expression | null;
  readonly to: Expression | null;
}

/** `try body catch handler`, and `body?` with `form` "suffix". */
export interface TryExpression extends Span {
  readonly kind: 'try';
  readonly body: Expression;
  readonly handler: Expression | null;
  readonly form: 'keyword' | 'suffix';
}

/** `shorthand` entries have no explicit value: `{a}`, `{$a}`, `{"a"}`, `{@base64 "a"}`, `{$__loc__}`. */
export interface ObjectEntry extends Span {
  readonly key: Expression;
  readonly value: Expression | null;
  readonly form: 'name' | 'string' | 'variable' | 'computed';
}

export interface BinaryExpression<K extends string, O extends string> extends Span {
  readonly kind: K;
  readonly operator: O;
  readonly left: Expression;
  readonly right: Expression;
}

export interface ConditionalExpression extends Span {
  readonly kind: 'if';
  readonly branches: readonly { readonly condition: Expression; readonly body: Expression }[];
  readonly otherwise: Expression | null;
}

export interface ReduceExpression extends Span {
  readonly kind: 'reduce';
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
  readonly initial: Expression;
  readonly update: Expression;
}

export interface ForeachExpression extends Span {
  readonly kind: 'foreach';
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
  readonly initial: Expression;
  readonly update: Expression;
  readonly extract: Expression | null;
}

/** `source as p1 ?// p2 | body`. */
export interface BindExpression extends Span {
  readonly kind: 'bind';
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
  readonly body: Expression;
}

export type Pattern =
  | (Span & { readonly kind: 'variable'; readonly name: string })
  | (Span & { readonly kind: 'array'; readonly items: readonly Pattern[] })
  | (Span & { readonly kind: 'object'; readonly entries: readonly PatternEntry[] });

/** `{$name}`, `{$name: p}`, `{name: p}`, `{"text": p}` and `{(key): p}`. */
export interface PatternEntry extends Span {
  readonly variable: string | null;
  readonly key: Expression;
  readonly value: Pattern | null;
}

export interface FunctionDefinition extends Span {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}

export interface Parameter {
  readonly name: string;
  /** A `$name` parameter: the body runs once for each value of the argument. */
  readonly isValue: boolean;
}
