import { Button, NativeSelect, Text, Textarea } from '@mantine/core';
import type { ContextUsage } from '@portolan/contract/invocation-stream';
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { prepareMarkdown } from '../../kit/markdown.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import classes from './ai.module.css';
import { type AskMode, askModes, modeRequest } from './ask-mode.ts';
import type { Question, QuestionContext } from './follow-answer.ts';
import { BudgetLine, QuotaLine } from './limit-notice.tsx';
import { rememberQuestion } from './question-memory.ts';
import { Turn } from './turn.tsx';
import { useTurns } from './use-turns.ts';

export interface ConversationProps {
  /** The shown conversation, and the branch of it. They live in the address. */
  readonly conversation: string | undefined;
  readonly leaf?: string | undefined;
  readonly onShow: (conversation: string, leaf?: string) => void;
  /** Asks this agent instead of the general assistant. */
  readonly agent?: string | undefined;
  /** What the user is looking at, sent along with each question. */
  readonly context?: { readonly label: string; readonly data: QuestionContext } | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly starters: readonly string[];
  readonly intro: ReactNode;
  /** Limits the height: the right panel, a whole page, or a part of one. */
  readonly place: 'panel' | 'page' | 'part';
}

const characterMax = 60_000;

/** A conversation: its questions and answers, and the input for the next one. */
export function Conversation(props: ConversationProps) {
  const { conversation, leaf, onShow, agent, context, labels, starters, intro, place } = props;
  const { shown, put, onEnd, isMissing, conversation: known } = useTurns(conversation, leaf, onShow);
  const [usage, setUsage] = useState<ContextUsage>();
  const toast = useToast();
  const refresh = useRefresh();
  const isReader = known?.isOwn === false;
  const [text, setText] = useState('');
  const [mode, setMode] = useState<AskMode>('read');
  const [hasContext, setHasContext] = useState(true);
  const asked = useRef(new Map<string, Question>());
  const stops = useRef(new Map<string, () => Promise<void>>());
  const [runningCount, setRunningCount] = useState(0);
  const box = useRef<HTMLTextAreaElement>(null);
  const { scroller, follow, isBehind, toEnd } = useFollowing();
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    prepareMarkdown();
  }, []);

  const ask = (given: string, replaces?: string) => {
    const question = given.trim();
    // what follows an answer waits for its end
    if (question === '' || runningCount > 0) return;
    const { id, place: placed } = put(replaces);
    asked.current.set(id, {
      text: question,
      place: placed,
      agent,
      labels,
      ...(context && hasContext ? { context: context.data } : {}),
      ...(agent === undefined ? modeRequest(mode) : {}),
    });
    rememberQuestion(id, question);
    setText('');
    toEnd();
  };
  const branch = (at: string) => {
    if (conversation === undefined) return;
    call('forkConversation', { params: { conversation_identifier: conversation }, body: { at } }).then(
      async ({ conversation: made }) => {
        await refresh(['listConversations']);
        onShow(made.identifier);
      },
      (error: Error) => toast({ text: error.message, kind: 'failure' }),
    );
  };
  const onStop = useCallback((id: string, stop: (() => Promise<void>) | undefined) => {
    if (stop) stops.current.set(id, stop);
    else stops.current.delete(id);
    setRunningCount(stops.current.size);
  }, []);
  const escapes = useRef(0);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || runningCount === 0) return;
    const isSecond = event.timeStamp - escapes.current < 1_000;
    escapes.current = event.timeStamp;
    if (isSecond) for (const stop of stops.current.values()) void stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape twice stops from anywhere in it; the button does the same
    <div className={classes.conversation} data-place={place} onKeyDown={onKeyDown}>
      <div
        ref={scroller}
        className={classes.transcript}
        role="log"
        aria-live="off"
        aria-label={t('Conversation')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        tabIndex={0}
      >
        {isMissing && <Text c="dimmed">{t('This conversation is not there, or not for you.')}</Text>}
        {shown.length === 0 && conversation === undefined && (
          <div className={classes.intro}>
            {intro}
            {starters.length > 0 && (
              <ul className={classes.starters} aria-label={t('Questions to begin with')}>
                {starters.map((starter) => (
                  <li key={starter}>
                    <button type="button" className={classes.starter} onClick={() => ask(starter)} dir="auto">
                      {starter}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
        {shown.map(({ id, asked: text, siblings, isHidden, hiddenRecords, used }) =>
          isHidden ? (
            <HiddenTurn key={id} asked={text ?? ''} records={hiddenRecords} />
          ) : (
            <Turn
              key={id}
              id={id}
              question={asked.current.get(id)}
              asked={text}
              siblings={siblings}
              used={used}
              onChange={follow}
              onStop={(stop) => onStop(id, stop)}
              onAskAgain={(again) => ask(again)}
              onShow={(sibling) => conversation !== undefined && onShow(conversation, sibling)}
              onEdit={isReader ? undefined : (edited) => ask(edited, id)}
              onBranch={() => branch(id)}
              canKeepNotes={!isReader && agent === undefined}
              onEnd={(shownOf) => {
                onEnd();
                // tells what the answer took
                void refresh(['getConversation']);
                if (shownOf) setUsage(shownOf);
              }}
            />
          ),
        )}
      </div>
      {isBehind && (
        <Button
          className={classes.behind ?? ''}
          size="compact-sm"
          variant="default"
          rightSection={<ArrowDown size={14} />}
          onClick={toEnd}
        >
          {t('New text')}
        </Button>
      )}
      {isReader && (
        <Text c="dimmed" size="sm">
          {t('Somebody shared this conversation with you. “New conversation from here” continues it as your own.')}
        </Text>
      )}
      <form
        hidden={isReader}
        className={classes.composer}
        data-foot={place === 'page' || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          ask(text);
        }}
      >
        {context && hasContext && (
          <span className={classes.chip}>
            <span dir="auto">{context.label}</span>
            <button
              type="button"
              aria-label={t('Do not tell about {label}', { label: context.label })}
              onClick={() => setHasContext(false)}
            >
              ×
            </button>
          </span>
        )}
        <Textarea
          ref={box}
          aria-label={agent === undefined ? t('Ask the assistant') : t('Ask the agent')}
          placeholder={agent === undefined ? t('Ask about services, owners, runs…') : t('Ask this agent')}
          autosize
          minRows={1}
          maxRows={10}
          maxLength={characterMax}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            const last = shown.at(-1);
            if (event.key === 'ArrowUp' && text === '' && last) {
              event.preventDefault();
              setText(asked.current.get(last.id)?.text ?? last.asked ?? '');
            }
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              ask(text);
            }
          }}
        />
        <div className={classes.composerFoot}>
          {agent === undefined ? (
            <NativeSelect
              aria-label={t('What the assistant may do')}
              size="xs"
              w={180}
              data={askModes}
              value={mode}
              onChange={({ currentTarget }) => setMode(currentTarget.value as AskMode)}
              rightSection={<ChevronDown size={14} aria-hidden="true" />}
            />
          ) : (
            <span />
          )}
          <Button
            type="submit"
            size="xs"
            disabled={text.trim() === '' || runningCount > 0}
            rightSection={<ArrowUp size={14} />}
          >
            {t('Ask')}
          </Button>
        </div>
        <Text size="xs" c="dimmed" className={classes.beta ?? ''}>
          {t('Open beta: check what matters. Questions and answers are kept, and administrators can read them.')}{' '}
          {usage && usage.turns > 0 && (
            <>
              {t('{used} of {max} tokens of earlier turns.', {
                used: usage.usedTokens.toLocaleString('en'),
                max: usage.maxTokens.toLocaleString('en'),
              })}{' '}
            </>
          )}
          <QuotaLine /> <BudgetLine />
        </Text>
      </form>
    </div>
  );
}

/** A turn of a shared conversation whose answer was made from what the reader may not read. */
function HiddenTurn({ asked, records }: { asked: string; records: number }) {
  return (
    <article className={classes.turn}>
      <h2 className={classes.question}>
        <span dir="auto">{asked}</span>
      </h2>
      <Text c="dimmed" fs="italic">
        {t('Based on {count} records you may not read.', { count: records })}
      </Text>
    </article>
  );
}

/** The element that scrolls: the transcript if its height is limited, else the page. */
function scrolling(transcript: HTMLElement | null): Element {
  const isTall = transcript && transcript.scrollHeight > transcript.clientHeight + 1;
  // a transcript with its own height keeps the scrolling even while it is not full
  if (transcript && (isTall || getComputedStyle(transcript).overflowY === 'auto')) return transcript;
  return document.scrollingElement ?? document.documentElement;
}

/** Scrolls along with the answer until the user scrolls up. */
function useFollowing() {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isBehind, setBehind] = useState(false);
  useEffect(() => {
    const look = () => {
      const element = scrolling(scroller.current);
      isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48;
      if (isFollowing.current) setBehind(false);
    };
    // capture: scroll events of the transcript do not bubble
    window.addEventListener('scroll', look, { passive: true, capture: true });
    return () => window.removeEventListener('scroll', look, { capture: true });
  }, []);
  const follow = useCallback(() => {
    const element = scrolling(scroller.current);
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    else setBehind(true);
  }, []);
  const toEnd = useCallback(() => {
    isFollowing.current = true;
    setBehind(false);
    requestAnimationFrame(() => {
      const element = scrolling(scroller.current);
      element.scrollTop = element.scrollHeight;
    });
  }, []);
  return { scroller, follow, isBehind, toEnd };
}
