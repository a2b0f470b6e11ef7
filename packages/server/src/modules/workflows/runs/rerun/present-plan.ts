import type { RerunPlanAnswer } from '@portolan/contract/workflow-reruns';
import { createGraph } from '../../definitions/graph.ts';
import type { WorkflowNode } from '../../definitions/workflow.ts';
import type { NodeKinds } from '../../nodes/node-kind.ts';
import { type PastStep, stepsAhead } from './plan-rerun.ts';
import { findEffect, type PastRun } from './rerun-run.ts';

type Step = RerunPlanAnswer['steps'][number];

/** The plan for people and programs: every step with what becomes of it. */
export function presentPlan(
  kinds: NodeKinds,
  { run, nodeRuns, now, current, planned, acknowledge }: PastRun,
  from: string | undefined,
  mayRerun: boolean,
): RerunPlanAnswer {
  const graph = createGraph(now.definition);
  const shared = {
    runIdentifier: run.id,
    version: now.version,
    currentVersion: current?.version ?? null,
    fromNodeIdentifier: from ?? null,
    mayRerun,
    choices: nodeRuns.map(({ node }) => node),
  };
  if ('problem' in planned) {
    return { ...shared, startsAt: null, problem: planned.problem, steps: [], acknowledge: [] };
  }
  const reasons = new Map(planned.moved.map(({ node, reason }) => [node, reason]));
  const describe = (node: WorkflowNode | undefined, name: string, type: string) => ({
    nodeIdentifier: name,
    title: node?.title ?? null,
    type,
    effect: findEffect(kinds, type),
    needsAcknowledgement: false,
  });
  const past = (step: PastStep, becomes: 'reused' | 'again'): Step => ({
    ...describe(graph.node(step.node), step.node, step.type),
    becomes,
    reason: reasons.get(step.node) ?? null,
    nodeRunIdentifier: step.id,
    result: step.result,
    needsAcknowledgement: becomes === 'again' && acknowledge.includes(step.node),
  });
  const told = new Set([...planned.reused, ...planned.again].map(({ node }) => node));
  const ahead = stepsAhead(now.definition, planned).filter(({ identifier }) => !told.has(identifier));
  return {
    ...shared,
    startsAt: planned.startsAt.identifier,
    problem: null,
    acknowledge: [...acknowledge],
    steps: [
      ...planned.reused.map((step) => past(step, 'reused')),
      ...planned.again.map((step) => past(step, 'again')),
      ...ahead.map(
        (node): Step => ({
          ...describe(node, node.identifier, node.config.type),
          becomes: 'ahead',
          reason: null,
          nodeRunIdentifier: null,
          result: null,
        }),
      ),
    ],
  };
}
