import type { NodeRunAnswer, WorkflowRunAnswer } from '@portolan/contract/workflow-runs';
import { expect, test } from 'vitest';
import { explainRun } from './explain-run.ts';

const step = (number: number, more: Partial<NodeRunAnswer> = {}) =>
  ({
    step: number,
    node: { identifier: `step_${number}` },
    nodeConfigType: 'TRANSFORM',
    status: 'COMPLETED',
    result: 'SUCCESS',
    outlet: null,
    reused: false,
    tries: 1,
    message: null,
    waitingFor: null,
    dueAt: null,
    installationId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:00:01.500Z',
    ...more,
  }) as NodeRunAnswer;
const run = (nodeRuns: readonly NodeRunAnswer[], more: Partial<WorkflowRunAnswer> = {}) =>
  ({
    identifier: 'wfr_1',
    workflow: { identifier: 'deploy', title: 'Deploy', version: 3 },
    status: 'COMPLETED',
    result: 'FAILED',
    message: null,
    trigger: { identifier: 'form', type: 'SELF_SERVE_TRIGGER', by: { id: 'ann', kind: 'person' }, causedBy: null },
    parent: null,
    rerunOf: null,
    cancelledBy: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:05:00.000Z',
    nodeRuns,
    ...more,
  }) as WorkflowRunAnswer;

test('says where a run stopped and why, step by step', () => {
  const message = 'The receiver\nanswered 500';
  expect(explainRun(run([step(1), step(2, { result: 'FAILED', message, tries: 4 })]))).toEqual([
    'Run wfr_1 of "Deploy" (deploy, version 3): FAILED after 5 min',
    'Started 2026-01-01T00:00:00.000Z by ann through form (SELF_SERVE_TRIGGER)',
    'It stopped at step_2: The receiver answered 500',
    '1. step_1 (TRANSFORM): SUCCESS, 1.5 s',
    '2. step_2 (TRANSFORM): FAILED, 4 tries, 1.5 s: The receiver answered 500',
  ]);
});

test('says whom a run waits for, and how many have answered', () => {
  const waiting = step(1, {
    status: 'IN_PROGRESS',
    result: null,
    waitingFor: 'response',
    dueAt: '2026-02-01T00:00:00.000Z',
    responders: {
      users: ['bo'],
      roles: ['Admin'],
      teams: [],
      mayRespond: false,
      buttons: [{ identifier: 'yes', needed: 2, given: 1 }],
    },
  });
  const lines = explainRun(run([waiting], { status: 'IN_PROGRESS', result: null, completedAt: null }));
  expect(lines[2]).toBe(
    'It is at step_1: waits for an answer of bo, Admin (yes 1 of 2), until 2026-02-01T00:00:00.000Z',
  );
});

test('takes thirty lines at most, whatever the number of steps and the length of their texts', () => {
  for (const count of [0, 26, 27, 28, 500]) {
    const steps = Array.from({ length: count }, (_, index) => step(index + 1, { message: 'x'.repeat(5_000) }));
    const lines = explainRun(run(steps));
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(300);
    if (count > 0) expect(lines.at(-1)).toContain(`${count}. step_${count}`);
  }
});
