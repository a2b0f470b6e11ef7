import { type Actor, systemActor } from '../../../platform/actor.ts';
import { findPersonFacts } from '../../identity/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import { entityBlueprintOf, type Values } from '../inputs/form.ts';
import { entityContext } from '../inputs/form-context.ts';
import type { StoredRun } from '../runs/run.ts';

/** What the templates of a run read (catalog semantics §4.5), but for the secrets. */
export interface TemplateContext {
  readonly inputs: Values | null;
  readonly entity: Values | null;
  readonly event: unknown;
  readonly trigger: Values;
  readonly action: Values;
  readonly run: Values;
}

/** Reads what the templates of a run may ask for, as it is now; inputs that name entities become the entities. */
export async function templateContext(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<TemplateContext> {
  const { trigger, invocationMethod } = run.action.definition;
  const isForm = trigger.type === 'self-service';
  const entity =
    !isForm || run.entity === null || run.blueprint === null
      ? undefined
      : await entityContext(deps, systemActor(actor.orgId, actor.model), run.blueprint, run.entity);
  return {
    inputs: isForm ? await expandedInputs(deps, actor, run) : null,
    entity: isForm ? (entity ?? {}) : null,
    event: run.event ?? null,
    trigger: {
      by: await byWhom(deps, actor, run),
      origin: run.source,
      at: run.createdAt.toISOString(),
      ...(isForm ? { operation: trigger.operation } : {}),
    },
    action: {
      identifier: run.actionIdentifier,
      ...(run.blueprint === null ? {} : { blueprint: run.blueprint }),
      ...(isForm ? { invocationMethod, encryptedProperties: encryptedInputs(trigger.userInputs) } : {}),
    },
    run: { id: run.id, ...(run.blueprint === null ? {} : { blueprint: run.blueprint }) },
  };
}

async function expandedInputs(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<Values> {
  const { trigger } = run.action.definition;
  if (trigger.type !== 'self-service') return {};
  const expanded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(run.properties)) {
    const input = trigger.userInputs.properties[key];
    const blueprint = input && entityBlueprintOf(input);
    expanded[key] = blueprint === undefined ? value : await expand(deps, actor, blueprint, value);
  }
  return expanded;
}

async function expand(deps: ActionsDeps, actor: Actor, blueprint: string, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => expand(deps, actor, blueprint, each)));
  if (typeof value !== 'string') return value;
  return (await entityContext(deps, systemActor(actor.orgId, actor.model), blueprint, value)) ?? { identifier: value };
}

async function byWhom(deps: ActionsDeps, { orgId }: Actor, run: StoredRun): Promise<Values> {
  if (run.createdByKind === 'system') return { orgId, byPort: true };
  if (run.createdByKind === 'machine') return { orgId, userId: run.createdBy };
  const facts = await findPersonFacts(deps.database, orgId, run.createdBy);
  if (!facts) return { orgId, userId: run.createdBy };
  const [firstName = '', ...rest] = (facts.title ?? '').split(' ');
  return {
    orgId,
    userId: facts.key,
    user: {
      id: facts.key,
      email: facts.identifier,
      firstName,
      lastName: rest.join(' '),
      phoneNumber: null,
      picture: null,
      providers: [],
      // webhook payloads spell the status in capitals, entities do not (users-and-teams §1.6)
      status: facts.status.toUpperCase(),
      createdAt: facts.createdAt.toISOString(),
      updatedAt: facts.updatedAt.toISOString(),
    },
  };
}
