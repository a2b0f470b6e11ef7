import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import type { FollowedWorkflow } from '../../runs/run.ts';
import { type BackendOutcome, parseContent } from '../backend.ts';

/** The failure if a service did not accept a run, with the service's answer. */
export function answerFailure(service: string, { status, headers, body }: OutgoingAnswer): BackendOutcome {
  const content = parseContent(body);
  const reason = (content as { message?: unknown } | null)?.message;
  const told = typeof reason === 'string' ? reason : reason === undefined ? '' : JSON.stringify(reason);
  // GitHub uses 403 for rate limits too
  const isLimited = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0');
  return {
    kind: 'failed',
    message: `${service} answered ${status}${told ? `: ${told.slice(0, 500)}` : ''}`,
    response: { statusCode: status, body: content },
    canRetry: status >= 500 || isLimited,
  };
}

/** Polls the work if there is a token for it; otherwise the log says what is missing. */
export function followedIf(token: string | undefined, secretName: string, follow: FollowedWorkflow) {
  if (token) return { follow };
  const message = `Its status is not looked at: that needs the organization secret ${secretName}. The run waits for a report`;
  return { message };
}

/** True if the text is safe as one path segment: not empty, and not `.` or `..`. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\.{1,2}$/.test(value);
}

export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Converts inputs to text: leaves out null, and serializes other values as JSON. */
export function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (value === null || value === undefined) return [];
      return [[key, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}
