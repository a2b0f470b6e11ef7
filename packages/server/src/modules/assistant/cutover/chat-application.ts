import { AppError } from '../../../platform/errors.ts';

/** The end of the chat application, independent of the organization's stage (specification, Versioning). */
const stoppedAt = new Date(Date.UTC(2025, 9, 1));

const standard =
  'The chat application stopped on 1 October 2025, without backward compatibility. A replacement is planned for Q1 2026, subject to change. Ask over POST /v1/ai/invoke.';

export function chatApplication(now: Date, notice = standard) {
  return { stopped: now >= stoppedAt, since: stoppedAt.toISOString(), message: notice };
}

/** The answer of its inbound addresses. */
export function refuseChat(now: Date, notice = standard): never {
  if (now >= stoppedAt) throw new AppError('endpoint_removed', notice, { details: { since: stoppedAt.toISOString() } });
  throw new AppError('not_implemented', 'The chat application is not part of this installation');
}
