import { type Budget, completeBudget } from './budget.ts';
import { builtins } from './builtins/builtins.ts';
import { JqBudgetError, JqRuntimeError } from './errors.ts';
import { Compiler } from './evaluate/compiler.ts';
import type { Filter } from './evaluate/filter.ts';
import { forms } from './evaluate/forms.ts';
import { resolveNames } from './evaluate/resolve.ts';
import { checkResult } from './evaluate/result.ts';
import { Exit, Raised, Run, type Scope } from './evaluate/run.ts';
import { bindCell, type StaticScope } from './evaluate/static-scope.ts';
import { LruCache } from './lru-cache.ts';
import { linearRegexEngine } from './regex/linear-engine.ts';
import type { RegexEngine } from './regex/regex-engine.ts';
import type { Expression } from './syntax/ast.ts';
import { parse } from './syntax/parser.ts';
import { shorten } from './value/stringify.ts';
import type { JqValue } from './value/value.ts';

export interface CompileOptions {
  /** Names (without `$`) that the program may use and every evaluation must supply. */
  readonly variables?: readonly string[];
  /** Limits of parsing, and the defaults of every evaluation. */
  readonly budget?: Partial<Budget>;
  /**
   * Runs the patterns of `test`, `sub` and the other regular expression builtins. Default: RE2 alone, which refuses
   * lookarounds.
   */
  readonly regex?: RegexEngine;
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, JqValue>>;
  /** Replaces single fields of the program's own budget. */
  readonly budget?: Partial<Budget>;
  /** The value of `now`; default the clock at the start of the evaluation. */
  readonly now?: Date;
}

/**
 * A compiled program. It holds no state between evaluations and can be reused. All ways to run it throw {@link
 * JqRuntimeError} for an uncaught error of the program, {@link JqBudgetError} for an exceeded limit and {@link
 * JqRefusedError} for a refused regular expression. Inputs must be JSON values and are never changed; results may share
 * structure with them.
 */
export interface Program {
  readonly source: string;
  /** The syntax tree, with positions in `source`. */
  readonly expression: Expression;
  /** All outputs. */
  run(input: JqValue, options?: RunOptions): JqValue[];
  /** The first output; undefined if there is none. The rest is not computed. */
  first(input: JqValue, options?: RunOptions): JqValue | undefined;
  /** Passes outputs to `visit` one at a time until it returns `false` or there are no more. */
  each(input: JqValue, visit: (output: JqValue) => unknown, options?: RunOptions): void;
}

const cacheSize = 1_000;
const cache = new LruCache<string, Program>(cacheSize);

/**
 * Parses and compiles a program; the last 1,000 are cached. Throws {@link JqSyntaxError} with the place of the problem,
 * {@link JqRefusedError} and {@link JqBudgetError} ("sourceLength", "nesting").
 */
export function compile(source: string, options: CompileOptions = {}): Program {
  const isPlain = options.variables === undefined && options.budget === undefined && options.regex === undefined;
  if (!isPlain) return cachedWithOptions(source, options);
  let program = cache.get(source);
  if (program === undefined) {
    program = compileUncached(source, options);
    cache.set(source, program);
  }
  return program;
}

/** Programs with options are cached per engine, keyed by all other options. */
const cachesByEngine = new WeakMap<RegexEngine, LruCache<string, Program>>();

function cachedWithOptions(source: string, options: CompileOptions): Program {
  const engine = options.regex ?? linearRegexEngine;
  let programs = cachesByEngine.get(engine);
  if (programs === undefined) {
    programs = new LruCache(cacheSize);
    cachesByEngine.set(engine, programs);
  }
  const key = JSON.stringify([source, options.variables ?? [], options.budget ?? {}]);
  let program = programs.get(key);
  if (program === undefined) {
    program = compileUncached(source, options);
    programs.set(key, program);
  }
  return program;
}

function compileUncached(source: string, options: CompileOptions): Program {
  const budget = completeBudget(options.budget);
  const expression = parse(source, budget);
  const variables = options.variables ?? [];
  let scope: StaticScope | null = null;
  for (const name of variables) scope = bindCell(scope, 'variable', name);
  let filter: Filter;
  try {
    resolveNames(source, expression, variables);
    filter = new Compiler(forms, builtins).filter(expression, scope);
  } catch (error) {
    throw stackEnded(error, 'nesting');
  }
  return new CompiledProgram(source, expression, filter, variables, budget, options.regex ?? linearRegexEngine);
}

class CompiledProgram implements Program {
  readonly source: string;
  readonly expression: Expression;
  private readonly filter: Filter;
  private readonly isSingle: boolean;
  private readonly variables: readonly string[];
  private readonly budget: Budget;
  private readonly regex: RegexEngine;

  constructor(
    source: string,
    expression: Expression,
    filter: Filter,
    variables: readonly string[],
    budget: Budget,
    regex: RegexEngine,
  ) {
    this.source = source;
    this.expression = expression;
    this.filter = filter;
    this.isSingle = filter.isSingle;
    this.variables = variables;
    this.budget = budget;
    this.regex = regex;
  }

  run(input: JqValue, options?: RunOptions): JqValue[] {
    if (this.isSingle) return [this.single(input, options)];
    const outputs: JqValue[] = [];
    this.each(input, (output) => void outputs.push(output), options);
    return outputs;
  }

  first(input: JqValue, options?: RunOptions): JqValue | undefined {
    if (this.isSingle) return this.single(input, options);
    let first: JqValue | undefined;
    this.each(
      input,
      (output) => {
        first = output;
        return false;
      },
      options,
    );
    return first;
  }

  each(input: JqValue, visit: (output: JqValue) => unknown, options?: RunOptions): void {
    const run = this.begin(options);
    const exit = new Exit();
    let count = 0;
    try {
      this.filter.each(run, this.scopeOf(options), input, (output) => {
        if (++count > run.budget.outputsMax) throw new JqBudgetError('outputs', run.budget.outputsMax);
        run.step();
        checkResult(run, output);
        if (visit(output) === false) throw exit;
      });
    } catch (error) {
      if (error !== exit) throw publicError(error);
    }
  }

  private single(input: JqValue, options: RunOptions | undefined): JqValue {
    const run = this.begin(options);
    try {
      const output = this.filter.single(run, this.scopeOf(options), input);
      checkResult(run, output);
      return output;
    } catch (error) {
      throw publicError(error);
    }
  }

  private begin(options: RunOptions | undefined): Run {
    const budget = options?.budget === undefined ? this.budget : { ...this.budget, ...options.budget };
    return new Run(budget, this.regex, options?.now);
  }

  private scopeOf(options: RunOptions | undefined): Scope | null {
    let scope: Scope | null = null;
    for (const name of this.variables) {
      const value = options?.variables?.[name];
      if (value === undefined) throw new TypeError(`no value given for $${name}`);
      scope = { value, parent: scope };
    }
    return scope;
  }
}

/** Converts errors for callers: a JavaScript stack overflow becomes a budget error. */
function publicError(error: unknown): unknown {
  if (error instanceof Raised) {
    const { value } = error;
    return new JqRuntimeError(typeof value === 'string' ? value : `(not a string): ${shorten(value, 1_000)}`, value);
  }
  return stackEnded(error, 'depth');
}

function stackEnded(error: unknown, limit: 'depth' | 'nesting'): unknown {
  if (!(error instanceof RangeError)) return error;
  if (error.message.includes('call stack')) return new JqBudgetError(limit);
  if (error.message.includes('string length')) return new JqBudgetError('stringLength');
  if (error.message.includes('array length')) return new JqBudgetError('arrayLength');
  return error;
}
