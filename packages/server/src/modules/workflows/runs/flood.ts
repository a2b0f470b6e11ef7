import type { Work } from '../../../platform/unit-of-work.ts';
import { limits } from '../definitions/limits.ts';
import { pauseTriggerWithin } from '../definitions/pause-triggers.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { tellSaver } from '../nodes/tell-saver.ts';

const most = limits.startsPerTriggerAndMinute;

/** Why the first run too many is stored without being carried out. */
export const tooManyStarts = `Stopped: the trigger started more than ${most} runs within a minute, which looks like a loop; it is paused until somebody resumes it`;

/** A trigger that starts too much starts nothing more until somebody resumes it, and whoever saved it is told. */
export async function pauseFlooded(work: Work, { key, identifier }: StoredWorkflow, node: string): Promise<void> {
  const reason = `It started more than ${most} runs within a minute, which looks like a loop`;
  if (!(await pauseTriggerWithin(work, { workflowKey: key, identifier, node, reason }))) return;
  await work.enqueue(tellSaver, { workflowKey: key, node, reason });
}
