import type { StoredBlueprint } from '../../blueprints/index.ts';
import { metaOperand, type Operand, propertyOperand } from './operand.ts';

/** Whether a name leads to a value that the caller may not see, or into one. */
export function isHidden(name: string, hidden: ReadonlySet<string> | undefined): boolean {
  if (!hidden) return false;
  return hidden.has(name) || hidden.has(name.split('.')[0] as string);
}

/** The value a name stands for; undefined where the blueprint has none so called, or none the caller may see. */
export function shownOperand(
  name: string,
  blueprint: StoredBlueprint | undefined,
  hidden: ReadonlySet<string> | undefined,
): Operand | undefined {
  if (name.startsWith('$')) return metaOperand(name);
  return blueprint && !isHidden(name, hidden) ? propertyOperand(blueprint, name) : undefined;
}
