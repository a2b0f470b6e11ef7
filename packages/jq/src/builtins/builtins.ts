import type { BuiltinSource } from '../evaluate/compiler.ts';
import { raise } from '../evaluate/raise.ts';
import { collectionBuiltins } from './collections.ts';
import { dateBuiltins } from './dates.ts';
import { iterationBuiltins } from './iteration.ts';
import { keyedBuiltins } from './keyed.ts';
import { numberBuiltins } from './numbers.ts';
import { pathBuiltins } from './paths.ts';
import { preludeDefinition, preludeSignatures } from './prelude.ts';
import { regexBuiltins } from './regex.ts';
import { selectionBuiltins } from './selection.ts';
import { stringBuiltins } from './strings.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

/** Refused at compile time: there is no process to halt, and there are no modules. */
export const refusedBuiltins: ReadonlyMap<string, string> = new Map([
  ['halt/0', 'an expression cannot end the process'],
  ['halt_error/0', 'an expression cannot end the process'],
  ['halt_error/1', 'an expression cannot end the process'],
  ['modulemeta/0', 'expressions have no modules'],
  ['get_prog_origin/0', 'expressions see no files'],
  ['get_jq_origin/0', 'expressions see no files'],
]);

const table = new Map<string, CallForms>();
for (const [name, arity, forms] of [
  ...selectionBuiltins,
  ...iterationBuiltins,
  ...collectionBuiltins,
  ...keyedBuiltins,
  ...stringBuiltins,
  ...numberBuiltins,
  ...regexBuiltins,
  ...dateBuiltins,
  ...pathBuiltins,
]) {
  table.set(`${name}/${arity}`, forms);
}

table.set(
  'input/0',
  valueForms(() => {
    throw raise('No more inputs');
  }),
);
table.set(
  'builtins/0',
  valueForms(() => builtinSignatures()),
);

/** Every builtin as `name/arity`. */
export function builtinSignatures(): string[] {
  return [...table.keys(), ...preludeSignatures()].filter((signature) => !signature.startsWith('_'));
}

export function isBuiltin(name: string, arity: number): boolean {
  return table.has(`${name}/${arity}`) || preludeDefinition(name, arity) !== undefined;
}

export const builtins: BuiltinSource = {
  forms: (name, arity) => table.get(`${name}/${arity}`),
  prelude: preludeDefinition,
};
