import * as entities from '@portolan/contract/entities';
import type { Operation } from '@portolan/contract/operation';
import * as people from '@portolan/contract/people';
import type { ReceiptRecord, Receipts } from '@portolan/contract/receipts';
import { requiredScope, scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { searchBlueprint } from '../../search/index.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { readShownInvocation } from '../conversations/read-shown-invocation.ts';
import type { Invocation } from '../invocation.store.ts';
import { findReceipts } from './receipt.store.ts';

type Deps = Pick<AssistantDeps, 'database' | 'catalog'>;

/** @throws AppError `not_found`, also while the invocation runs and if it read nothing */
export async function readReceipts(deps: AssistantDeps, actor: Actor, id: string): Promise<Receipts> {
  const receipts = await receiptsFor(deps, actor, await readShownInvocation(deps, actor, id));
  if (!receipts) throw notFound('Receipts of invocation', id);
  return receipts;
}

/** The receipts of an invocation that the reader may read, without what they may not read now. */
export async function receiptsFor(
  deps: Deps,
  actor: Actor,
  { id, askedBy }: Pick<Invocation, 'id' | 'askedBy'>,
): Promise<Receipts | undefined> {
  const receipts = await findReceipts(deps.database, actor.orgId, id);
  if (!receipts) return undefined;
  const isOwn = askedBy === actor.id || isAdmin(actor);
  const readable = await readableThings(deps, actor, Object.values(receipts.records));
  const isShown = (record: ReceiptRecord): boolean => {
    const thing = thingOf(record);
    if (thing) return readable.has(thing.join(' '));
    return isOwn || record.kind === 'document';
  };
  const records = Object.entries(receipts.records).map(
    ([ref, record]) => [ref, isShown(record) ? record : ({ kind: 'hidden' } as const)] as const,
  );
  const hidden = new Set(records.flatMap(([ref, { kind }]) => (kind === 'hidden' ? [ref] : [])));
  const units = receipts.units.map((unit) =>
    // a record that had no room cannot be shown, and so neither can what it says
    unit.refs?.some((ref) => hidden.has(ref) || !(ref in receipts.records))
      ? { start: unit.start, end: unit.end, status: 'hidden' as const }
      : unit,
  );
  return { ...receipts, units, records: Object.fromEntries(records) };
}

/** The entity that a record was: people and teams are entities too. */
function thingOf({ kind, blueprint, identifier }: ReceiptRecord): [blueprint: string, identifier: string] | undefined {
  if (identifier === undefined) return undefined;
  if (kind === 'person') return ['_user', identifier];
  if (kind === 'team') return ['_team', identifier];
  return blueprint === undefined ? undefined : [blueprint, identifier];
}

const searchedMax = 100;

async function readableThings(
  { catalog }: Deps,
  actor: Actor,
  records: readonly ReceiptRecord[],
): Promise<ReadonlySet<string>> {
  const byBlueprint = new Map<string, string[]>();
  for (const record of records) {
    const [blueprint, identifier] = thingOf(record) ?? [];
    if (blueprint === undefined || identifier === undefined || !mayAsk(actor, operationOf(record))) continue;
    byBlueprint.set(blueprint, [...(byBlueprint.get(blueprint) ?? []), identifier]);
  }
  const readable = new Set<string>();
  for (const [blueprint, identifiers] of byBlueprint) {
    for (let from = 0; from < identifiers.length; from += searchedMax) {
      const value = identifiers.slice(from, from + searchedMax);
      const query = {
        combinator: 'and' as const,
        rules: [{ property: '$identifier', operator: 'in' as const, value }],
      };
      const found = await searchBlueprint(catalog, actor, blueprint, { query, limit: searchedMax }).catch(unreadable);
      for (const { identifier } of found.entities) readable.add(`${blueprint} ${identifier}`);
    }
  }
  return readable;
}

function operationOf({ kind }: ReceiptRecord): Operation {
  if (kind === 'person') return people.getUser;
  return kind === 'team' ? people.getTeam : entities.getEntity;
}

function mayAsk(actor: Actor, operation: Operation): boolean {
  const scope = requiredScope(operation);
  return scope === null || scopesCover(actor.scopes, scope);
}

/** A blueprint that is gone, or closed to the reader, shows nothing. */
function unreadable(error: unknown): { readonly entities: readonly { readonly identifier: string }[] } {
  if (error instanceof AppError && error.status < 500) return { entities: [] };
  throw error;
}
