export { type Budget, defaultBudget } from './budget.ts';
export { compile, type CompileOptions, type Program, type RunOptions } from './program.ts';
export { parse } from './syntax/parser.ts';
export { stringify } from './value/stringify.ts';
export type { JqValue } from './value/value.ts';
