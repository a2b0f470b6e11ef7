import type { Expression, ExpressionOf, IndexExpression, SliceExpression } from '../syntax/ast.ts';
import { getField, getSlice, getValue, listChildren } from '../value/access.ts';
import { isInheritedName, listKeys } from '../value/object.ts';
import { extendPath, type PathNode } from '../value/path.ts';
import { shorten } from '../value/stringify.ts';
import { isObject, type JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, EachPath, Emit, EmitPath, Single } from './filter.ts';
import { raise } from './raise.ts';
import { Raised, type Run } from './run.ts';
import type { StaticScope } from './static-scope.ts';

/** The key if it is a literal text or number, else undefined. */
function constantKey(key: Expression): string | number | undefined {
  if (key.kind === 'literal' && typeof key.value === 'number') return key.value;
  if (key.kind !== 'string') return undefined;
  if (key.parts.length === 0) return '';
  const [only] = key.parts;
  return key.parts.length === 1 && typeof only === 'string' ? only : undefined;
}

/** A reader for one constant key; the common case is one property load. */
function constantReader(key: string | number): (run: Run, target: JqValue) => JqValue {
  if (typeof key === 'string' && !isInheritedName(key)) return (_run, target) => getField(target, key);
  return (run, target) => getValue(run, target, key);
}

export const index: NodeForms<IndexExpression> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.target, scope) && compiler.isSingle(node.key, scope),
  single: (compiler, node, scope) => {
    const key = constantKey(node.key);
    if (key !== undefined) {
      if (typeof key === 'string' && !isInheritedName(key)) return fieldSingle(compiler, node.target, scope, key);
      const read = constantReader(key);
      const target = compiler.single(node.target, scope);
      return (run, cells, input) => read(run, target(run, cells, input));
    }
    const target = compiler.single(node.target, scope);
    const computed = compiler.single(node.key, scope);
    return (run, cells, input) => {
      const name = computed(run, cells, input);
      return getValue(run, target(run, cells, input), name);
    };
  },
  each: (compiler, node, scope) => {
    const target = compiler.each(node.target, scope);
    const key = constantKey(node.key);
    if (key !== undefined) {
      const read = constantReader(key);
      return (run, cells, input, emit) => target(run, cells, input, (value) => emit(read(run, value)));
    }
    const computed = compiler.each(node.key, scope);
    return (run, cells, input, emit) =>
      computed(run, cells, input, (name) => {
        target(run, cells, input, (value) => emit(getValue(run, value, name)));
      });
  },
  path: (compiler, node, scope) => {
    const target = compiler.path(node.target, scope);
    const key = compiler.each(node.key, scope);
    return (run, cells, path, input, emit) => {
      key(run, cells, input, (name) => {
        target(run, cells, path, input, (at, value) => {
          const place = requirePlace(at, value, `access element ${shorten(name)} of`);
          emit(extendPath(place, name), getValue(run, value, name));
        });
      });
    };
  },
};

function fieldSingle(compiler: Compiler, target: Expression, scope: StaticScope | null, name: string): Single {
  if (target.kind === 'identity') return (_run, _cells, input) => getField(input, name);
  const read = compiler.single(target, scope);
  return (run, cells, input) => getField(read(run, cells, input), name);
}

/** Paths can only continue from places in the input; anything else raises jq's message. */
export function requirePlace(path: PathNode | null, value: JqValue, attempt: string): PathNode {
  if (path !== null) return path;
  throw raise(`Invalid path expression near attempt to ${attempt} ${shorten(value, 29)}`);
}

export const slice: NodeForms<SliceExpression> = {
  isSingle: (compiler, node, scope) =>
    compiler.isSingle(node.target, scope) &&
    (node.from === null || compiler.isSingle(node.from, scope)) &&
    (node.to === null || compiler.isSingle(node.to, scope)),
  single: (compiler, node, scope) => {
    const target = compiler.single(node.target, scope);
    const from = node.from === null ? nothing : compiler.single(node.from, scope);
    const to = node.to === null ? nothing : compiler.single(node.to, scope);
    return (run, cells, input) => {
      const bounds = { from: from(run, cells, input), to: to(run, cells, input) };
      return getSlice(run, target(run, cells, input), bounds);
    };
  },
  each: (compiler, node, scope) => {
    const target = compiler.each(node.target, scope);
    const bounds = eachBounds(compiler, node, scope);
    return (run, cells, input, emit) =>
      bounds(run, cells, input, (key) => {
        target(run, cells, input, (value) => emit(getValue(run, value, key)));
      });
  },
  path: (compiler, node, scope) => {
    const target = compiler.path(node.target, scope);
    const bounds = eachBounds(compiler, node, scope);
    return (run, cells, path, input, emit) => {
      bounds(run, cells, input, (key) => {
        target(run, cells, path, input, (at, value) => {
          const place = requirePlace(at, value, `access element ${shorten(key)} of`);
          emit(extendPath(place, key), getValue(run, value, key));
        });
      });
    };
  },
};

const nothing: Single = () => null;

/** Every pair of bounds, as the key of a slice in a path: `{"start": …, "end": …}`. */
function eachBounds(compiler: Compiler, node: SliceExpression, scope: StaticScope | null): Each {
  const nothingEach: Each = (_run, _cells, _input, emit) => emit(null);
  const from = node.from === null ? nothingEach : compiler.each(node.from, scope);
  const to = node.to === null ? nothingEach : compiler.each(node.to, scope);
  return (run, cells, input, emit) =>
    from(run, cells, input, (start) => {
      to(run, cells, input, (end) => emit({ start, end }));
    });
}

export const iterate: NodeForms<ExpressionOf<'iterate'>> = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    if (compiler.isSingle(node.target, scope)) {
      const target = compiler.single(node.target, scope);
      return (run, cells, input, emit) => emitChildren(run, target(run, cells, input), emit);
    }
    const target = compiler.each(node.target, scope);
    return (run, cells, input, emit) => target(run, cells, input, (value) => emitChildren(run, value, emit));
  },
  path: (compiler, node, scope) => {
    const target = compiler.path(node.target, scope);
    return (run, cells, path, input, emit) => {
      target(run, cells, path, input, (at, value) => {
        emitChildPaths(run, requirePlace(at, value, 'iterate through'), value, emit);
      });
    };
  },
};

export function notSingle(): never {
  throw new Error('an expression with many values has no form for one');
}

export function emitChildren(run: Run, value: JqValue, emit: Emit): void {
  for (const child of listChildren(value)) {
    run.step();
    emit(child);
  }
}

function emitChildPaths(run: Run, path: PathNode, value: JqValue, emit: EmitPath): void {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      run.step();
      emit(extendPath(path, at), value[at]!);
    }
  } else if (isObject(value)) {
    for (const key of listKeys(value)) {
      run.step();
      emit(extendPath(path, key), value[key]!);
    }
  } else listChildren(value);
}

/**
 * `.a?`, `.[k]?` and `.[]?`: the mark guards that one step only, so `.a.b?` still fails where `.a` does (jq's grammar
 * attaches it to the step; behind anything else it is a `try`).
 */
export function eachOptionalStep(compiler: Compiler, node: StepExpression, scope: StaticScope | null): Each {
  const target = compiler.each(node.target, scope);
  if (node.kind === 'iterate') {
    return (run, cells, input, emit) =>
      target(run, cells, input, (value) => {
        if (typeof value === 'object' && value !== null) emitChildren(run, value, emit);
      });
  }
  const key = node.kind === 'slice' ? eachBounds(compiler, node, scope) : compiler.each(node.key, scope);
  return (run, cells, input, emit) =>
    key(run, cells, input, (name) => {
      target(run, cells, input, (value) => {
        const step = getOptional(run, value, name);
        if (step !== undefined) emit(step);
      });
    });
}

export function pathOptionalStep(compiler: Compiler, node: StepExpression, scope: StaticScope | null): EachPath {
  const target = compiler.path(node.target, scope);
  if (node.kind === 'iterate') {
    return (run, cells, path, input, emit) =>
      target(run, cells, path, input, (at, value) => {
        const place = requirePlace(at, value, 'iterate through');
        if (typeof value === 'object' && value !== null) emitChildPaths(run, place, value, emit);
      });
  }
  const key = node.kind === 'slice' ? eachBounds(compiler, node, scope) : compiler.each(node.key, scope);
  return (run, cells, path, input, emit) => {
    key(run, cells, input, (name) => {
      target(run, cells, path, input, (at, value) => {
        const place = requirePlace(at, value, `access element ${shorten(name)} of`);
        const step = getOptional(run, value, name);
        if (step !== undefined) emit(extendPath(place, name), step);
      });
    });
  };
}

export type StepExpression = IndexExpression | SliceExpression | ExpressionOf<'iterate'>;

export function isStep(node: Expression): node is StepExpression {
  return node.kind === 'index' || node.kind === 'slice' || node.kind === 'iterate';
}

/** The value at a key; undefined if reading it would raise an error. */
function getOptional(run: Run, value: JqValue, key: JqValue): JqValue | undefined {
  try {
    return getValue(run, value, key);
  } catch (error) {
    if (error instanceof Raised) return undefined;
    throw error;
  }
}

/** `..`: the value and all nested values, parents first. Uses its own stack, so that documents may be deep. */
export const eachDescendant: Each = (run, _cells, input, emit) => {
  const pending: JqValue[] = [input];
  while (pending.length > 0) {
    const value = pending.pop()!;
    run.step();
    emit(value);
    if (typeof value !== 'object' || value === null) continue;
    const children = listChildren(value);
    run.spend(children.length);
    for (let at = children.length - 1; at >= 0; at--) pending.push(children[at]!);
  }
};

export const eachDescendantPath: EachPath = (run, _cells, path, input, emit) => {
  const pending: { at: PathNode | null; value: JqValue }[] = [{ at: path, value: input }];
  while (pending.length > 0) {
    const { at, value } = pending.pop()!;
    run.step();
    emit(at, value);
    if (typeof value !== 'object' || value === null) continue;
    const children: { at: PathNode | null; value: JqValue }[] = [];
    const place = requirePlace(at, value, 'iterate through');
    emitChildPaths(run, place, value, (childPath, child) => children.push({ at: childPath, value: child }));
    while (children.length > 0) pending.push(children.pop()!);
  }
};

export const recurse: NodeForms<ExpressionOf<'recurse'>> = {
  isSingle: () => false,
  single: notSingle,
  each: () => eachDescendant,
  path: () => eachDescendantPath,
};
