import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/api.ts';
import { type Answer, noAnswer, withEvent } from './answer-events.ts';
import { followAnswer, type Question } from './follow-answer.ts';

export interface FollowedAnswer {
  readonly answer: Answer;
  readonly isRunning: boolean;
  /** False while the connection is lost; the invocation continues on the server. */
  readonly isConnected: boolean;
  readonly refusal: Error | undefined;
  readonly stop: () => Promise<void>;
}

/**
 * The streaming answer of an invocation: starts it if there is a question, otherwise reads it from its start.
 * Unmounting does not stop the invocation.
 */
export function useAnswer(id: string, question: Question | undefined): FollowedAnswer {
  const queries = useQueryClient();
  const [answer, setAnswer] = useState<Answer>(noAnswer);
  const [isConnected, setConnected] = useState(true);
  const [refusal, setRefusal] = useState<Error>();
  const latest = useRef(answer);
  const asked = useRef(question);
  useEffect(() => {
    let hasBegun = asked.current === undefined;
    const stopper = new AbortController();
    followAnswer({
      id,
      question: asked.current,
      signal: stopper.signal,
      lastEventId: () => latest.current.lastEventId,
      onEvents: (events) => {
        latest.current = events.reduce((before, { event, at }) => withEvent(before, event, at), latest.current);
        setAnswer(latest.current);
        // from now on the list has it, as one that is being answered
        if (!hasBegun) void queries.invalidateQueries({ queryKey: ['listConversations'] });
        hasBegun = true;
      },
      onConnection: setConnected,
    }).then(
      () => void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => staleAfter.has(name) }),
      (error: Error) => {
        if (!stopper.signal.aborted) setRefusal(error);
      },
    );
    return () => stopper.abort();
  }, [id, queries]);
  return {
    answer,
    isRunning: answer.end === undefined && refusal === undefined,
    isConnected,
    refusal,
    stop: async () => {
      await call('cancelInvocationByPost', { params: { invocation_identifier: id } });
    },
  };
}

const staleAfter = new Set<unknown>([
  'getAiQuota',
  'listAiBudgets',
  'listInvocations',
  'getInvocation',
  'listRuns',
  'getAiUsage',
  'listConversations',
  'getConversation',
]);
