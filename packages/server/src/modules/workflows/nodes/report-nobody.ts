import { systemActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { NodeRunPorts } from './node-run.ports.ts';

const message =
  'Nobody can judge what came of it: whoever saved this version of the workflow was removed or disabled, or the version is gone';

/** Fails a node run behind which nobody stands any more, rather than let it wait until its time is up; one that has ended stays so. */
export async function reportNobody(
  { report }: Pick<NodeRunPorts, 'report'>,
  orgId: string,
  nodeRunId: string,
): Promise<void> {
  try {
    await report(systemActor(orgId), nodeRunId, {
      status: 'COMPLETED',
      result: 'FAILED',
      output: { error: { message } },
    });
  } catch (error) {
    const isOver = error instanceof AppError && ['node_run_ended', 'not_found'].includes(error.code);
    if (!isOver) throw error;
  }
}
