import { describe, expect, test } from 'vitest';
import { isReread, isTouched } from './live-reads.ts';

const updated = { event: 'entity.updated', resource: 'entity', identifier: 'api', blueprint: 'service', entity: 'api' };
const touched = (key: readonly unknown[], change: object = updated) =>
  isTouched({ queryKey: key }, [change as typeof updated]);

describe('an entity that changed', () => {
  test('makes itself and figures of its blueprint old, and nothing of others', () => {
    expect(touched(['getEntity', 'versioned', 'service', 'api'])).toBe(true);
    expect(touched(['getEntity', 'versioned', 'service', 'web'])).toBe(false);
    expect(touched(['getEntity', 'versioned', 'team', 'api'])).toBe(false);
    expect(touched(['countEntities', { params: { blueprint_identifier: 'service' } }])).toBe(true);
    expect(touched(['countEntities', { params: { blueprint_identifier: 'services' } }])).toBe(false);
    expect(touched(['listBlueprints'])).toBe(false);
  });

  test('never moves rows that somebody is reading', () => {
    expect(touched(['searchBlueprintEntities', 'service', {}])).toBe(false);
    expect(isReread({ queryKey: ['searchBlueprintEntities', 'service', {}] })).toBe(false);
    expect(isReread({ queryKey: ['listRuns'] })).toBe(true);
  });

  test('of which only the kind is known may be any of its blueprint', () => {
    const many = { event: 'entity.updated', resource: 'entity', blueprint: 'service' };
    expect(touched(['getEntity', 'versioned', 'service', 'web'], many)).toBe(true);
    expect(touched(['getEntity', 'versioned', 'team', 'web'], many)).toBe(false);
  });
});

test('a run of a workflow that changed makes its own reads and every list of them old', () => {
  const run = { event: 'workflow-run.updated', resource: 'workflowRun', identifier: 'wfr_1' };
  expect(touched(['getWorkflowRun', { params: { run_id: 'wfr_1' } }], run)).toBe(true);
  expect(touched(['getWorkflowRun', { params: { run_id: 'wfr_10' } }], run)).toBe(false);
  expect(touched(['listWorkflowRuns', { query: { waiting_for_me: true } }], run)).toBe(true);
  expect(touched(['listRuns', { query: {} }], run)).toBe(false);
});

test('a run that changed makes its own reads and every list of runs old', () => {
  const run = { event: 'run.updated', resource: 'run', identifier: 'r_1' };
  expect(touched(['getRun', { params: { run_id: 'r_1' } }], run)).toBe(true);
  expect(touched(['getRun', { params: { run_id: 'r_10' } }], run)).toBe(false);
  expect(touched(['followed log', 'r_1', false], run)).toBe(true);
  expect(touched(['listRuns', { query: {} }], run)).toBe(true);
});
