import { isRecord } from '@portolan/contract/json-value';
import type { WorkflowNode } from '../definitions/workflow.ts';

export interface Outlet {
  readonly identifier: string;
  readonly needed: number;
  readonly statusLabel?: unknown;
  readonly workflowStatusLabel?: unknown;
}

/** The ways out of an `INPUT`, each with how many people have to press its button. */
export function outletsOfInput({ config }: WorkflowNode): readonly Outlet[] {
  const outlets = Array.isArray(config['outlets']) ? config['outlets'] : [];
  return outlets.filter(isRecord).flatMap(({ identifier, numOfResponders, statusLabel, workflowStatusLabel }) => {
    if (typeof identifier !== 'string') return [];
    return [
      {
        identifier,
        needed: typeof numOfResponders === 'number' ? numOfResponders : 1,
        statusLabel,
        workflowStatusLabel,
      },
    ];
  });
}

export type Verdict =
  | { readonly kind: 'counted' }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'decided'; readonly outlet: string };

/**
 * The first way, in the author's order, whose button was pressed often enough. `left` people may still answer; undefined
 * if nobody knows how many. Where there are no ways, any answer ends the step.
 */
export function decideOutlet(
  outlets: readonly Outlet[],
  pressed: readonly string[],
  left: number | undefined,
): Verdict {
  const given = (button: string) => pressed.filter((each) => each === button).length;
  if (outlets.length === 0) return { kind: 'decided', outlet: pressed.at(-1) ?? '' };
  const reached = outlets.find(({ identifier, needed }) => given(identifier) >= needed);
  if (reached) return { kind: 'decided', outlet: reached.identifier };
  if (left === undefined) return { kind: 'counted' };
  const canStill = outlets.some(({ identifier, needed }) => given(identifier) + left >= needed);
  return { kind: canStill ? 'counted' : 'impossible' };
}
