import type { Expression, FunctionDefinition, Pattern } from '../syntax/ast.ts';
import { constantKey } from '../syntax/constant-key.ts';
import { isInputFree } from '../syntax/input-free.ts';
import { childrenOfExpression } from '../syntax/visit.ts';
import {
  type AbstractValue,
  anyElement,
  built,
  childValue,
  countSources,
  fresh,
  isSameValue,
  join,
  joinAll,
  looseValue,
  widened,
} from './abstract-value.ts';
import { builtinModels } from './builtin-models.ts';
import { lookup, type Names } from './names.ts';
import { anyOne, type Segment } from './place.ts';
import type { AccessRecord, AnalysisListener } from './record.ts';

interface Frame {
  readonly definition: FunctionDefinition;
  input: AbstractValue;
  /** What it gave so far. */
  result: AbstractValue;
  callsItself: boolean;
}

const callDepthMax = 24;
/** Nodes evaluated, and the sources of their values in fours: far above what programs without loops in loops need. */
const stepsMax = 20_000;

/** The analysis ends here: nothing is known of the program. */
export class AnalysisTooLong extends Error {}

/** Steps that several analyses share; those that were taken are gone. */
export interface AnalysisEffort {
  stepsLeft: number;
}

/**
 * Runs a program over abstract values: both branches of every condition, and loops to a fixed point. A read is recorded
 * where a value is used, not where it is passed on. Sound: if a change of the input can change the outputs (or errors),
 * a recorded read covers it.
 */
export class Interpreter {
  readonly record: AccessRecord;
  readonly listener: AnalysisListener;
  private readonly frames: Frame[] = [];
  private readonly effort: AnalysisEffort;
  private steps = 0;

  constructor(record: AccessRecord, listener: AnalysisListener, effort: AnalysisEffort = { stepsLeft: stepsMax }) {
    this.record = record;
    this.listener = listener;
    this.effort = effort;
  }

  evaluate(node: Expression, input: AbstractValue, names: Names | null): AbstractValue {
    this.take(1);
    const value = this.evaluateKind(node, input, names);
    this.take(countSources(value) >> 2);
    return value;
  }

  private take(steps: number): void {
    this.steps += steps;
    this.effort.stepsLeft -= steps;
    if (this.steps > stepsMax || this.effort.stepsLeft < 0) throw new AnalysisTooLong();
  }

  private evaluateKind(node: Expression, input: AbstractValue, names: Names | null): AbstractValue {
    switch (node.kind) {
      case 'identity':
        return input;
      case 'literal':
      case 'location':
      case 'break':
        return fresh;
      case 'recurse':
        this.record.read(widened(input), 'shape');
        return join(input, widened(input));
      case 'format':
        this.record.read(input, 'value');
        return fresh;
      case 'string':
        for (const part of node.parts) if (typeof part !== 'string') this.use(part, input, names);
        return fresh;
      case 'variable':
        return lookup(names, 'variable', node.name, 0)?.value ?? fresh;
      case 'group':
        return this.evaluate(node.body, input, names);
      case 'negate':
        this.use(node.operand, input, names);
        return fresh;
      case 'index': {
        const target = this.evaluate(node.target, input, names);
        return this.step(node, node.key, target, input, names);
      }
      case 'slice': {
        const target = this.evaluate(node.target, input, names);
        if (node.from !== null) this.use(node.from, input, names);
        if (node.to !== null) this.use(node.to, input, names);
        this.record.read(target, 'shape');
        return join(built([[anyOne, anyElement(target)]]), { ...fresh, places: target.places });
      }
      case 'iterate': {
        const target = this.evaluate(node.target, input, names);
        this.record.read(target, 'shape');
        return anyElement(target);
      }
      case 'array':
        return node.body === null ? fresh : built([[anyOne, this.evaluate(node.body, input, names)]]);
      case 'object':
        return this.object(node, input, names);
      case 'pipe':
        return node.items.reduce((value, item) => this.evaluate(item, value, names), input);
      case 'comma':
        return joinAll(node.items.map((item) => this.evaluate(item, input, names)));
      case 'arithmetic':
        return this.arithmetic(node, input, names);
      case 'comparison': {
        const left = this.use(node.left, input, names);
        const right = this.use(node.right, input, names);
        this.listener.onCompare?.(node.left, left, node.right, right);
        return fresh;
      }
      case 'logical':
        this.test(node.left, input, names);
        this.test(node.right, input, names);
        return fresh;
      case 'alternative': {
        const left = this.test(node.left, input, names);
        return join(left, this.evaluate(node.right, input, names));
      }
      case 'assignment':
        return this.assignment(node, input, names);
      case 'if':
        return this.conditional(node, input, names);
      case 'try': {
        const { handler } = node;
        const outer = this.record.isMessageVisible;
        // A handler that reads the message sees parts of the values in the error.
        if (handler !== null && !isInputFree(handler)) this.record.isMessageVisible = true;
        const body = this.evaluate(node.body, input, names);
        this.record.isMessageVisible = outer;
        return handler === null ? body : join(body, this.evaluate(handler, fresh, names));
      }
      case 'label':
        return this.evaluate(node.body, input, names);
      case 'bind': {
        const source = this.evaluate(node.source, input, names);
        return this.evaluate(node.body, input, this.bindPatterns(node.patterns, source, names));
      }
      case 'reduce':
      case 'foreach':
        return this.fold(node, input, names);
      case 'define': {
        const { definition } = node;
        const arity = definition.parameters.length;
        return this.evaluate(node.body, input, {
          kind: 'function',
          name: definition.name,
          arity,
          definition,
          parent: names,
        });
      }
      case 'call':
        return this.call(node, input, names);
    }
  }

  /** Evaluates and uses the whole value. */
  use(node: Expression, input: AbstractValue, names: Names | null): AbstractValue {
    const value = this.evaluate(node, input, names);
    this.record.read(value, 'value');
    return value;
  }

  /** Evaluates and uses only the truth of the value. */
  test(node: Expression, input: AbstractValue, names: Names | null): AbstractValue {
    const value = this.evaluate(node, input, names);
    this.record.read(value, 'kind');
    return value;
  }

  /** The value at a key of `target`; `node` is the syntax of the step. */
  step(
    node: Expression,
    key: Expression,
    target: AbstractValue,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    this.record.read(target, 'kind');
    const constant = constantKey(key);
    if (constant === undefined) {
      this.use(key, input, names);
      this.record.read(target, 'shape');
      return join(anyElement(target), looseValue([...target.places, ...target.loose]));
    }
    if (typeof constant === 'number' && constant < 0) {
      this.record.read(target, 'shape');
      return anyElement(target);
    }
    this.listener.onStep?.(node, target);
    return childValue(target, constant);
  }

  /** Gives up: everything counts as read and may be anywhere. */
  giveUp(): AbstractValue {
    this.record.isUnknown = true;
    const everything = looseValue([[]]);
    this.record.read(everything, 'value');
    return everything;
  }

  private object(
    node: Extract<Expression, { kind: 'object' }>,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    return built(
      node.entries.map(({ key, value, form }): [Segment, AbstractValue] => {
        if (form === 'variable' && value === null) {
          return [key.kind === 'variable' ? key.name : '__loc__', this.evaluate(key, input, names)];
        }
        const constant = constantKey(key);
        if (typeof constant !== 'string') this.use(key, input, names);
        const name = typeof constant === 'string' ? constant : anyOne;
        if (value !== null) return [name, this.evaluate(value, input, names)];
        return [name, this.step(key, key, input, input, names)];
      }),
    );
  }

  /** The sum of containers keeps their contents; other arithmetic uses its operands. */
  private arithmetic(
    node: Extract<Expression, { kind: 'arithmetic' }>,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    const left = this.evaluate(node.left, input, names);
    const right = this.evaluate(node.right, input, names);
    if (
      node.operator === '+' &&
      left.members !== null &&
      right.members !== null &&
      left.places.length + right.places.length === 0
    ) {
      return join(asUnordered(left), asUnordered(right));
    }
    this.record.read(left, 'value');
    this.record.read(right, 'value');
    if (node.operator === '-') this.listener.onCompare?.(node.left, anyElement(left), node.right, anyElement(right));
    return join(widened(left), widened(right));
  }

  private conditional(
    node: Extract<Expression, { kind: 'if' }>,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    let result: AbstractValue = fresh;
    for (const { condition, body } of node.branches) {
      this.test(condition, input, names);
      result = join(result, this.evaluate(body, input, names));
    }
    return join(result, node.otherwise === null ? input : this.evaluate(node.otherwise, input, names));
  }

  /** The modified input: its former contents plus the written values. */
  private assignment(
    node: Extract<Expression, { kind: 'assignment' }>,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    const targets = this.evaluate(node.left, input, names);
    for (const place of targets.places) this.record.write(place);
    for (const place of targets.loose) this.record.write(place);
    this.record.read(targets, 'kind');
    let written: AbstractValue;
    if (node.operator === '|=') {
      written = this.evaluate(node.right, targets, names);
      this.record.read(written, 'kind');
    } else {
      written = this.evaluate(node.right, input, names);
      if (node.operator === '//=') this.record.read(targets, 'kind');
      else if (node.operator !== '=') {
        this.record.read(targets, 'value');
        this.record.read(written, 'value');
      }
    }
    // Deleting (`|= empty`) and writing slices move elements to other places.
    const isMoving = node.operator === '|=' || hasSlice(node.left);
    return join(isMoving ? join(input, widened(input)) : input, widened(written));
  }

  bindPatterns(patterns: readonly Pattern[], value: AbstractValue, names: Names | null): Names | null {
    let bound = names;
    for (const pattern of patterns) bound = this.bindPattern(pattern, value, names, bound);
    return bound;
  }

  private bindPattern(pattern: Pattern, value: AbstractValue, home: Names | null, names: Names | null): Names {
    switch (pattern.kind) {
      case 'variable': {
        const before = names === home ? undefined : lookup(names, 'variable', pattern.name, 0)?.value;
        const joined = before === undefined ? value : join(before, value);
        return { kind: 'variable', name: pattern.name, arity: 0, value: joined, parent: names };
      }
      case 'array': {
        this.record.read(value, 'kind');
        let bound = names;
        for (const [at, item] of pattern.items.entries())
          bound = this.bindPattern(item, childValue(value, at), home, bound);
        return bound as Names;
      }
      case 'object': {
        let bound = names;
        for (const { key, variable, value: inner } of pattern.entries) {
          const part = this.step(key, key, value, value, home);
          if (variable !== null) bound = { kind: 'variable', name: variable, arity: 0, value: part, parent: bound };
          if (inner !== null) bound = this.bindPattern(inner, part, home, bound);
        }
        return bound as Names;
      }
    }
  }

  private fold(
    node: Extract<Expression, { kind: 'reduce' | 'foreach' }>,
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    const source = this.evaluate(node.source, input, names);
    const inner = this.bindPatterns(node.patterns, source, names);
    const start = this.evaluate(node.initial, input, names);
    const states = this.untilStable(start, (state) => this.evaluate(node.update, state, inner));
    if (node.kind === 'reduce') return states;
    return node.extract === null ? states : this.evaluate(node.extract, states, inner);
  }

  /** All values a state can take when `update` is applied any number of times. */
  untilStable(start: AbstractValue, update: (state: AbstractValue) => AbstractValue): AbstractValue {
    let state = start;
    for (let round = 0; round < 8; round++) {
      const next = join(state, update(state));
      if (isSameValue(next, state)) return state;
      state = round < 2 ? next : join(next, widened(next));
    }
    return join(state, this.giveUp());
  }

  private call(node: Extract<Expression, { kind: 'call' }>, input: AbstractValue, names: Names | null): AbstractValue {
    const { name, args } = node;
    const bound = lookup(names, 'function', name, args.length);
    if (bound?.kind === 'closure') return this.evaluate(bound.closure!.node, input, bound.closure!.names);
    if (bound?.kind === 'variable') return bound.value!;
    if (bound?.definition !== undefined) return this.callFunction(bound, args, input, names);
    const model = builtinModels.get(`${name}/${args.length}`);
    if (model !== undefined) return model(this, args, input, names, node);
    this.record.read(input, 'value');
    for (const arg of args) this.use(arg, input, names);
    return fresh;
  }

  private callFunction(
    target: Names,
    args: readonly Expression[],
    input: AbstractValue,
    names: Names | null,
  ): AbstractValue {
    const definition = target.definition!;
    const running = this.frames.find((frame) => frame.definition === definition);
    if (running !== undefined) {
      if (args.length > 0) return this.giveUp();
      running.callsItself = true;
      running.input = join(running.input, widened(input));
      return join(widened(running.input), widened(running.result));
    }
    if (this.frames.length >= callDepthMax) return this.giveUp();
    let inner: Names | null = target;
    for (const [at, parameter] of definition.parameters.entries()) {
      const arg = args[at]!;
      if (parameter.isValue) {
        const value = this.evaluate(arg, input, names);
        inner = { kind: 'variable', name: parameter.name, arity: 0, isParameter: true, value, parent: inner };
      } else inner = { kind: 'closure', name: parameter.name, arity: 0, closure: { node: arg, names }, parent: inner };
    }
    const frame: Frame = { definition, input, result: fresh, callsItself: false };
    this.frames.push(frame);
    for (let round = 0; ; round++) {
      const before = { ...frame };
      frame.result = join(frame.result, this.evaluate(definition.body, before.input, inner));
      const isGrown = !isSameValue(before.input, frame.input) || !isSameValue(before.result, frame.result);
      if (!frame.callsItself || !isGrown) break;
      if (round > 6) {
        frame.result = this.giveUp();
        break;
      }
    }
    this.frames.pop();
    return frame.result;
  }
}

function hasSlice(node: Expression): boolean {
  return node.kind === 'slice' || node.kind === 'call' || childrenOfExpression(node).some(hasSlice);
}

function asUnordered(value: AbstractValue): AbstractValue {
  const isList = [...(value.members?.keys() ?? [])].some((key) => key.startsWith('#') || key === '*');
  return isList ? built([[anyOne, anyElement(value)]]) : value;
}
