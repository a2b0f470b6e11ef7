import type { StoredBlueprint } from '../blueprints/index.ts';
import type { CompileContext } from './compile-context.ts';
import { metaOperand, type Operand, propertyOperand } from './operand.sql.ts';

/** The value of a name; undefined if the blueprint has none, or none the caller may see. */
export function shownOperand(
  name: string,
  blueprint: StoredBlueprint | undefined,
  hidden: CompileContext['hidden'],
): Operand | undefined {
  if (name.startsWith('$')) return metaOperand(name);
  return blueprint && !hidden?.has(name) ? propertyOperand(blueprint, name) : undefined;
}
