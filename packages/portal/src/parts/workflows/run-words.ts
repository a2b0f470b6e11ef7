import type { AnswerOf } from '../../api/api.ts';
import { plural, t } from '../../kit/translate.ts';

type Summary = AnswerOf<'listWorkflowRuns'>['runs'][number];
type Waiting = Summary['waitingFor'];

/** The status of a run as its badge shows it: how it ended, or that it goes on or waits. */
export function runState({ status, result, waitingFor }: Pick<Summary, 'status' | 'result' | 'waitingFor'>): string {
  if (status === 'COMPLETED') return result ?? 'COMPLETED';
  if (status === 'CANCELLING') return 'CANCELLED';
  return ['response', 'time', 'event'].includes(waitingFor ?? '') ? 'PENDING' : 'IN_PROGRESS';
}

/** The word on the badge of what waits; others have their own. */
export function waitLabel(
  run: Parameters<typeof runState>[0] & { readonly endsAs?: Summary['endsAs'] },
): string | undefined {
  if (run.status !== 'COMPLETED' && run.endsAs) return t('Being undone');
  if (run.status === 'CANCELLING') return t('Being cancelled');
  return runState(run) === 'PENDING' ? t('Waiting') : undefined;
}

/** Why a run waits, in words. */
export function waitWords(waitingFor: Waiting): string | undefined {
  if (!waitingFor) return undefined;
  return {
    report: t('Waits for the report of its executor'),
    response: t('Waits for a response'),
    time: t('Waits for a time'),
    child: t('Waits for another run'),
    place: t('Waits for a free place'),
    action: t('Waits for the run of an action'),
    event: t('Waits for an event'),
  }[waitingFor];
}

/** How far the runs are that a step began. */
export function childrenInWords({
  total,
  completed,
  failed,
}: {
  total: number;
  completed: number;
  failed: number;
}): string {
  const done = t('{completed} of {total} runs ended', { completed, total });
  return failed === 0 ? done : `${done}, ${plural(failed, '{count} failed', '{count} failed')}`;
}

/** Who is asked, as a list in words. */
export function peopleInWords({
  users,
  roles,
  teams,
}: {
  users: readonly string[];
  roles: readonly string[];
  teams: readonly string[];
}): string {
  return [
    roles.length > 0 ? t('role {roles}', { roles: roles.join(', ') }) : '',
    teams.length > 0 ? t('team {teams}', { teams: teams.join(', ') }) : '',
    users.join(', '),
  ]
    .filter(Boolean)
    .join(' · ');
}
