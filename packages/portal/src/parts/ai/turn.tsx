import { ActionIcon, Alert, Button, Group, Text, Textarea } from '@mantine/core';
import type { ContextUsage } from '@portolan/contract/invocation-stream';
import { GitBranch, RotateCcw, ScrollText, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorStatus } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ActionIconLink, AnchorLink } from '../../frame/links.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useIsSlow } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Tooltip } from '../../kit/tooltip.tsx';
import { plural, t } from '../../kit/translate.ts';
import { ProposalCard } from '../workflows/proposal-card.tsx';
import { WorkflowDraftCard } from '../workflows/workflow-draft.tsx';
import classes from './ai.module.css';
import { type AnswerPart, answerText, shownParts, type ToolPart } from './answer-events.ts';
import { BackedLine, BackedText } from './backed-text.tsx';
import { DraftCard } from './draft-card.tsx';
import type { Question } from './follow-answer.ts';
import { Refusal } from './limit-notice.tsx';
import { MakeWorkflow } from './make-workflow.tsx';
import { NoteCard } from './note-card.tsx';
import { rememberedQuestion } from './question-memory.ts';
import { ToolRows } from './tool-rows.tsx';
import { TurnPlace } from './turn-place.tsx';
import { useAnswer } from './use-answer.ts';
import type { TurnUsage } from './use-turns.ts';

/** A question and its streaming answer. */
export function Turn({
  id,
  question,
  onChange,
  onStop,
  onAskAgain,
  asked,
  siblings = [],
  onShow,
  onEdit,
  onBranch,
  onEnd,
  used,
  canKeepNotes = false,
}: {
  id: string;
  /** Absent if asked before this page was opened. */
  question: Question | undefined;
  /** Called after each event, for scrolling. */
  onChange: () => void;
  /** Hands out the stop function; undefined once the answer has ended. */
  onStop: (stop: (() => Promise<void>) | undefined) => void;
  onAskAgain: (text: string) => void;
  /** The question as the conversation has it. */
  asked?: string | undefined;
  /** All turns in this place, this one among them. */
  siblings?: readonly string[];
  onShow?: ((sibling: string) => void) | undefined;
  onEdit?: ((text: string) => void) | undefined;
  /** Begins a conversation that continues here. */
  onBranch?: (() => void) | undefined;
  /** Called when the answer has ended, with what of the conversation it was shown. */
  onEnd?: ((usage: ContextUsage | undefined) => void) | undefined;
  /** What the answer took, as far as it is known. */
  used?: TurnUsage | undefined;
  /** Whether the reader asked this themselves, of the assistant: then what it asks to be remembered is offered. */
  canKeepNotes?: boolean;
}) {
  const { answer, isRunning, isConnected, refusal, stop } = useAnswer(id, question);
  const toast = useToast();
  const text = useQuestionText(id, question, asked, refusal === undefined);
  const [draft, setDraft] = useState<string>();
  const isSlow = useIsSlow(isRunning && answer.parts.length === 0 && answer.letters === '', 4_000);
  const parts = shownParts(answer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever came may have made the transcript longer
  useEffect(onChange, [answer, refusal]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end matters
  useEffect(() => {
    onStop(isRunning ? stop : undefined);
    return () => onStop(undefined);
  }, [isRunning]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end matters
  useEffect(() => {
    if (answer.end) onEnd?.(answer.end.contextUsage);
  }, [answer.end]);
  const stopNow = () => {
    stop().catch((error: Error) => toast({ text: error.message, kind: 'failure' }));
  };
  return (
    <article className={classes.turn}>
      <h2 className={classes.question}>
        <span className="visually-hidden">{t('You asked:')} </span>
        <span dir="auto">{text ?? '…'}</span>
      </h2>
      <TurnPlace
        id={id}
        siblings={siblings}
        onShow={onShow}
        onEdit={!isRunning && onEdit && text !== undefined ? () => setDraft(text) : undefined}
      />
      {draft !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.trim() === '') return;
            onEdit?.(draft.trim());
            setDraft(undefined);
          }}
        >
          <Textarea
            aria-label={t('The question')}
            autosize
            maxRows={10}
            value={draft}
            data-autofocus
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          />
          <Group gap={4} my={4}>
            <Button type="submit" size="compact-sm" disabled={draft.trim() === ''}>
              {t('Ask this instead')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setDraft(undefined)}>
              {t('Cancel')}
            </Button>
          </Group>
        </form>
      )}
      <div className={classes.answer} aria-busy={isRunning}>
        {grouped(parts).map((group, index, all) => {
          const isLast = index === all.length - 1;
          if (Array.isArray(group))
            return <ToolRows key={group[0]?.id} tools={group} isLive={isRunning || !!question} />;
          const part = group as Exclude<AnswerPart, ToolPart>;
          if (part.kind === 'draft') {
            const { runId } = part.request;
            if (runId.startsWith('wfp_')) return <ProposalCard key={runId} id={runId} className={classes.draft} />;
            const isOfWorkflow = runId.startsWith('wfr_');
            if (isOfWorkflow) return <WorkflowDraftCard key={runId} id={runId} className={classes.draft} />;
            return <DraftCard key={runId} request={part.request} />;
          }
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
          return <BackedText key={index} answer={answer} part={part} isStreaming={isRunning && isLast} />;
        })}
        {answer.receipts && !isRunning && <BackedLine receipts={answer.receipts} />}
        {answer.error && (
          <Alert color="red" title={t('The answer was not finished')}>
            {answer.error.message}
          </Alert>
        )}
        {refusal && <Refusal error={refusal} onRetry={text ? () => onAskAgain(text) : undefined} />}
        {isRunning && (
          <div className={classes.progress}>
            <span className={classes.pulse} aria-hidden="true" />
            <Text size="sm" c="dimmed">
              {isConnected
                ? isSlow
                  ? t('Waiting for the model')
                  : t('Working')
                : t('Reconnecting. The answer goes on at the server')}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Square size={12} fill="currentColor" aria-hidden="true" />}
              onClick={stopNow}
            >
              {t('Stop')}
            </Button>
          </div>
        )}
        {!isRunning && !refusal && canKeepNotes && text !== undefined && <NoteCard question={text} invocation={id} />}
        {!isRunning && !refusal && (
          <Group gap={4} className={classes.turnFoot}>
            <CopyValue value={answerText(answer)} what={t('the answer')} />
            <Tooltip label={t('What was done for this answer')}>
              <ActionIconLink
                to="/ai/invocations/$invocation"
                params={{ invocation: id }}
                size="sm"
                aria-label={t('What was done for this answer')}
              >
                <ScrollText size={14} />
              </ActionIconLink>
            </Tooltip>
            {text !== undefined && siblings.length > 0 && (
              <ActionIcon
                size="sm"
                aria-label={t('Ask the same again')}
                title={t('Ask the same again')}
                onClick={() => onEdit?.(text)}
              >
                <RotateCcw size={14} />
              </ActionIcon>
            )}
            {answer.end?.notesUsed !== undefined && (
              <AnchorLink to="/me/memory" size="xs">
                {plural(answer.end.notesUsed, '{count} note used', '{count} notes used')}
              </AnchorLink>
            )}
            {onBranch && (
              <ActionIcon
                size="sm"
                aria-label={t('New conversation from here')}
                title={t('New conversation from here')}
                onClick={onBranch}
              >
                <GitBranch size={14} />
              </ActionIcon>
            )}
            {parts.some(({ kind }) => kind === 'tool') && <MakeWorkflow invocation={id} isIcon />}
            {used && <UsedText {...used} />}
          </Group>
        )}
      </div>
      <span role="status" className="visually-hidden">
        {isRunning ? (isConnected ? '' : t('Reconnecting')) : refusal ? '' : t('The answer is complete')}
      </span>
    </article>
  );
}

function UsedText({ tokens, costUsd }: TurnUsage) {
  const count = tokens.toLocaleString('en');
  return (
    <Text size="xs" c="dimmed">
      {costUsd === null
        ? t('{count} tokens', { count })
        : t('{count} tokens, {cost}', { count, cost: `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}` })}
    </Text>
  );
}

/** The text of the question: known here, remembered by the tab, or the title of the invocation. */
function useQuestionText(
  id: string,
  question: Question | undefined,
  asked: string | undefined,
  mayRead: boolean,
): string | undefined {
  const known = question?.text ?? asked ?? rememberedQuestion(id);
  const params = { blueprint_identifier: '_ai_invocations', entity_identifier: id };
  const entity = useRead('getEntity', { params }, { isOn: known === undefined && mayRead });
  if (known !== undefined) return known;
  if (errorStatus(entity.error) === 404) return t('A question that is not for you, or not there any more');
  return entity.data?.entity.title ?? undefined;
}

/** Groups consecutive tool calls. */
function grouped(parts: readonly AnswerPart[]): (ToolPart[] | AnswerPart)[] {
  const groups: (ToolPart[] | AnswerPart)[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.kind !== 'tool') groups.push(part);
    else if (Array.isArray(last)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}
