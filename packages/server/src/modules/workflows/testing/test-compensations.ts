import type { TestedCompensation, TestedStep } from '@portolan/contract/workflow-test';
import { invalidRequest } from '../../../platform/errors.ts';
import { compensatedSteps, findCompensation, holdsCompensations } from '../definitions/compensations.ts';
import { type Graph, isTrigger } from '../definitions/graph.ts';
import type { WorkflowDefinition, WorkflowNode } from '../definitions/workflow.ts';
import type { NodesDeps } from '../nodes/nodes.deps.ts';
import { type StepToTest, testStep, untried } from './test-step.ts';

/** @throws AppError `invalid_request` unless it names a step of the way */
export function assertFailsAt({ nodes }: WorkflowDefinition, failAt: string | undefined): void {
  if (failAt === undefined) return;
  const outside = compensatedSteps(nodes);
  const steps = nodes.filter((node) => !isTrigger(node) && !outside.has(node.identifier));
  if (steps.some(({ identifier }) => identifier === failAt)) return;
  const message = 'names no step of the workflow; triggers and steps that undo others do not fail in a test';
  throw invalidRequest([{ path: '/failAt', message }], 'The test');
}

/** Goes through what a run that fails after these steps would undo: the last first, and on past what fails. */
export async function testCompensations(
  deps: NodesDeps,
  graph: Graph,
  steps: readonly TestedStep[],
  asked: (node: WorkflowNode, taken: number) => StepToTest,
): Promise<TestedCompensation[]> {
  const compensations: TestedCompensation[] = [];
  for (const { node: name } of steps.filter(({ status }) => status === 'SUCCESS').reverse()) {
    const node = graph.node(name);
    const by = findCompensation(graph, node);
    if (by) {
      const { step } = await testStep(deps, asked(by, steps.length + compensations.length));
      compensations.push({ ...step, compensates: name });
    } else if (node && holdsCompensations(node)) {
      compensations.push({ ...inside(node), compensates: name });
    }
  }
  return compensations;
}

/** What its runs did; a test begins none. */
function inside(node: WorkflowNode): TestedStep {
  return {
    ...untried(node),
    from: 'nothing',
    message: 'What its runs did is undone by the steps inside, run by run, the last first; a test begins no runs',
  };
}
