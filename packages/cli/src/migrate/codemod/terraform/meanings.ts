import { constantText, findAttribute, keyText, listNames } from '../hcl/read-syntax.ts';
import type { AccessStep, Expression, ObjectEntry } from '../hcl/syntax.ts';
import { resourceNamed, type TerraformModule } from './terraform-module.ts';

/** The possible values of an expression; `isWhole` is false if some come from elsewhere. */
export interface Meanings {
  readonly found: readonly Expression[];
  readonly isWhole: boolean;
}

const elsewhere: Meanings = { found: [], isWhole: false };
/** Functions whose result consists of their arguments. */
const passing = new Set(['merge', 'try', 'coalesce', 'one', 'tomap', 'nonsensitive', 'sensitive']);

/** Resolves locals, conditionals, merges and attributes of the provider's resources within the module. */
export function resolveMeanings(
  expression: Expression,
  module: TerraformModule,
  seen: readonly Expression[] = [],
): Meanings {
  if (seen.includes(expression)) return elsewhere;
  const around = [...seen, expression];
  const all = (parts: readonly Expression[]): Meanings => {
    const each = parts.map((part) => resolveMeanings(part, module, around));
    return { found: each.flatMap(({ found }) => found), isWhole: each.every(({ isWhole }) => isWhole) };
  };
  switch (expression.kind) {
    case 'group':
      return all([expression.body]);
    case 'conditional':
      return all([expression.then, expression.otherwise]);
    case 'call':
      return passing.has(expression.name.text) && !expression.isExpanded ? all(expression.arguments) : elsewhere;
    case 'literal':
    case 'object':
    case 'tuple':
      return { found: [expression], isWhole: true };
    case 'template':
      return constantText(expression) === undefined ? elsewhere : { found: [expression], isWhole: true };
    case 'access': {
      const [root, name, third] = listNames(expression);
      const local = root?.text === 'local' && name !== undefined ? module.locals.get(name.text)?.value : undefined;
      if (local !== undefined) return stepInto(local, expression.steps.slice(1), module, around);
      const resource = resourceNamed(expression, module);
      const value = resource && third ? findAttribute(resource.block.body, third.text)?.value : undefined;
      return value === undefined ? elsewhere : stepInto(value, expression.steps.slice(2), module, around);
    }
    default:
      return elsewhere;
  }
}

function stepInto(
  from: Expression,
  steps: readonly AccessStep[],
  module: TerraformModule,
  seen: readonly Expression[],
): Meanings {
  const meanings = resolveMeanings(from, module, seen);
  const [step, ...rest] = steps;
  if (step === undefined) return meanings;
  const key = step.kind === 'attribute' ? step.name.text : step.kind === 'index' ? constantText(step.key) : undefined;
  const values = meanings.found.flatMap((each) =>
    each.kind === 'object' ? each.entries.filter((entry) => keyText(entry) === key).map(({ value }) => value) : [],
  );
  const each = values.map((value) => stepInto(value, rest, module, seen));
  const isWhole = meanings.isWhole && key !== undefined && values.length > 0;
  return { found: each.flatMap(({ found }) => found), isWhole: isWhole && each.every((part) => part.isWhole) };
}

/** The entries of all objects that an expression may be. */
export function resolveEntries(expression: Expression | undefined, module: TerraformModule): ObjectEntry[] {
  if (expression === undefined) return [];
  return resolveMeanings(expression, module).found.flatMap((each) => (each.kind === 'object' ? each.entries : []));
}

export function resolveEntry(
  expression: Expression | undefined,
  key: string,
  module: TerraformModule,
): ObjectEntry | undefined {
  return resolveEntries(expression, module).findLast((entry) => keyText(entry) === key);
}

/** The constant text of an expression; undefined if there are several candidates or none. */
export function resolveText(expression: Expression | undefined, module: TerraformModule): string | undefined {
  if (expression === undefined) return undefined;
  const { found, isWhole } = resolveMeanings(expression, module);
  const [first, ...others] = new Set(found.map(constantText));
  return isWhole && others.length === 0 ? first : undefined;
}
