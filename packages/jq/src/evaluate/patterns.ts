import type { Pattern } from '../syntax/ast.ts';
import { getValue } from '../value/access.ts';
import { type JqValue, jqType } from '../value/value.ts';
import type { Compiler } from './compiler.ts';
import { guarded } from './forms-errors.ts';
import { raise } from './raise.ts';
import type { Run, Scope } from './run.ts';
import { bindCell, type StaticScope } from './static-scope.ts';

/** Destructures a value and calls `then` with the scope of its parts, once for each possible key. */
type Binder = (run: Run, base: Scope | null, cells: Scope | null, value: JqValue, then: (cells: Scope) => void) => void;

interface CompiledPatterns {
  /** The scope the body is compiled in. */
  readonly bodyScope: StaticScope;
  /** True if binding only pushes one cell. */
  readonly isPlain: boolean;
  readonly bind: (run: Run, cells: Scope | null, value: JqValue, body: (cells: Scope) => void) => void;
}

/** The variables of a pattern in binding order; later ones hide earlier ones with the same name. */
export function patternVariables(pattern: Pattern): string[] {
  switch (pattern.kind) {
    case 'variable':
      return [pattern.name];
    case 'array':
      return pattern.items.flatMap(patternVariables);
    case 'object':
      return pattern.entries.flatMap(({ variable, value }) => [
        ...(variable === null ? [] : [variable]),
        ...(value === null ? [] : patternVariables(value)),
      ]);
  }
}

export function compilePatterns(
  compiler: Compiler,
  patterns: readonly Pattern[],
  scope: StaticScope | null,
): CompiledPatterns {
  const [first] = patterns;
  if (patterns.length === 1 && first!.kind === 'variable') {
    return {
      bodyScope: bindCell(scope, 'variable', first!.name),
      isPlain: true,
      bind: (_run, cells, value, body) => body({ value, parent: cells }),
    };
  }
  if (patterns.length === 1) {
    const bind = toBinder(compiler, first!, scope);
    return {
      bodyScope: bindNames(scope, patternVariables(first!)),
      isPlain: false,
      bind: (run, cells, value, body) => bind(run, cells, cells, value, body),
    };
  }
  return alternatives(compiler, patterns, scope);
}

function bindNames(scope: StaticScope | null, names: readonly string[]): StaticScope {
  let inner = scope;
  for (const name of names) inner = bindCell(inner, 'variable', name);
  return inner as StaticScope;
}

function toBinder(compiler: Compiler, pattern: Pattern, scope: StaticScope | null): Binder {
  switch (pattern.kind) {
    case 'variable':
      return (_run, _base, cells, value, then) => then({ value, parent: cells });
    case 'array':
      return chained(
        pattern.items.map((item, at) => {
          const bind = toBinder(compiler, item, scope);
          return (run, base, cells, value, then) => bind(run, base, cells, getValue(run, value, at), then);
        }),
      );
    case 'object':
      return chained(pattern.entries.map((entry) => entryBinder(compiler, entry, scope)));
  }
}

function entryBinder(
  compiler: Compiler,
  entry: Extract<Pattern, { kind: 'object' }>['entries'][number],
  scope: StaticScope | null,
): Binder {
  const key = compiler.each(entry.key, scope);
  const inner = entry.value === null ? undefined : toBinder(compiler, entry.value, scope);
  return (run, base, cells, value, then) => {
    key(run, base, value, (name) => {
      run.step();
      if (typeof name !== 'string') throw raise(`Cannot index ${jqType(value)} with ${jqType(name)}`);
      const part = getValue(run, value, name);
      const bound = entry.variable === null ? cells : { value: part, parent: cells };
      if (inner === undefined) then(bound as Scope);
      else inner(run, base, bound, part, then);
    });
  };
}

function chained(binders: readonly Binder[]): Binder {
  return (run, base, cells, value, then) => {
    const next = (at: number, inner: Scope | null): void => {
      if (at === binders.length) then(inner as Scope);
      else binders[at]!(run, base, inner, value, (more) => next(at + 1, more));
    };
    next(0, cells);
  };
}

/**
 * `p1 ?// p2`: every pattern binds the variables of all (null if it lacks one). An error while destructuring or in the
 * body tries the next pattern; an error of the last propagates (manual, "Destructuring Alternative").
 */
function alternatives(compiler: Compiler, patterns: readonly Pattern[], scope: StaticScope | null): CompiledPatterns {
  const names = [...new Set(patterns.flatMap(patternVariables))];
  const binders = patterns.map((pattern) => ({
    bind: toBinder(compiler, pattern, scope),
    own: patternVariables(pattern),
  }));
  const bindOne = (at: number, run: Run, cells: Scope | null, value: JqValue, body: (cells: Scope) => void): void => {
    const { bind, own } = binders[at]!;
    bind(run, cells, cells, value, (bound) => {
      const parts = new Map<string, unknown>();
      let cell: Scope = bound;
      for (let index = own.length - 1; index >= 0; index--) {
        if (!parts.has(own[index]!)) parts.set(own[index]!, cell.value);
        cell = cell.parent as Scope;
      }
      let inner = cells;
      for (const name of names) inner = { value: parts.get(name) ?? null, parent: inner };
      body(inner as Scope);
    });
  };
  const attempt = (at: number, run: Run, cells: Scope | null, value: JqValue, body: (cells: Scope) => void): void => {
    if (at === binders.length - 1) return bindOne(at, run, cells, value, body);
    guarded(
      run,
      (_offer: () => void) => bindOne(at, run, cells, value, body),
      () => {},
      () => attempt(at + 1, run, cells, value, body),
    );
  };
  return {
    bodyScope: bindNames(scope, names),
    isPlain: false,
    bind: (run, cells, value, body) => attempt(0, run, cells, value, body),
  };
}
