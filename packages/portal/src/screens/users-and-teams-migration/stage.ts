import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type Report = AnswerOf<'getUsersAndTeams'>;
export type Plan = AnswerOf<'planUsersAndTeams'>['plan'];

/** The five steps in order. They exist only on this screen, not as states of the organization. */
export const steps = [
  { key: 'plan', title: t('Scan and plan') },
  { key: 'rehearse', title: t('Rehearse') },
  { key: 'apply', title: t('Apply') },
  { key: 'verify', title: t('Verify') },
  { key: 'undo', title: t('Undo') },
] as const;
export type Step = (typeof steps)[number]['key'];

export function isUnderWay({ status }: Pick<Report, 'status'>): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Teams are referenced by identifier: the migration is applied and not undone. */
export function isMigrated({ model }: Pick<Report, 'model'>): boolean {
  return model === 'blueprints';
}

/** The step to open first. */
export function currentStep(report: Report): Step {
  if (isUnderWay(report) || (report.status === 'FAILED' && isMigrated(report))) return 'apply';
  return isMigrated(report) ? 'verify' : 'plan';
}

/** Which steps can be opened: verify only after the migration, plan and rehearse only before it. */
export function canOpen(step: Step, report: Report): boolean {
  if (step === currentStep(report)) return true;
  if (isUnderWay(report)) return false;
  if (step === 'plan' || step === 'rehearse') return !isMigrated(report);
  return step === 'apply' || report.status === 'COMPLETED';
}

/** Whether the step is complete. */
export function isDone(step: Step, report: Report): boolean {
  if (!isMigrated(report)) return false;
  return step === 'plan' || step === 'rehearse' || (step === 'apply' && report.status === 'COMPLETED');
}

/** The stages of the migration in order, in words. */
export const stages = [
  { key: 'PREFLIGHT', text: t('Look once more for what stands in the way') },
  { key: 'PREPARING', text: t('Give entities the teams that their relations lead to') },
  { key: 'FLIPPING', text: t('Change everything, at one moment') },
  { key: 'APPLYING', text: t('Write the suggestions that were accepted') },
  { key: 'CLEARING', text: t('Clear what was left under relations that went') },
  { key: 'RECOMPUTING', text: t('Recalculate calculations, mirrors and scorecards') },
] as const;
export const undoStages = [
  { key: 'UNDOING', text: t('Change everything back, at one moment') },
  { key: 'RECOMPUTING', text: t('Recalculate calculations, mirrors and scorecards') },
] as const;
