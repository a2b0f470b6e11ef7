/** The syntax tree of an HCL file, by the grammar of its specification. Offsets count UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Name extends Span {
  readonly text: string;
}

export interface Body extends Span {
  readonly entries: readonly (Attribute | Block)[];
}

export interface Attribute extends Span {
  readonly kind: 'attribute';
  readonly name: Name;
  readonly value: Expression;
}

export interface Block extends Span {
  readonly kind: 'block';
  readonly name: Name;
  /** Spans include quotes if present. */
  readonly labels: readonly Name[];
  /** From the opening to the closing brace. */
  readonly body: Body;
}

export interface Literal extends Span {
  readonly kind: 'literal';
  readonly value: number | boolean | null;
}

export interface Template extends Span {
  readonly kind: 'template';
  readonly form: 'quoted' | 'heredoc';
  readonly parts: readonly TemplatePart[];
}

export type TemplatePart = TextPart | InsertedPart;

export interface TextPart extends Span {
  readonly kind: 'text';
  /** With escapes resolved. */
  readonly value: string;
}

/** `${ }` or a directive `%{ }`; `else` and end directives have no expression. */
export interface InsertedPart extends Span {
  readonly kind: 'interpolation' | 'if' | 'else' | 'endif' | 'for' | 'endfor';
  readonly expression?: Expression;
  readonly names: readonly Name[];
}

export interface Variable extends Span {
  readonly kind: 'variable';
  readonly name: string;
}

export type AccessStep =
  | (Span & { readonly kind: 'attribute'; readonly name: Name })
  | (Span & { readonly kind: 'index'; readonly key: Expression })
  | (Span & { readonly kind: 'splat' });

export interface Access extends Span {
  readonly kind: 'access';
  readonly from: Expression;
  readonly steps: readonly AccessStep[];
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly name: Name;
  readonly arguments: readonly Expression[];
  /** Whether `...` follows the last argument. */
  readonly isExpanded: boolean;
}

export interface Tuple extends Span {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}

export interface ObjectEntry extends Span {
  readonly key: Expression;
  readonly value: Expression;
}

export interface ObjectExpression extends Span {
  readonly kind: 'object';
  readonly entries: readonly ObjectEntry[];
}

export interface ForExpression extends Span {
  readonly kind: 'for';
  readonly names: readonly Name[];
  readonly collection: Expression;
  /** Only for object results. */
  readonly key?: Expression;
  readonly value: Expression;
  readonly condition?: Expression;
}

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operand: Expression;
}

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Conditional extends Span {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface Group extends Span {
  readonly kind: 'group';
  readonly body: Expression;
}

export type Expression =
  | Literal
  | Template
  | Variable
  | Access
  | Call
  | Tuple
  | ObjectExpression
  | ForExpression
  | Unary
  | Binary
  | Conditional
  | Group;
