import type { BindExpression, ExpressionOf } from '../syntax/ast.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, Filter } from './filter.ts';
import { finish } from './forms-flow.ts';
import { compilePatterns } from './patterns.ts';
import type { StaticScope } from './static-scope.ts';

export const bind: NodeForms<BindExpression> = {
  isSingle: (compiler, node, scope) => {
    if (node.patterns.length > 1 || node.patterns[0]!.kind !== 'variable') return false;
    if (!compiler.isSingle(node.source, scope)) return false;
    return compiler.isSingle(node.body, compilePatterns(compiler, node.patterns, scope).bodyScope);
  },
  single: (compiler, node, scope, isTail): Filter['singleTail'] => {
    const { bodyScope } = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.single(node.source, scope);
    const body = isTail ? compiler.singleTail(node.body, bodyScope) : compiler.single(node.body, bodyScope);
    return (run, cells, input) => body(run, { value: source(run, cells, input), parent: cells }, input);
  },
  each: (compiler, node, scope, isTail) => eachBound(compiler, node, scope, isTail),
  path: (compiler, node, scope) => {
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const body = compiler.path(node.body, patterns.bodyScope);
    return (run, cells, path, input, emit) => {
      source(run, cells, input, (value) => {
        run.step();
        patterns.bind(run, cells, value, (inner) => body(run, inner, path, input, emit));
      });
    };
  },
};

function eachBound(compiler: Compiler, node: BindExpression, scope: StaticScope | null, isTail: boolean): Each {
  const patterns = compilePatterns(compiler, node.patterns, scope);
  if (patterns.isPlain && compiler.isSingle(node.source, scope)) {
    const source = compiler.single(node.source, scope);
    const body = compiler.each(node.body, patterns.bodyScope, isTail);
    return (run, cells, input, emit) => body(run, { value: source(run, cells, input), parent: cells }, input, emit);
  }
  const source = compiler.each(node.source, scope);
  const body = compiler.each(node.body, patterns.bodyScope, isTail);
  return (run, cells, input, emit) =>
    source(run, cells, input, (value) => {
      run.step();
      patterns.bind(run, cells, value, (inner) => finish(run, body(run, inner, input, emit), emit));
    });
}

export const define: NodeForms<ExpressionOf<'define'>> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.body, compiler.defined(node, scope)),
  single: (compiler, node, scope, isTail) => {
    const inner = compiler.defined(node, scope);
    return isTail ? compiler.singleTail(node.body, inner) : compiler.single(node.body, inner);
  },
  each: (compiler, node, scope, isTail) => compiler.each(node.body, compiler.defined(node, scope), isTail),
  path: (compiler, node, scope) => compiler.path(node.body, compiler.defined(node, scope)),
};
