import type { Expression } from '../syntax/ast.ts';
import { type AbstractValue, anyElement, built, childValue, fresh, join, joinAll, widened } from './abstract-value.ts';
import type { Interpreter } from './interpreter.ts';
import type { Names } from './names.ts';
import { anyOne, type Segment } from './place.ts';

/** The effect of a builtin on abstract values. A builtin without a model uses its input and arguments as a whole. */
type Model = (
  interpreter: Interpreter,
  args: readonly Expression[],
  input: AbstractValue,
  names: Names | null,
  node: Expression,
) => AbstractValue;

const nothing: Model = () => fresh;
const shapeOnly: Model = ({ record }, _args, input) => {
  record.read(input, 'shape');
  return fresh;
};
const kindOnly: Model = ({ record }, _args, input) => {
  record.read(input, 'kind');
  return fresh;
};
const passedOn: Model = ({ record }, _args, input) => {
  record.read(input, 'kind');
  return input;
};

const list = (elements: AbstractValue): AbstractValue => built([[anyOne, elements]]);

/** Reads the shape of the container and passes its elements on. */
function elements(interpreter: Interpreter, input: AbstractValue): AbstractValue {
  interpreter.record.read(input, 'shape');
  return anyElement(input);
}

const select: Model = (interpreter, [condition], input, names) => {
  interpreter.test(condition!, input, names);
  return input;
};

const map: Model = (interpreter, [f], input, names) =>
  list(interpreter.evaluate(f!, elements(interpreter, input), names));

/** `sort_by` and similar: uses the keys and passes the elements on. */
const byKey =
  (shape: (items: AbstractValue) => AbstractValue): Model =>
  (interpreter, [key], input, names) => {
    const items = elements(interpreter, input);
    interpreter.use(key!, items, names);
    return shape(items);
  };

const entriesValue = (interpreter: Interpreter, input: AbstractValue): AbstractValue =>
  built([
    ['key', fresh],
    ['value', elements(interpreter, input)],
  ]);

function fromEntries(interpreter: Interpreter, entries: AbstractValue): AbstractValue {
  const keys = ['key', 'Key', 'name', 'Name'].map((name) => childValue(entries, name));
  for (const key of keys) interpreter.record.read(key, 'value');
  interpreter.record.read(entries, 'shape');
  return list(joinAll(['value', 'Value'].map((name) => childValue(entries, name))));
}

/** Searches one value in another: uses both and reports the comparison. */
const lookedFor: Model = (interpreter, [wanted], input, names) => {
  const other = interpreter.use(wanted!, input, names);
  interpreter.record.read(input, 'value');
  interpreter.listener.onCompare?.(null, join(input, anyElement(input)), wanted!, other);
  return fresh;
};

const isIn: Model = (interpreter, args, input, names) => {
  const left = args.length === 2 ? interpreter.use(args[0]!, input, names) : input;
  interpreter.record.read(left, 'value');
  const right = interpreter.use(args.at(-1)!, input, names);
  interpreter.listener.onCompare?.(args.length === 2 ? args[0]! : null, left, args.at(-1)!, right);
  return fresh;
};

const quantified: Model = (interpreter, args, input, names) => {
  const source = args.length === 2 ? interpreter.evaluate(args[0]!, input, names) : elements(interpreter, input);
  if (args.length === 0) interpreter.record.read(source, 'kind');
  else interpreter.test(args.at(-1)!, source, names);
  return fresh;
};

/** `first(f)`, `limit(n; f)`: the selected values depend on whether `f` gives any, and the numbers are used. */
const windowed: Model = (interpreter, args, input, names) => {
  for (const count of args.slice(0, -1)) interpreter.use(count, input, names);
  return interpreter.evaluate(args.at(-1)!, input, names);
};

const getPath: Model = (interpreter, [keys], input, names, node) => {
  const literal = literalPath(keys!);
  if (literal === undefined) {
    interpreter.use(keys!, input, names);
    interpreter.record.read(widened(input), 'shape');
    return join(input, widened(input));
  }
  let value = input;
  for (const key of literal) {
    interpreter.record.read(value, 'kind');
    value = childValue(value, key);
  }
  interpreter.listener.onStep?.(node, input);
  return value;
};

/** The constant keys of a path such as `["a", 0]`. */
export function literalPath(node: Expression): Segment[] | undefined {
  if (node.kind === 'group') return literalPath(node.body);
  if (node.kind !== 'array') return undefined;
  if (node.body === null) return [];
  const items = node.body.kind === 'comma' ? node.body.items : [node.body];
  const keys: Segment[] = [];
  for (const item of items) {
    if (item.kind === 'string' && item.parts.every((part) => typeof part === 'string')) keys.push(item.parts.join(''));
    else if (item.kind === 'literal' && typeof item.value === 'number' && item.value >= 0) keys.push(item.value);
    else return undefined;
  }
  return keys;
}

const paths: Model = (interpreter, [f], input, names) => {
  const inside = join(input, widened(input));
  interpreter.record.read(widened(input), 'shape');
  if (f !== undefined) interpreter.test(f, inside, names);
  return fresh;
};

const modelPath: Model = (interpreter, [f], input, names) => {
  interpreter.record.read(interpreter.evaluate(f!, input, names), 'kind');
  return fresh;
};

const del: Model = (interpreter, [f], input, names) => {
  const targets = interpreter.evaluate(f!, input, names);
  interpreter.record.read(targets, 'kind');
  for (const place of [...targets.places, ...targets.loose]) interpreter.record.write(place);
  return join(input, widened(input));
};

const pick: Model = (interpreter, [f], input, names) => widened(interpreter.evaluate(f!, input, names));

const mapValues: Model = (interpreter, [f], input, names) => {
  const items = elements(interpreter, input);
  for (const place of [...items.places, ...items.loose]) interpreter.record.write(place);
  const changed = interpreter.evaluate(f!, items, names);
  return join(list(changed), fresh);
};

const recurseBy: Model = (interpreter, args, input, names) => {
  interpreter.record.read(input, 'kind');
  return interpreter.untilStable(input, (value) => {
    const next = interpreter.evaluate(args[0]!, value, names);
    if (args[1] !== undefined) interpreter.test(args[1], next, names);
    return next;
  });
};

const loop: Model = (interpreter, [condition, update], input, names) =>
  interpreter.untilStable(input, (value) => {
    interpreter.test(condition!, value, names);
    return interpreter.evaluate(update!, value, names);
  });

const index: Model = (interpreter, args, input, names) => {
  const rows = args.length === 2 ? interpreter.evaluate(args[0]!, input, names) : elements(interpreter, input);
  interpreter.use(args.at(-1)!, rows, names);
  return list(rows);
};

/** Replacements see the captured groups, which have no place in the input. */
const substitution: Model = (interpreter, args, input, names) => {
  interpreter.record.read(input, 'value');
  for (const [at, arg] of args.entries()) interpreter.use(arg, at === 1 ? fresh : input, names);
  return fresh;
};

/** Runs an expression on values from anywhere in the input. */
const runDeep: Model = (interpreter, args, input, names) => {
  interpreter.record.read(input, 'value');
  const inside = widened(input);
  for (const arg of args) interpreter.use(arg, inside, names);
  return inside;
};

/** Depends on its arguments alone, whatever the input is. */
const range: Model = (interpreter, args, input, names) => {
  for (const arg of args) interpreter.use(arg, input, names);
  return fresh;
};

const now: Model = ({ record }) => {
  record.isTimeDependent = true;
  return fresh;
};

const position =
  (key: Segment): Model =>
  ({ record }, _args, input) => {
    record.read(input, key === 0 ? 'kind' : 'shape');
    return childValue(input, key);
  };

const withEntries: Model = (interpreter, [f], input, names) =>
  fromEntries(interpreter, interpreter.evaluate(f!, entriesValue(interpreter, input), names));

const error: Model = (interpreter, args, input, names) => {
  if (args.length === 0) interpreter.record.read(input, 'value');
  else interpreter.use(args[0]!, input, names);
  return fresh;
};

export const builtinModels: ReadonlyMap<string, Model> = new Map<string, Model>([
  ...['empty/0', 'infinite/0', 'nan/0', 'input/0', 'inputs/0', 'env/0', 'builtins/0', 'input_filename/0'].map(
    (name): [string, Model] => [name, nothing],
  ),
  ...['input_line_number/0', 'get_search_list/0', 'have_decnum/0', 'have_literal_numbers/0'].map(
    (name): [string, Model] => [name, nothing],
  ),
  ...['length/0', 'keys/0', 'keys_unsorted/0'].map((name): [string, Model] => [name, shapeOnly]),
  ...['type/0', 'not/0'].map((name): [string, Model] => [name, kindOnly]),
  ...['values', 'nulls', 'booleans', 'numbers', 'strings', 'arrays', 'objects', 'iterables', 'scalars'].map(
    (name): [string, Model] => [`${name}/0`, passedOn],
  ),
  ...['debug/0', 'stderr/0'].map((name): [string, Model] => [name, (_interpreter, _args, input) => input]),
  ['now/0', now],
  ...['range/1', 'range/2', 'range/3'].map((name): [string, Model] => [name, range]),
  ...['sub/2', 'sub/3', 'gsub/2', 'gsub/3'].map((name): [string, Model] => [name, substitution]),
  ...['walk/1', 'truncate_stream/1', 'JOIN/2', 'JOIN/3', 'JOIN/4'].map((name): [string, Model] => [name, runDeep]),
  ['error/0', error],
  ['error/1', error],
  [
    'has/1',
    (interpreter, [key], input, names) => {
      interpreter.record.read(input, 'shape');
      interpreter.use(key!, input, names);
      return fresh;
    },
  ],
  ['select/1', select],
  ['map/1', map],
  ['map_values/1', mapValues],
  ['sort_by/1', byKey(list)],
  ['group_by/1', byKey((items) => list(list(items)))],
  ['unique_by/1', byKey(list)],
  ['min_by/1', byKey((items) => items)],
  ['max_by/1', byKey((items) => items)],
  ['reverse/0', (interpreter, _args, input) => list(elements(interpreter, input))],
  ['to_entries/0', (interpreter, _args, input) => list(entriesValue(interpreter, input))],
  ['from_entries/0', (interpreter, _args, input) => fromEntries(interpreter, elements(interpreter, input))],
  ['with_entries/1', withEntries],
  ['first/0', position(0)],
  ['last/0', position(anyOne)],
  [
    'nth/1',
    (interpreter, [at], input, names) => {
      interpreter.use(at!, input, names);
      return elements(interpreter, input);
    },
  ],
  ...['first/1', 'last/1', 'limit/2', 'skip/2', 'nth/2'].map((name): [string, Model] => [name, windowed]),
  [
    'isempty/1',
    (interpreter, [f], input, names) => {
      interpreter.record.read(interpreter.evaluate(f!, input, names), 'kind');
      return fresh;
    },
  ],
  ...['any/0', 'any/1', 'any/2', 'all/0', 'all/1', 'all/2'].map((name): [string, Model] => [name, quantified]),
  ...['contains/1', 'inside/1', 'index/1', 'rindex/1', 'indices/1'].map((name): [string, Model] => [name, lookedFor]),
  ['IN/1', isIn],
  ['IN/2', isIn],
  ['INDEX/1', index],
  ['INDEX/2', index],
  ['getpath/1', getPath],
  ['paths/0', paths],
  ['paths/1', paths],
  ['path/1', modelPath],
  ['del/1', del],
  ['pick/1', pick],
  [
    'recurse/0',
    (interpreter, _args, input, names) => interpreter.evaluate({ kind: 'recurse', start: 0, end: 0 }, input, names),
  ],
  ['recurse/1', recurseBy],
  ['recurse/2', recurseBy],
  ['repeat/1', (interpreter, [f], input, names) => interpreter.evaluate(f!, input, names)],
  ['until/2', loop],
  ['while/2', loop],
]);
