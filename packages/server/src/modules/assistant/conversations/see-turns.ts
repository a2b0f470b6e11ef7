import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { isNarrowed } from '../../access/index.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { visibleEntities } from '../../entities/index.ts';
import { can } from '../../rights/index.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import type { RecalledCall } from '../loop/recall.ts';
import { findConversation, readPath, type SharedUntil, type TurnRow } from './conversation.store.ts';

export type SeeDeps = Pick<AssistantDeps, 'database' | 'catalog'>;

/** A turn as one reader sees it. */
export interface SeenTurn {
  readonly row: TurnRow;
  /** Its contents were removed, or it was never shared with the reader. */
  readonly isGone: boolean;
  /** Its answer and calls are left out, because the reader may not read all they were made from. */
  readonly isHidden: boolean;
  readonly hiddenRecords: number;
}

const sharedPathMax = 1_000;
/** What these answer is the same for everybody who may use the catalog. */
const schemaTools = new Set(['list_blueprints', 'get_blueprint', 'list_scorecards', 'get_scorecard']);
/** All that these answer are records, which can be checked one by one. */
const recordTools = new Set([
  'list_entities',
  'search_entities',
  'get_entity',
  'get_entities_by_identifiers',
  'list_teams',
  'get_team',
  'list_users',
  'get_user',
]);
/** These answer figures over records; only who may read all records may read those. */
const figureTools = new Set(['count_entities', 'get_figures']);

/** Own turns whole; those of others as far as they are shared with the reader, and made of what the reader may read. */
export async function seeTurns(deps: SeeDeps, actor: Actor, turns: readonly TurnRow[]): Promise<SeenTurn[]> {
  const foreign = turns.filter(({ askedBy }) => askedBy !== actor.id);
  if (foreign.length === 0 || isAdmin(actor)) return turns.map((row) => seen(row));
  const shared = await sharedTurns(deps, actor, foreign);
  const readable = await readableParts(deps, actor, foreign);
  return turns.map((row) => {
    if (row.askedBy === actor.id) return seen(row);
    if (!shared.has(row.id)) return { row, isGone: true, isHidden: true, hiddenRecords: 0 };
    if (row.state !== 'completed') return { ...seen(row), isHidden: row.response !== null };
    const hidden = readable(row);
    return { ...seen(row), isHidden: hidden > 0, hiddenRecords: hidden };
  });
}

function seen(row: TurnRow): SeenTurn {
  return { row, isGone: row.contentRemovedAt !== null, isHidden: false, hiddenRecords: 0 };
}

/** The turns of others that a share covers: those of the path up to the shared turn. */
async function sharedTurns({ database }: SeeDeps, actor: Actor, turns: readonly TurnRow[]): Promise<Set<string>> {
  const conversations = new Set(turns.flatMap(({ conversationId }) => conversationId ?? []));
  const found = new Set<string>();
  for (const id of conversations) {
    const conversation = await findConversation(database, actor.orgId, id);
    if (!conversation?.shared || !isSharedWith(conversation.shared, actor)) continue;
    const path = await readPath(database, actor.orgId, conversation.shared.until, sharedPathMax);
    for (const turn of path) if (turn.conversationId === id) found.add(turn.id);
  }
  return found;
}

export function isSharedWith(shared: SharedUntil, actor: Actor): boolean {
  if (shared.with === 'organization') return true;
  const isUser = actor.userId !== undefined && shared.users.includes(actor.userId);
  return isUser || actor.teamKeys.some((key) => shared.teams.includes(key));
}

/** Counts for each turn what of it the reader may not read. */
async function readableParts(
  deps: SeeDeps,
  actor: Actor,
  turns: readonly TurnRow[],
): Promise<(turn: TurnRow) => number> {
  const calls = turns.flatMap(({ recalled }) => recalled ?? []);
  const records = calls.flatMap((call) => call.records);
  const [visible, blueprints] = await Promise.all([
    visibleEntities(deps.catalog, actor, records),
    listBlueprintRows(deps.database, actor.orgId),
  ]);
  const names = new Set(visible.map(({ blueprint, identifier }) => `${blueprint}/${identifier}`));
  const readsAll = blueprints.every((each) => can(actor, 'read', each) && !isNarrowed(actor, each, blueprints));
  const hiddenIn = (call: RecalledCall): number => {
    if (schemaTools.has(call.tool)) return 0;
    const hidden = call.records.filter(({ blueprint, identifier }) => !names.has(`${blueprint}/${identifier}`)).length;
    if (hidden > 0) return hidden;
    if (readsAll && (recordTools.has(call.tool) || figureTools.has(call.tool))) return 0;
    const isWhole = !call.isError && call.total !== undefined && call.records.length >= call.total;
    return recordTools.has(call.tool) && (isWhole || call.records.length === 1) ? 0 : 1;
  };
  return ({ recalled }) =>
    // without a recall nobody knows what it was made from
    recalled === null ? 1 : recalled.reduce((sum, call) => sum + hiddenIn(call), 0);
}
