import type { ConversationMessage } from '@portolan/contract/conversations';
import { useCallback, useState } from 'react';
import { useRead } from '../../api/query.ts';
import type { QuestionPlace } from './follow-answer.ts';
import { newInvocationId } from './question-memory.ts';

export interface ShownTurn {
  readonly id: string;
  readonly asked?: string | undefined;
  readonly siblings: readonly string[];
  /** Records behind the answer that the reader may not read. */
  readonly hiddenRecords: number;
  readonly isHidden: boolean;
  /** Of an answer that has ended. */
  readonly used?: TurnUsage | undefined;
}

export interface TurnUsage {
  readonly tokens: number;
  /** Null where no price is known. */
  readonly costUsd: number | null;
}

export interface Turns {
  readonly shown: readonly ShownTurn[];
  /** Absent for what is not there, or no conversation yet. */
  readonly conversation: { readonly title: string; readonly isOwn: boolean } | undefined;
  readonly isMissing: boolean;
  /** The place for a question at the end, or instead of a turn; it is shown there from now on. */
  readonly put: (replaces?: string) => { readonly id: string; readonly place: QuestionPlace };
  /** An answer has ended, so that the server knows the conversation. */
  readonly onEnd: () => void;
}

interface Put {
  readonly conversation: string;
  /** What is shown before the turns that were asked here. */
  readonly base: readonly ShownTurn[];
  readonly ids: readonly string[];
  /** It began here, and no answer has ended yet: reading it might come too early. */
  readonly isUnread: boolean;
}

/** The turns of the shown path: those that the server has, and those asked here since. */
export function useTurns(
  conversation: string | undefined,
  leaf: string | undefined,
  onBegin: (id: string) => void,
): Turns {
  const [put, setPut] = useState<Put>();
  const own = put?.conversation === conversation ? put : undefined;
  const isOn = conversation !== undefined && !own?.isUnread;
  const params = { conversation_identifier: conversation ?? '' };
  const read = useRead(
    'getConversation',
    { params, query: leaf === undefined ? {} : { leaf, below: true } },
    { isOn, keepsPrevious: false },
  );
  const stored = readTurns(isOn ? read.data?.messages : undefined);
  // a branch that was chosen shows what the server has of it
  const last = own?.ids.at(-1);
  const isStored = leaf !== undefined || stored.some(({ id }) => id === last);
  const shown = own && !isStored ? [...own.base, ...own.ids.map(newTurn)] : stored;
  return {
    shown,
    conversation: read.data?.conversation,
    isMissing: read.isError,
    put(replaces) {
      const id = newInvocationId();
      if (conversation === undefined) {
        setPut({ conversation: id, base: [], ids: [id], isUnread: true });
        onBegin(id);
        return { id, place: { conversation: 'new' } };
      }
      const at = shown.findIndex((turn) => turn.id === replaces);
      const base = at < 0 ? shown : shown.slice(0, at);
      setPut({ conversation, base, ids: [id], isUnread: own?.isUnread ?? false });
      onBegin(conversation);
      if (replaces !== undefined) return { id, place: { conversation, replaces } };
      const parent = leaf === undefined ? undefined : shown.at(-1)?.id;
      return { id, place: { conversation, ...(parent === undefined ? {} : { parent }) } };
    },
    onEnd: useCallback(() => setPut((before) => before && { ...before, isUnread: false }), []),
  };
}

function newTurn(id: string): ShownTurn {
  return { id, siblings: [id], hiddenRecords: 0, isHidden: false };
}

function readTurns(messages: readonly ConversationMessage[] = []): ShownTurn[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ invocationIdentifier: id, content, siblings }) => {
      const answer = messages.find((each) => each.role === 'assistant' && each.invocationIdentifier === id);
      const hiddenRecords = answer?.hiddenRecords ?? 0;
      return {
        id,
        asked: typeof content === 'string' ? content : '',
        siblings,
        hiddenRecords,
        isHidden: hiddenRecords > 0,
        used: usedBy(messages.filter((each) => each.invocationIdentifier === id)),
      };
    });
}

function usedBy(messages: readonly ConversationMessage[]): TurnUsage | undefined {
  const ended = messages.find(({ tokens }) => tokens !== undefined);
  return ended?.tokens ? { tokens: ended.tokens, costUsd: ended.costUsd ?? null } : undefined;
}
