import { toRecord } from '@portolan/contract/json-value';
import { searchQuery } from '@portolan/contract/search-query';
import { AppError } from '../../../../platform/errors.ts';
import { searchBlueprint } from '../../../search/index.ts';
import { type ChildKindsDeps, callOther, findBody, triggerOfBody } from '../begin-child.ts';
import { type Child, type Children, failureOfChild, inWindow, type NewChild } from '../child-runs.ts';
import { NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeCall, NodeKind } from '../node-kind.ts';
import { jsonBytes } from '../outputs.ts';
import { renderShown } from '../render-node.ts';
import { type RunContext, runContext, withoutEncrypted } from '../run-context.ts';

const concurrencyStandard = 5;
const itemsStandard = 100;
/** Bytes of all items together. */
const bytesMax = 1_048_576;

/** A run for each item; its output is theirs in the order of the items. */
export function mapKind(deps: ChildKindsDeps): NodeKind {
  return {
    effect: 'children',
    async begin(call) {
      const context = withoutEncrypted(await runContext(deps, call), call);
      const items = await listItems(deps, call, context);
      const { concurrency } = call.node.config;
      if (items.length === 0) return { ...succeededNode({ results: [], failed: [] }), input: { items } };
      const runs: NewChild[] = [];
      for (const [index, item] of items.entries()) runs.push(await childOf(deps, call, context, item, index));
      return { kind: 'children', runs, atOnce: numberOr(concurrency, concurrencyStandard), input: { items } };
    },
    async count(call, children) {
      const { onItemFailure, concurrency } = call.node.config;
      const ended = children.all.filter(({ isEnded }) => isEnded);
      const failed = ended.filter(({ result }) => result !== 'SUCCESS');
      const [first] = failed;
      if (first && onItemFailure !== 'continue') {
        const message = failureOfChild(`The run of item ${first.index} (${first.id})`, first);
        return { kind: 'ended', result: 'FAILED', message, raw: { error: { message }, failed: failed.map(described) } };
      }
      if (ended.length < children.all.length) {
        return { kind: 'goes-on', sendOn: inWindow(children.all, numberOr(concurrency, concurrencyStandard)) };
      }
      return succeededNode({ results: await resultsOf(children), failed: failed.map(described) });
    },
  };
}

/** In the order of the items; null for one whose run did not succeed. */
async function resultsOf({ all, readOutputs }: Children): Promise<unknown[]> {
  const outputs = await readOutputs();
  return all.map(({ index, result }) => (result === 'SUCCESS' ? (outputs.get(index) ?? null) : null));
}

function described({ id, index, result, message }: Child) {
  return { index, workflowRunIdentifier: id, result, message };
}

async function childOf(
  deps: ChildKindsDeps,
  call: NodeCall,
  context: RunContext,
  item: unknown,
  index: number,
): Promise<NewChild> {
  const body = findBody(call);
  if (body) return { ...triggerOfBody(call, body), trigger: { item, index }, index };
  const { inputs, nodeIdentifier, workflowIdentifier } = call.node.config;
  const given = toRecord(
    renderShown({ workflowIdentifier, inputs: inputs ?? null }, context, call.now, { item, index }),
  );
  // an item is data, and no template
  const asked = { ...given, inputs: given['inputs'] ?? item, nodeIdentifier };
  return { ...(await callOther(deps, call, asked)), index };
}

/** @throws NodeFailure for what is no list, or a longer one than is allowed */
async function listItems(deps: ChildKindsDeps, call: NodeCall, context: RunContext): Promise<readonly unknown[]> {
  const { items: written, query } = call.node.config;
  const max = numberOr(call.node.config['maxItems'], itemsStandard);
  const items = query
    ? await findEntities(deps, call, context, max)
    : (renderShown({ items: written }, context, call.now) as { items: unknown }).items;
  if (!Array.isArray(items)) {
    throw new NodeFailure(`"items" came to ${JSON.stringify(items)?.slice(0, 100)}, which is no list`);
  }
  if (items.length > max) {
    const count = query ? `more than ${max}` : items.length;
    throw new NodeFailure(
      `There are ${count} items, and at most ${max} are run: narrow them down, or raise "maxItems"`,
    );
  }
  const bytes = jsonBytes(items);
  if (bytes > bytesMax) throw new NodeFailure(`The items are ${bytes} bytes, and at most ${bytesMax} are run`);
  return items;
}

/** Entities as far as whoever saved the workflow may see them. @throws NodeFailure for a query that cannot be asked */
async function findEntities({ catalog }: ChildKindsDeps, call: NodeCall, context: RunContext, max: number) {
  const { blueprintIdentifier, combinator, rules } = toRecord(
    renderShown(call.node.config['query'], context, call.now),
  );
  const query = searchQuery.safeParse({ combinator: combinator ?? 'and', rules: rules ?? [] });
  if (!query.success || typeof blueprintIdentifier !== 'string') {
    throw new NodeFailure('The query for items came to none that can be asked');
  }
  try {
    const found = await searchBlueprint(catalog, call.actor, blueprintIdentifier, {
      query: query.data,
      limit: max + 1,
    });
    return found.entities;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new NodeFailure(`The query for items failed: ${error.message}`);
  }
}

function numberOr(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}
