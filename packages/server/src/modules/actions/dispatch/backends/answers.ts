import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import type { FollowedWorkflow } from '../../runs/run.ts';
import { contentOf, type Outcome } from '../backend.ts';

/** What a service that did not take a run answered, as the end of the run. */
export function answerFailure(service: string, { status, headers, body }: OutgoingAnswer): Outcome {
  const content = contentOf(body);
  const reason = (content as { message?: unknown } | null)?.message;
  const told = typeof reason === 'string' ? reason : reason === undefined ? '' : JSON.stringify(reason);
  // GitHub says 403 where it says 429 elsewhere
  const isLimited = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0');
  return {
    kind: 'failed',
    message: `${service} answered ${status}${told ? `: ${told.slice(0, 500)}` : ''}`,
    response: { statusCode: status, body: content },
    canRetry: status >= 500 || isLimited,
  };
}

/** What was started is looked after if there is a token to read it with; else the log says what is missing. */
export function followedIf(token: string | undefined, secretName: string, follow: FollowedWorkflow) {
  if (token) return { follow };
  const message = `Its status is not looked at: that needs the organization secret ${secretName}. The run waits for a report`;
  return { message };
}

/** Text that stands for one part of an address: not empty, and no way up. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\.{1,2}$/.test(value);
}

/** The text of a value that came to one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Values as inputs that are texts: what came to null is left out, what is no text is JSON. */
export function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (value === null || value === undefined) return [];
      return [[key, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}
