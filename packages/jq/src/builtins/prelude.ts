import type { FunctionDefinition } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';

/** Builtins that are clearest in jq itself; tail calls keep the loops flat. Each is parsed on first use. */
const sources: readonly string[] = [
  'def recurse(f; condition): def next: ., (f | select(condition) | next); next;',
  'def while(condition; update): def next: if condition then ., (update | next) else empty end; next;',
  'def until(condition; update): def next: if condition then . else (update | next) end; next;',
  'def repeat(f): def again: f, again; again;',
  'def abs: if . < 0 then -. else . end;',
  'def first: .[0];',
  'def last: .[-1];',
  'def nth($n): .[$n];',
  'def finites: select(type == "number" and (isinfinite | not));',
  'def normals: select(isnormal);',
  'def add(f): reduce f as $item (null; . + $item);',
  'def walk(f): def deep: if type == "object" then map_values(deep) elif type == "array" then map(deep) else . end | f; deep;',
  'def transpose: [range(0; map(length) | max // 0) as $column | [.[][$column]]];',
  'def combinations: if length == 0 then [] else .[0][] as $head | .[1:] | combinations as $rest | [$head] + $rest end;',
  'def combinations(count): . as $choices | [range(count) | $choices] | combinations;',
  'def truncate_stream(events): . as $depth | null | events | select((.[0] | length) > $depth) | .[0] |= .[$depth:];',
  'def JOIN($index; key): [.[] | [., $index[key]]];',
  'def JOIN($index; rows; key): rows | [., $index[key]];',
  'def JOIN($index; rows; key; join): rows | [., $index[key]] | join;',
  'def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");',
  'def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;',
  'def todate: todateiso8601;',
  'def fromdate: fromdateiso8601;',
  'def date: todate;',
  'def dateadd(unit; amount): . + amount;',
  'def datesub(unit; amount): . - amount;',
  'def debug(messages): (messages | empty), .;',
  'def inputs: empty;',
  'def env: {};',
  'def input_filename: null;',
  'def input_line_number: 0;',
  'def get_search_list: [];',
  'def debug: .;',
  'def stderr: .;',
  'def toTFVariables: to_entries | map({key, value: (.value | tojson)});',
];

const header = /^def ([\w]+)(\(([^)]*)\))?:/;

const bySignature: ReadonlyMap<string, string> = new Map(
  sources.map((source) => {
    const [, name, , parameters] = header.exec(source)!;
    return [`${name}/${parameters === undefined ? 0 : parameters.split(';').length}`, source];
  }),
);

const parsed = new Map<string, FunctionDefinition>();

/** The definition of a prelude function; always the same object, so that it can serve as a key. */
export function preludeDefinition(name: string, arity: number): FunctionDefinition | undefined {
  const signature = `${name}/${arity}`;
  const known = parsed.get(signature);
  if (known !== undefined) return known;
  const source = bySignature.get(signature);
  if (source === undefined) return undefined;
  const program = parse(source);
  if (program.kind !== 'define') throw new Error(`prelude: ${signature}`);
  parsed.set(signature, program.definition);
  return program.definition;
}

export function preludeSignatures(): string[] {
  return [...bySignature.keys()];
}
