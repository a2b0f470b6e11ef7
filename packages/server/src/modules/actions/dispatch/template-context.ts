import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { findPersonFacts } from '../../accounts/index.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { can } from '../../rights/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import { inputBlueprint, type Values } from '../inputs/form.ts';
import { entityContext } from '../inputs/form-context.ts';
import type { StoredRun } from '../runs/run.ts';

/** The template context of a run (catalog semantics §4.5), without secrets. */
export interface TemplateContext {
  readonly inputs: Values | null;
  readonly entity: Values | null;
  readonly event: unknown;
  readonly trigger: Values;
  readonly action: Values;
  readonly run: Values;
}

/** Builds the context from the current state, as far as the actor may read; entity inputs become entities. */
export async function templateContext(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<TemplateContext> {
  const { trigger, invocationMethod } = run.action.definition;
  const isForm = trigger.type === 'self-service';
  const entity =
    !isForm || run.entity === null || run.blueprint === null
      ? undefined
      : await readAs(deps, actor, run.blueprint, run.entity);
  return {
    inputs: isForm ? await expandedInputs(deps, actor, run) : null,
    entity: isForm ? (entity ?? {}) : null,
    event: await eventFor(deps, actor, run),
    trigger: {
      by: await triggeredBy(deps, actor, run),
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
    const blueprint = input && inputBlueprint(input);
    expanded[key] = blueprint === undefined ? value : await expand(deps, actor, blueprint, value);
  }
  return expanded;
}

async function expand(deps: ActionsDeps, actor: Actor, blueprint: string, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => expand(deps, actor, blueprint, each)));
  if (typeof value !== 'string') return value;
  return (await readAs(deps, actor, blueprint, value)) ?? { identifier: value };
}

/** Reads an entity with the authority of the action, because the author of an address can read what is sent there. */
async function readAs(deps: ActionsDeps, actor: Actor, blueprint: string, entity: string) {
  if (!scopesCover(actor.scopes, 'read:entities')) return undefined;
  return entityContext(deps, actor, blueprint, entity);
}

/** The event; without its before and after if the action may not read them. */
async function eventFor(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<unknown> {
  const event = (run.event ?? null) as { readonly resourceType?: unknown } | null;
  if (event === null || (await mayReadEvent(deps, actor, run, event.resourceType === 'run'))) return event;
  return { ...event, diff: { before: null, after: null } };
}

async function mayReadEvent({ database }: ActionsDeps, actor: Actor, run: StoredRun, isOfRun: boolean) {
  if (!scopesCover(actor.scopes, isOfRun ? 'read:runs' : 'read:entities')) return false;
  if (isOfRun || run.blueprint === null) return isAdmin(actor);
  const blueprint = await findBlueprint(database, actor.orgId, run.blueprint);
  return blueprint ? can(actor, 'read', blueprint) : isAdmin(actor);
}

async function triggeredBy(deps: ActionsDeps, { orgId }: Actor, run: StoredRun): Promise<Values> {
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
      // webhook payloads write the status in capitals, entities do not (users-and-teams §1.6)
      status: facts.status.toUpperCase(),
      createdAt: facts.createdAt.toISOString(),
      updatedAt: facts.updatedAt.toISOString(),
    },
  };
}
