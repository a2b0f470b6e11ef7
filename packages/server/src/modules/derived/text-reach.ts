import type { Reader } from '../../platform/db/database.ts';
import { blueprintProperties } from '../blueprints/index.ts';
import type { DerivationPlans } from './derivation-plan.ts';
import type { DerivedNode } from './derived-node.ts';
import { loadPlans } from './load-plans.ts';
import { listDependencies } from './node-order.ts';
import { teamHop } from './relation-path.ts';

/** Where texts of computed values come from. */
export interface TextReach {
  /** Relations between an entity and the farthest text that it shows, by mirrors of mirrors and of calculations too. */
  readonly hops: number;
  /** Whether it shows what a blueprint on the way computes, or values that one lists: words of whoever wrote it. */
  readonly showsOtherWords: boolean;
  /** The blueprint of teams, where it shows texts of the teams that own an entity. */
  readonly teams: number | undefined;
}

/** How far the computed values of entities of these blueprints reach. */
export async function findTextReach(
  reader: Reader,
  orgId: string,
  blueprintKeys: readonly number[],
): Promise<TextReach> {
  const plans = await loadPlans(reader, orgId);
  const nodes = blueprintKeys.flatMap((key) => plans.byBlueprint.get(key)?.nodes ?? []);
  const read = closeOver(plans, nodes);
  const mirrors = [...read].filter((node) => node.kind === 'mirror');
  const passesTeams = mirrors.some(
    ({ route }) => route.kind !== 'path' || route.steps.some(({ relation }) => relation === teamHop),
  );
  const own = new Set(blueprintKeys);
  return {
    hops: Math.max(0, ...nodes.map((node) => countHops(plans, node, new Set()))),
    showsOtherWords: [...read].some((node) => showsWords(node, own)),
    teams: passesTeams ? plans.byIdentifier.get('_team')?.key : undefined,
  };
}

function showsWords(node: DerivedNode, own: ReadonlySet<number>): boolean {
  if (node.kind === 'calculation') return !own.has(node.blueprint.key);
  if (node.kind !== 'mirror' || own.has(node.route.end.key)) return false;
  const { enum: values, items } = blueprintProperties(node.route.end)[node.source] ?? {};
  return Array.isArray(values) || Array.isArray((items as { enum?: unknown } | undefined)?.enum);
}

/** The values, and those that they are computed from. */
function closeOver({ nodes }: DerivationPlans, from: readonly DerivedNode[]): ReadonlySet<DerivedNode> {
  const read = new Set(from);
  for (const node of read) for (const id of listDependencies(node)) addTo(read, nodes.get(id));
  return read;
}

function addTo(nodes: Set<DerivedNode>, node: DerivedNode | undefined): void {
  if (node) nodes.add(node);
}

/** Aggregations are numbers, so that no text comes through them; of owning teams only names do. */
function countHops(plans: DerivationPlans, node: DerivedNode, above: ReadonlySet<string>): number {
  if ((node.kind !== 'mirror' && node.kind !== 'calculation') || above.has(node.id)) return 0;
  const passed = node.kind === 'calculation' ? 0 : node.route.kind === 'path' ? node.route.steps.length : Infinity;
  const through = listDependencies(node).map((id) => {
    const read = plans.nodes.get(id);
    return read ? countHops(plans, read, new Set([...above, node.id])) : 0;
  });
  return passed + Math.max(0, ...through);
}
