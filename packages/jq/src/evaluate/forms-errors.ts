import type { ExpressionOf, TryExpression } from '../syntax/ast.ts';
import type { JqValue } from '../value/value.ts';
import type { NodeForms } from './compiler.ts';
import { eachOptionalStep, isStep, notSingle, pathOptionalStep } from './forms-access.ts';
import { Exit, Raised, type Run } from './run.ts';
import { bindCell, cellReader, findLabel, scopeDepth } from './static-scope.ts';

/**
 * Runs `produce` and passes its values to `receive`, and an error of `produce` itself to `recover`. Errors raised
 * downstream (inside `receive`) pass through: since jq 1.7 `try` guards only its body.
 */
export function guarded<A extends unknown[]>(
  run: Run,
  produce: (emit: (...item: A) => void) => void,
  receive: (...item: A) => void,
  recover: (error: JqValue) => void,
): void {
  const depth = run.depthNow;
  let isDownstream = false;
  try {
    produce((...item) => {
      isDownstream = true;
      receive(...item);
      isDownstream = false;
    });
  } catch (error) {
    if (isDownstream || !(error instanceof Raised)) throw error;
    run.depthNow = depth;
    recover(error.value);
  }
}

export const attempt: NodeForms<TryExpression> = {
  isSingle: (compiler, node, scope) =>
    node.handler !== null && compiler.isSingle(node.body, scope) && compiler.isSingle(node.handler, scope),
  single: (compiler, node, scope) => {
    const body = compiler.single(node.body, scope);
    const handler = compiler.single(node.handler!, scope);
    return (run, cells, input) => {
      const depth = run.depthNow;
      try {
        return body(run, cells, input);
      } catch (error) {
        if (!(error instanceof Raised)) throw error;
        run.depthNow = depth;
        return handler(run, cells, error.value);
      }
    };
  },
  each: (compiler, node, scope) => {
    if (node.form === 'suffix' && isStep(node.body)) return eachOptionalStep(compiler, node.body, scope);
    const handler = node.handler === null ? undefined : compiler.each(node.handler, scope);
    if (compiler.isSingle(node.body, scope)) {
      const body = compiler.single(node.body, scope);
      return (run, cells, input, emit) => {
        const depth = run.depthNow;
        let value: JqValue;
        try {
          value = body(run, cells, input);
        } catch (error) {
          if (!(error instanceof Raised)) throw error;
          run.depthNow = depth;
          handler?.(run, cells, error.value, emit);
          return;
        }
        emit(value);
      };
    }
    const body = compiler.each(node.body, scope);
    return (run, cells, input, emit) =>
      guarded(
        run,
        (offer: (value: JqValue) => void) => body(run, cells, input, offer),
        emit,
        (error) => handler?.(run, cells, error, emit),
      );
  },
  path: (compiler, node, scope) => {
    if (node.form === 'suffix' && isStep(node.body)) return pathOptionalStep(compiler, node.body, scope);
    const body = compiler.path(node.body, scope);
    const handler = node.handler === null ? undefined : compiler.path(node.handler, scope);
    return (run, cells, path, input, emit) =>
      guarded(
        run,
        (offer: typeof emit) => body(run, cells, path, input, offer),
        emit,
        (error) => handler?.(run, cells, null, error, emit),
      );
  },
};

export const label: NodeForms<ExpressionOf<'label'>> = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const body = compiler.each(node.body, bindCell(scope, 'label', node.name));
    return (run, cells, input, emit) =>
      untilExit(run, (exit) => body(run, { value: exit, parent: cells }, input, emit));
  },
  path: (compiler, node, scope) => {
    const body = compiler.path(node.body, bindCell(scope, 'label', node.name));
    return (run, cells, path, input, emit) =>
      untilExit(run, (exit) => body(run, { value: exit, parent: cells }, path, input, emit));
  },
};

/** Runs `body` until it ends or throws the exit it was given. */
export function untilExit(run: Run, body: (exit: Exit) => void): void {
  const exit = new Exit();
  const depth = run.depthNow;
  try {
    body(exit);
  } catch (error) {
    if (error !== exit) throw error;
    run.depthNow = depth;
  }
}

export const leave: NodeForms<ExpressionOf<'break'>> = {
  isSingle: () => false,
  single: notSingle,
  each: (_compiler, node, scope) => {
    const read = cellReader(scopeDepth(scope), (findLabel(scope, node.name) as { cell: number }).cell);
    return (_run, cells) => {
      throw read(cells);
    };
  },
};
