import type { Expression, ExpressionKind, ExpressionOf, FunctionDefinition } from '../syntax/ast.ts';
import type { JqValue } from '../value/value.ts';
import { type Done, type Each, type EachPath, type Filter, type Single, tailMark } from './filter.ts';
import type { Run, Scope } from './run.ts';
import { bindCell, bindFunction, type CompiledFunction, type StaticScope, scopeDepth } from './static-scope.ts';

type TailSingle = Filter['singleTail'];

/** How one kind of expression is compiled. `isTail` allows the result to return the tail mark. */
export interface NodeForms<N> {
  /** True only if the expression always gives exactly one value or raises. */
  isSingle(compiler: Compiler, node: N, scope: StaticScope | null): boolean;
  /** Called only if `isSingle` is true. */
  single(compiler: Compiler, node: N, scope: StaticScope | null, isTail: boolean): Single | TailSingle;
  /** Called only if `isSingle` is false. */
  each(compiler: Compiler, node: N, scope: StaticScope | null, isTail: boolean): Each;
  /** Absent for expressions whose values are never places in the input. */
  path?(compiler: Compiler, node: N, scope: StaticScope | null): EachPath;
}

export type FormTable = { readonly [K in ExpressionKind]: NodeForms<ExpressionOf<K>> };

/** The predefined functions: forms written in TypeScript, and a prelude written in jq. */
export interface BuiltinSource {
  forms(name: string, arity: number): NodeForms<ExpressionOf<'call'>> | undefined;
  prelude(name: string, arity: number): FunctionDefinition | undefined;
}

/** Compiles syntax to closures. One compiler serves one program; nothing in it changes while a program runs. */
export class Compiler {
  private readonly table: FormTable;
  private readonly builtins: BuiltinSource;
  private readonly singles = new Map<Expression, boolean>();
  private readonly definitions = new Map<FunctionDefinition, StaticScope>();
  private readonly preludeFunctions = new Map<FunctionDefinition, CompiledFunction>();
  private readonly functionSingles = new Map<CompiledFunction, boolean>();
  private readonly pendingFunctions: CompiledFunction[] = [];

  constructor(table: FormTable, builtins: BuiltinSource) {
    this.table = table;
    this.builtins = builtins;
  }

  /** The forms of a builtin; it exists, since names are already resolved. */
  builtin(node: ExpressionOf<'call'>): NodeForms<ExpressionOf<'call'>> {
    return this.builtins.forms(node.name, node.args.length)!;
  }

  preludeFunction(name: string, arity: number): CompiledFunction | undefined {
    const definition = this.builtins.prelude(name, arity);
    if (definition === undefined) return undefined;
    let target = this.preludeFunctions.get(definition);
    if (target === undefined) {
      target = this.compiledFunction(definition, null);
      this.preludeFunctions.set(definition, target);
    }
    return target;
  }

  /** The scope of the body of a `def` expression. */
  defined(node: ExpressionOf<'define'>, scope: StaticScope | null): StaticScope {
    const { definition } = node;
    let inner = this.definitions.get(definition);
    if (inner === undefined) {
      const target = this.compiledFunction(definition, scope);
      inner = bindFunction(scope, definition.name, definition.parameters.length, target);
      this.definitions.set(definition, inner);
    }
    return inner;
  }

  private compiledFunction(definition: FunctionDefinition, scope: StaticScope | null): CompiledFunction {
    const compiler = this;
    let body: Filter | undefined;
    const target: CompiledFunction = {
      definition,
      depth: scopeDepth(scope),
      get body() {
        body ??= compiler.filter(definition.body, compiler.bodyScope(target, scope));
        return body;
      },
    };
    this.homes.set(target, scope);
    return target;
  }

  private readonly homes = new Map<CompiledFunction, StaticScope | null>();

  private bodyScope(target: CompiledFunction, home: StaticScope | null): StaticScope | null {
    const { name, parameters } = target.definition;
    let scope: StaticScope | null = bindFunction(home, name, parameters.length, target);
    for (const parameter of parameters) {
      scope = bindCell(scope, parameter.isValue ? 'value-parameter' : 'closure', parameter.name);
    }
    return scope;
  }

  /**
   * Whether every call gives exactly one value. A function may assume it of its own recursive calls (it then gives one
   * value or never ends); calls of other functions that are still being analysed count as giving many.
   */
  isFunctionSingle(target: CompiledFunction): boolean {
    const known = this.functionSingles.get(target);
    if (known !== undefined) return known;
    if (this.pendingFunctions.includes(target)) return this.pendingFunctions.at(-1) === target;
    const settledBefore = this.singles.size;
    this.pendingFunctions.push(target);
    const answer = this.isSingle(target.definition.body, this.bodyScope(target, this.homes.get(target) ?? null));
    this.pendingFunctions.pop();
    if (!answer) {
      // The conclusions under this assumption are void.
      for (const node of [...this.singles.keys()].slice(settledBefore)) this.singles.delete(node);
    }
    this.functionSingles.set(target, answer);
    return answer;
  }

  isSingle(node: Expression, scope: StaticScope | null): boolean {
    const known = this.singles.get(node);
    if (known !== undefined) return known;
    const answer = this.formsOf(node).isSingle(this, node, scope);
    this.singles.set(node, answer);
    return answer;
  }

  single(node: Expression, scope: StaticScope | null): Single {
    return this.formsOf(node).single(this, node, scope, false) as Single;
  }

  singleTail(node: Expression, scope: StaticScope | null): TailSingle {
    return this.formsOf(node).single(this, node, scope, true);
  }

  each(node: Expression, scope: StaticScope | null, isTail = false): Each {
    if (!this.isSingle(node, scope)) return this.formsOf(node).each(this, node, scope, isTail);
    if (isTail) {
      const single = this.singleTail(node, scope);
      return (run, cells, input, emit) => {
        const value = single(run, cells, input);
        if (value === tailMark) return tailMark;
        emit(value as JqValue);
        return undefined;
      };
    }
    const single = this.single(node, scope);
    return (run, cells, input, emit) => emit(single(run, cells, input));
  }

  path(node: Expression, scope: StaticScope | null): EachPath {
    const forms = this.formsOf(node);
    if (forms.path !== undefined) return forms.path(this, node, scope);
    return this.pathOfValue(node, scope);
  }

  /** The path form of an expression that only computes values. */
  pathOfValue(node: Expression, scope: StaticScope | null): EachPath {
    return pathOfValues(this.each(node, scope));
  }

  filter(node: Expression, scope: StaticScope | null): Filter {
    return new LazyFilter(this, node, scope);
  }

  private formsOf(node: Expression): NodeForms<Expression> {
    return this.table[node.kind] as unknown as NodeForms<Expression>;
  }
}

/**
 * The path form of something that computes values: they have no place, unless the input itself is returned, which jq
 * accepts as unchanged (it compares identity).
 */
function pathOfValues(each: Each): EachPath {
  return (run, cells, path, input, emit) => {
    each(run, cells, input, (value) => emit(isSamePlace(value, input) ? path : null, value));
  };
}

function isSamePlace(value: JqValue, input: JqValue): boolean {
  return value === input && typeof value !== 'string' && typeof value !== 'number';
}

class LazyFilter implements Filter {
  private readonly compiler: Compiler;
  private readonly node: Expression;
  private readonly scope: StaticScope | null;
  private singleForm: Single | undefined;
  private singleTailForm: TailSingle | undefined;
  private eachForm: Each | undefined;
  private eachTailForm: Each | undefined;
  private pathForm: EachPath | undefined;

  constructor(compiler: Compiler, node: Expression, scope: StaticScope | null) {
    this.compiler = compiler;
    this.node = node;
    this.scope = scope;
  }

  get isSingle(): boolean {
    return this.compiler.isSingle(this.node, this.scope);
  }

  single(run: Run, cells: Scope | null, input: JqValue): JqValue {
    this.singleForm ??= this.compiler.single(this.node, this.scope);
    return this.singleForm(run, cells, input);
  }

  singleTail(run: Run, cells: Scope | null, input: JqValue): JqValue | typeof tailMark {
    this.singleTailForm ??= this.compiler.singleTail(this.node, this.scope);
    return this.singleTailForm(run, cells, input);
  }

  each(run: Run, cells: Scope | null, input: JqValue, emit: (value: JqValue) => void): Done | typeof tailMark {
    this.eachForm ??= this.compiler.each(this.node, this.scope);
    return this.eachForm(run, cells, input, emit);
  }

  eachTail(run: Run, cells: Scope | null, input: JqValue, emit: (value: JqValue) => void): Done | typeof tailMark {
    this.eachTailForm ??= this.compiler.each(this.node, this.scope, true);
    return this.eachTailForm(run, cells, input, emit);
  }

  path(
    run: Run,
    cells: Scope | null,
    path: Parameters<EachPath>[2],
    input: JqValue,
    emit: Parameters<EachPath>[4],
  ): void {
    this.pathForm ??= this.compiler.path(this.node, this.scope);
    this.pathForm(run, cells, path, input, emit);
  }
}
