import type { FormTable } from './compiler.ts';
import { index, iterate, recurse, slice } from './forms-access.ts';
import { assignment } from './forms-assignment.ts';
import { array, format, group, identity, literal, location, negate, string, variable } from './forms-basic.ts';
import { bind, define } from './forms-bind.ts';
import { call } from './forms-call.ts';
import { attempt, label, leave } from './forms-errors.ts';
import { alternative, comma, conditional, pipe } from './forms-flow.ts';
import { foreach, reduce } from './forms-fold.ts';
import { object } from './forms-object.ts';
import { arithmetic, comparison, logical } from './forms-operators.ts';

/** The compiler of each kind of syntax. */
export const forms: FormTable = {
  identity,
  recurse,
  literal,
  string,
  format,
  variable,
  location,
  index,
  slice,
  iterate,
  try: attempt,
  group,
  array,
  object,
  pipe,
  comma,
  negate,
  arithmetic,
  comparison,
  logical,
  alternative,
  assignment,
  if: conditional,
  reduce,
  foreach,
  bind,
  define,
  call,
  label,
  break: leave,
};
