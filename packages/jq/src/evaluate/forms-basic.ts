import { applyFormat } from '../builtins/formats.ts';
import type { Expression, ExpressionOf, StringExpression } from '../syntax/ast.ts';
import { shorten } from '../value/stringify.ts';
import { type JqValue, jqType } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, Single } from './filter.ts';
import { raise, raiseAbout } from './raise.ts';
import type { Run, Scope } from './run.ts';
import { cellReader, findVariable, type StaticScope, scopeDepth } from './static-scope.ts';

const always = (): boolean => true;
const neverEach = (): never => {
  throw new Error('a single expression has no form of its own for many values');
};

export const identity: NodeForms<ExpressionOf<'identity'>> = {
  isSingle: always,
  single: () => (_run, _cells, input) => input,
  each: neverEach,
  path: () => (_run, _cells, path, input, emit) => emit(path, input),
};

export const literal: NodeForms<ExpressionOf<'literal'>> = {
  isSingle: always,
  single: (_compiler, node) => {
    const { value } = node;
    return () => value;
  },
  each: neverEach,
};

export const group: NodeForms<ExpressionOf<'group'>> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.body, scope),
  single: (compiler, node, scope, isTail) =>
    isTail ? compiler.singleTail(node.body, scope) : compiler.single(node.body, scope),
  each: (compiler, node, scope, isTail) => compiler.each(node.body, scope, isTail),
  path: (compiler, node, scope) => compiler.path(node.body, scope),
};

export const format: NodeForms<ExpressionOf<'format'>> = {
  isSingle: always,
  single: (_compiler, node) => {
    const { name } = node;
    return (run, _cells, input) => applyFormat(run, name, input);
  },
  each: neverEach,
};

export const location: NodeForms<ExpressionOf<'location'>> = {
  isSingle: always,
  single: (_compiler, node) => {
    const value: JqValue = { file: '<top-level>', line: node.line };
    return () => value;
  },
  each: neverEach,
};

export const variable: NodeForms<ExpressionOf<'variable'>> = {
  isSingle: always,
  single: (_compiler, node, scope) => variableReader(node.name, scope),
  each: neverEach,
};

/** `$ENV` is an empty object unless the caller declares a variable of that name: expressions see no environment. */
function variableReader(name: string, scope: StaticScope | null): Single {
  const binding = findVariable(scope, name);
  if (binding === undefined || binding.kind === 'function') {
    const value: JqValue = {};
    return () => value;
  }
  const read = cellReader(scopeDepth(scope), binding.cell);
  return (_run, cells) => read(cells) as JqValue;
}

export const array: NodeForms<ExpressionOf<'array'>> = {
  isSingle: always,
  single: (compiler, node, scope) => {
    const { body } = node;
    if (body === null) return () => [];
    if (compiler.isSingle(body, scope)) {
      const only = compiler.single(body, scope);
      return (run, cells, input) => [only(run, cells, input)];
    }
    const each = compiler.each(body, scope);
    return (run, cells, input) => collect(run, cells, input, each);
  },
  each: neverEach,
};

export function collect(run: Run, cells: Scope | null, input: JqValue, each: Each): JqValue[] {
  const items: JqValue[] = [];
  const { arrayLengthMax } = run.budget;
  each(run, cells, input, (value) => {
    if (items.push(value) > arrayLengthMax) run.checkArray(items.length);
    run.step();
  });
  run.allocate(items.length * 8 + 32);
  return items;
}

export const negate: NodeForms<ExpressionOf<'negate'>> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.operand, scope),
  single: (compiler, node, scope) => {
    const operand = compiler.single(node.operand, scope);
    return (run, cells, input) => negated(operand(run, cells, input));
  },
  each: (compiler, node, scope) => {
    const operand = compiler.each(node.operand, scope);
    return (run, cells, input, emit) => operand(run, cells, input, (value) => emit(negated(value)));
  },
};

function negated(value: JqValue): JqValue {
  if (typeof value !== 'number') throw raiseAbout(value, 'cannot be negated');
  return -value;
}

export const string: NodeForms<StringExpression> = {
  isSingle: (compiler, node, scope) =>
    node.parts.every((part) => typeof part === 'string' || compiler.isSingle(part, scope)),
  single: (compiler, node, scope) => {
    const [first] = node.parts;
    if (first === undefined) return () => '';
    if (node.parts.length === 1 && typeof first === 'string') return () => first;
    const name = node.format ?? 'text';
    const parts = node.parts.map((part) => (typeof part === 'string' ? part : compiler.single(part, scope)));
    return (run, cells, input) => {
      let text = '';
      for (const part of parts) {
        text += typeof part === 'string' ? part : applyFormat(run, name, part(run, cells, input));
        run.checkString(text.length);
      }
      return text;
    };
  },
  each: (compiler, node, scope) => {
    const name = node.format ?? 'text';
    let tail: (run: Run, cells: Scope | null, input: JqValue, rest: string, emit: (text: string) => void) => void = (
      _run,
      _cells,
      _input,
      rest,
      emit,
    ) => emit(rest);
    // The last interpolation is the outermost loop, as in jq.
    for (const part of node.parts) tail = prepend(compiler, part, scope, name, tail);
    return (run, cells, input, emit) => tail(run, cells, input, '', emit);
  },
};

type Tail = (run: Run, cells: Scope | null, input: JqValue, rest: string, emit: (text: string) => void) => void;

function prepend(
  compiler: Compiler,
  part: string | Expression,
  scope: StaticScope | null,
  name: string,
  tail: Tail,
): Tail {
  if (typeof part === 'string') {
    return (run, cells, input, rest, emit) => tail(run, cells, input, part + rest, emit);
  }
  const each = compiler.each(part, scope);
  return (run, cells, input, rest, emit) => {
    each(run, cells, input, (value) => {
      const text = `${applyFormat(run, name, value)}${rest}`;
      run.checkString(text.length);
      run.step();
      tail(run, cells, input, text, emit);
    });
  };
}

/** The error for an object key that is not a string. */
export function requireKey(value: JqValue): string {
  if (typeof value !== 'string') throw raise(`Cannot use ${jqType(value)} (${shorten(value)}) as object key`);
  return value;
}
