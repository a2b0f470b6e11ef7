import type { AnswerOf } from '../../api/api.ts';

export type Report = AnswerOf<'getUsersAndTeams'>;
export type Plan = AnswerOf<'planUsersAndTeams'>['plan'];

/** The five steps, in order. They are words on this screen: the organization has no such states. */
export const steps = [
  { key: 'plan', title: 'Scan and plan' },
  { key: 'rehearse', title: 'Rehearse' },
  { key: 'apply', title: 'Apply' },
  { key: 'verify', title: 'Verify' },
  { key: 'undo', title: 'Undo' },
] as const;
export type Step = (typeof steps)[number]['key'];

export function isUnderWay({ status }: Pick<Report, 'status'>): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Teams are shown by identifier: the migration has changed the model, and nobody has changed it back. */
export function isMigrated({ model }: Pick<Report, 'model'>): boolean {
  return model === 'blueprints';
}

/** Where somebody who opens the page goes on. */
export function currentStep(report: Report): Step {
  if (isUnderWay(report) || (report.status === 'FAILED' && isMigrated(report))) return 'apply';
  return isMigrated(report) ? 'verify' : 'plan';
}

/** Which steps can be opened: there is nothing to verify before, and nothing to plan afterwards. */
export function canOpen(step: Step, report: Report): boolean {
  if (step === currentStep(report)) return true;
  if (isUnderWay(report)) return false;
  if (step === 'plan' || step === 'rehearse') return !isMigrated(report);
  return step === 'apply' || report.status === 'COMPLETED';
}

/** Whether the step has its result. */
export function isDone(step: Step, report: Report): boolean {
  if (!isMigrated(report)) return false;
  return step === 'plan' || step === 'rehearse' || (step === 'apply' && report.status === 'COMPLETED');
}

/** What the run does, in its order and in words. */
export const stages = [
  { key: 'PREFLIGHT', text: 'Look once more for what stands in the way' },
  { key: 'PREPARING', text: 'Give entities the teams that their relations lead to' },
  { key: 'FLIPPING', text: 'Change everything, at one moment' },
  { key: 'APPLYING', text: 'Write the suggestions that were accepted' },
  { key: 'CLEARING', text: 'Clear what was left under relations that went' },
  { key: 'RECOMPUTING', text: 'Have calculations, mirrors and scorecards computed anew' },
] as const;
export const undoStages = [
  { key: 'UNDOING', text: 'Change everything back, at one moment' },
  { key: 'RECOMPUTING', text: 'Have calculations, mirrors and scorecards computed anew' },
] as const;
