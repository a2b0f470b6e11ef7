import { z } from 'zod';
import { operation } from './operation.ts';

/** Events of the stream of a run, by name. */
export interface WorkflowRunEvents {
  /** The run moved on by one step of its engine. Numbers have no gaps. */
  readonly transition: {
    readonly sequence: number;
    /** What happened, as in `run.started`, `node.called` or `response.decided`. */
    readonly kind: string;
    readonly at: string;
    readonly status: 'IN_PROGRESS' | 'CANCELLING' | 'COMPLETED';
    readonly result: string | null;
    readonly nodeRunIdentifier: string | null;
    readonly nodeIdentifier: string | null;
    readonly nodeStatus: 'IN_PROGRESS' | 'COMPLETED' | null;
    readonly nodeResult: string | null;
    readonly outlet: string | null;
  };
  /** Last event. After `restart` reconnect; after `session-ended` sign in. */
  readonly end: { readonly reason: 'run-ended' | 'restart' | 'session-ended' | 'gone' };
}

export const streamWorkflowRunEvents = operation({
  id: 'streamWorkflowRunEvents',
  method: 'GET',
  path: '/v1/workflows/runs/{run_id}/events',
  tag: 'Workflow runs',
  summary: 'Follow a run of a workflow from its first event, or after `Last-Event-ID`, to its end',
  description:
    'Ids are `<run>:<sequence>`, and sequences have no gaps. What a step gave is read with the run. A `Last-Event-ID` of the last event of a run that has ended is answered with 204, which stops an `EventSource`; one of another run, or of an event that was not sent yet, with 422.',
  access: 'token',
  scope: 'read:runs',
  params: z.object({ run_id: z.string().min(1).max(200) }),
  answerType: 'text/event-stream',
  errors: ['not_found', 'too_many_requests'],
});

export const workflowRunEventOperations = [streamWorkflowRunEvents] as const;
