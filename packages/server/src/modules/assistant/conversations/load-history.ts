import { conversationLimits } from '@portolan/contract/conversations';
import type { ContextUsage } from '@portolan/contract/invocation-stream';
import type { Actor } from '../../../platform/actor.ts';
import { nameAuthor, outside, type TextAuthor } from '../../../platform/text-authors.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { readEventsWithin } from '../event.store.ts';
import type { Invocation } from '../invocation.store.ts';
import { buildHistory, contextPart, type EarlierTurn, type HistoryMessage, toContextUsage } from '../loop/history.ts';
import { toLoopEvents } from '../loop/read-back.ts';
import { numbersIn, type RecalledCall, recallEvents } from '../loop/recall.ts';
import type { ReadingTurn } from '../receipts/earlier-records.ts';
import { createRecordNumbers, type EarlierNumbers, type NumberingPorts } from '../receipts/number-records.ts';
import { findConversation, readPath, type TurnRow } from './conversation.store.ts';
import { seeTurns } from './see-turns.ts';

export interface LoadedHistory {
  readonly messages: readonly HistoryMessage[];
  readonly context: string;
  readonly fenceMark: string;
  readonly usage: ContextUsage;
  /** What the turns before numbered, those that failed or are not shown too: no number is given twice. */
  readonly numbers: EarlierNumbers;
  /** What the turns that are shown read. */
  readonly turns: readonly ReadingTurn[];
  /** Authors of the turns that are shown. */
  readonly label: readonly TextAuthor[];
}

const eventBytesMax = 1024 * 1024;

/** What a turn is shown of those before it; undefined for a question that stands alone. */
export async function loadHistory(
  deps: AssistantDeps,
  actor: Actor,
  { orgId, conversationId, parentId }: Invocation,
  { ratio, recordsOf }: { readonly ratio: number; readonly recordsOf: NumberingPorts['recordsOf'] },
): Promise<LoadedHistory | undefined> {
  if (conversationId === null) return undefined;
  const { database } = deps;
  const [conversation, path] = await Promise.all([
    findConversation(database, orgId, conversationId),
    parentId === null ? [] : readPath(database, orgId, parentId, conversationLimits.pathTurnsMax),
  ]);
  // deleted meanwhile: the turn is answered as one that stands alone
  if (!conversation) return undefined;
  const seen = await seeTurns(deps, actor, path);
  const turns: (EarlierTurn & { readonly row: TurnRow })[] = [];
  const all: (RecalledCall & { readonly isUnseen: boolean })[] = [];
  for (const { row, isHidden, isGone: isUnseen } of seen) {
    const isGone = isUnseen || isHidden || row.state === 'running';
    const calls = await recallTurn(deps, orgId, row, { recordsOf, earlier: numbersIn(all) });
    all.push(...calls.map((call) => ({ ...call, isUnseen: isGone })));
    turns.push({
      row,
      id: row.id,
      question: row.prompt,
      answer: row.state === 'completed' ? (row.response ?? '') : null,
      calls: isGone || row.state !== 'completed' ? [] : calls,
      isGone,
    });
  }
  const { fenceMark } = conversation;
  const budget = { tokens: deps.historyTokens, ratio, fenceMark };
  const history = buildHistory(turns, budget);
  const shown = new Set(history.shown);
  return {
    messages: history.messages,
    context: contextPart(history, turns.length, deps.clock.now().toISOString().slice(0, 10)),
    fenceMark,
    usage: toContextUsage(history, turns.length, budget),
    numbers: numbersIn(all),
    turns: turns.map(({ id, row, calls }) => ({ id, askedAt: row.askedAt, calls })),
    label: turns.filter(({ id }) => shown.has(id)).flatMap(({ row }) => authorsOf(row, actor)),
  };
}

/** Of a turn that failed only the question is shown, which is of who asked unless a run filled it in. */
function authorsOf({ state, label, askedBy, labels }: TurnRow, actor: Actor): readonly TextAuthor[] {
  if (state === 'completed') return label ?? [outside];
  return askedBy === actor.id && labels['_run_id'] === undefined ? [nameAuthor(actor)] : [outside];
}

/** A question that stood alone kept no digest; its stream has what it read. */
async function recallTurn(
  { database }: Pick<AssistantDeps, 'database'>,
  orgId: string,
  { id, recalled, contentRemovedAt, state }: TurnRow,
  { recordsOf, earlier }: { readonly recordsOf: NumberingPorts['recordsOf']; readonly earlier: EarlierNumbers },
): Promise<readonly RecalledCall[]> {
  if (recalled) return recalled;
  if (contentRemovedAt !== null || state === 'running') return [];
  const { events } = await readEventsWithin(database, orgId, id, eventBytesMax);
  // only numbers are wanted, whenever it was read
  return recallEvents(toLoopEvents(events), createRecordNumbers({ recordsOf, now: () => new Date(0) }, earlier));
}
