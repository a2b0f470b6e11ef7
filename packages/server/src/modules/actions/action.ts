import type { ActionPolicy } from '@portolan/contract/action-policy';
import type { Action, ActionBody, SelfServiceTrigger } from '@portolan/contract/actions';
import type { SavedAuthority } from '../accounts/index.ts';
import type { Grant } from '../rights/index.ts';

/** The action as written, without its identifier. */
export type ActionDefinition = Omit<ActionBody, 'identifier'>;

/** A grant on an action; if it has a policy, the policy decides (users-and-teams §5.3). */
export interface ActionGrant extends Omit<Grant, 'policy'> {
  readonly policy?: ActionPolicy;
}

/** An absent grant means its default. */
export interface ActionRights {
  readonly execute?: ActionGrant;
  readonly approve?: ActionGrant;
}

export interface StoredAction {
  readonly key: number;
  readonly id: string;
  readonly identifier: string;
  readonly blueprintKey: number | null;
  readonly definition: ActionDefinition;
  readonly rights: ActionRights | null;
  /** The authority it was saved with; null if saved before authorities were stored. */
  readonly authority: SavedAuthority | null;
  /** Who wrote its texts. */
  readonly textAuthors: readonly string[];
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export type SelfServiceAction = StoredAction & {
  readonly definition: ActionDefinition & { readonly trigger: SelfServiceTrigger };
};

export function isSelfService(action: StoredAction): action is SelfServiceAction {
  return action.definition.trigger.type === 'self-service';
}

export function actionBlueprint({ trigger }: ActionDefinition): string | undefined {
  if (trigger.type === 'self-service') return trigger.blueprintIdentifier ?? undefined;
  return 'blueprintIdentifier' in trigger.event ? trigger.event.blueprintIdentifier : undefined;
}

/** Replaces the blueprint in the trigger of a definition. */
export function withBlueprint(definition: ActionDefinition, blueprint: string): ActionDefinition {
  const { trigger } = definition;
  if (actionBlueprint(definition) === blueprint) return definition;
  if (trigger.type === 'self-service') {
    return { ...definition, trigger: { ...trigger, blueprintIdentifier: blueprint } };
  }
  if (!('blueprintIdentifier' in trigger.event)) return definition;
  return { ...definition, trigger: { ...trigger, event: { ...trigger.event, blueprintIdentifier: blueprint } } };
}

/** The approval that runs need; undefined if none is needed. */
export function approvalRule({ requiredApproval }: ActionDefinition): { readonly type: 'ALL' | 'ANY' } | undefined {
  if (!requiredApproval) return undefined;
  return requiredApproval === true ? { type: 'ANY' } : requiredApproval;
}

/** Presents the definition as written, key by key; a key that was never set is absent (api contract §3.5.1). */
export function presentAction(action: StoredAction): Action {
  const written = Object.entries(action.definition).filter(([, value]) => value !== null && value !== undefined);
  return {
    id: action.id,
    identifier: action.identifier,
    ...Object.fromEntries(written),
    createdAt: action.createdAt.toISOString(),
    createdBy: action.createdBy,
    updatedAt: action.updatedAt.toISOString(),
    updatedBy: action.updatedBy,
  } as Action;
}
