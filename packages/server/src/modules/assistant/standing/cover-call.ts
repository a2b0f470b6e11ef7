import type { ApprovedEntity, ApprovedInput } from '@portolan/contract/standing-approvals';
import { isSameJson } from '../../../platform/same-json.ts';
import { nameAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallFacts, CallInput } from '../../../platform/tools/call-decision.ts';
import { isLiteral } from '../calls/asked-for.ts';

/** What a person lets an agent run by itself. */
export interface StandingApproval {
  readonly id: string;
  readonly agentVersion: string;
  readonly actionId: string;
  readonly actionVersion: number;
  readonly entity: ApprovedEntity | null;
  readonly inputs: Readonly<Record<string, ApprovedInput>>;
  readonly maxPerHour: number;
  readonly expiresAt: Date;
  readonly givenBy: string;
  readonly revokedAt: Date | null;
  /** Runs in the hour before now. */
  readonly usedInHour: number;
}

/** Why an approval does not hold. */
export type Lapse = 'revoked' | 'expired' | 'action-changed' | 'agent-changed' | 'giver' | 'used-up';

export interface LapsedApproval {
  readonly approval: StandingApproval;
  readonly because: Lapse;
}

/** The standing approvals that could cover a call, and what their shapes ask for. */
export interface StandingSituation {
  /** Of the agent and the action, newest first. */
  readonly approvals: readonly StandingApproval[];
  readonly now: Date;
  /** Of the agent that answers. */
  readonly agentVersion: string;
  /** What the caller vouches for. */
  readonly question: string;
  /** `blueprint/identifier` of entities that the question names exactly and alone. */
  readonly named: ReadonlySet<string>;
  /** `blueprint/identifier` of the entity that the question is about. */
  readonly trigger?: string | undefined;
  /** Givers who could make and approve this very call now. */
  readonly mayGive: ReadonlySet<TextAuthor>;
}

type CoveredCall = Pick<CallFacts, 'action' | 'entity' | 'inputs'> & {
  /** It deletes, or is called strict: then nothing may be left open. */
  readonly isGuarded: boolean;
};

/** The approval that covers a call, or the newest that would if it still held. */
export function findCover(
  call: CoveredCall,
  standing: StandingSituation | undefined,
): { readonly covering?: StandingApproval; readonly lapsed?: LapsedApproval } {
  let lapsed: LapsedApproval | undefined;
  for (const approval of standing?.approvals ?? []) {
    if (!standing || !hasShape(call, approval, standing)) continue;
    const because = findLapse(call, approval, standing);
    if (because === undefined) return { covering: approval };
    lapsed ??= { approval, because };
  }
  return lapsed ? { lapsed } : {};
}

function findLapse(call: CoveredCall, approval: StandingApproval, standing: StandingSituation): Lapse | undefined {
  if (approval.revokedAt !== null) return 'revoked';
  if (approval.expiresAt <= standing.now) return 'expired';
  if (approval.actionVersion !== call.action?.version) return 'action-changed';
  if (approval.agentVersion !== standing.agentVersion) return 'agent-changed';
  if (!standing.mayGive.has(nameAuthor({ kind: 'person', id: approval.givenBy }))) return 'giver';
  return approval.usedInHour < approval.maxPerHour ? undefined : 'used-up';
}

/** Whether a call is of the shape that was approved, whether or not the approval still holds. */
function hasShape(
  { action, entity, inputs, isGuarded }: CoveredCall,
  approval: Pick<StandingApproval, 'actionId' | 'entity' | 'inputs'>,
  standing: Pick<StandingSituation, 'question' | 'named' | 'trigger'>,
): boolean {
  if (action === undefined || approval.actionId !== action.id) return false;
  if (isGuarded && leavesOpen(approval)) return false;
  if (!isApprovedEntity(entity, approval.entity, standing)) return false;
  return inputs.every((input) => isApprovedInput(input, approval.inputs, standing));
}

/** Whether anything may be `any`. */
export function leavesOpen({ entity, inputs }: Pick<StandingApproval, 'entity' | 'inputs'>): boolean {
  return entity === 'any' || Object.values(inputs).includes('any');
}

function isApprovedEntity(
  entity: CallFacts['entity'],
  approved: ApprovedEntity | null,
  { named, trigger }: Pick<StandingSituation, 'named' | 'trigger'>,
): boolean {
  if (entity === undefined || approved === null) return entity === undefined && approved === null;
  const key = `${entity.blueprint}/${entity.identifier}`;
  if (approved === 'any') return true;
  if (approved === 'question') return named.has(key);
  if (approved === 'trigger') return trigger === key;
  return approved.includes(entity.identifier);
}

/** Inputs that the approval does not name keep the form's default. */
function isApprovedInput(
  { key, value, form, blueprint }: CallInput,
  approved: StandingApproval['inputs'],
  { question, named }: Pick<StandingSituation, 'question' | 'named'>,
): boolean {
  if (form === 'default') return true;
  const shape = Object.hasOwn(approved, key) ? approved[key] : undefined;
  if (shape === undefined) return false;
  if (shape === 'any') return true;
  if (shape === 'closed') return form === 'closed';
  if (shape !== 'question') return isSameJson(value, shape.const);
  const values = Array.isArray(value) ? value : [value];
  return values.every((each) => {
    if (typeof each === 'object' && each !== null) return false;
    return form === 'entity' ? named.has(`${blueprint}/${each}`) : isLiteral(each, question);
  });
}
