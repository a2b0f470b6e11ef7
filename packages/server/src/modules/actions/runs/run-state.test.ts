import { describe, expect, test } from 'vitest';
import { firstStatus, isFinal, nextStatus, type RunEvent } from './run-state.ts';

const events: readonly RunEvent[] = ['approve', 'decline', 'expire', 'withdraw', 'succeed', 'fail'];

interface Path {
  readonly status: ReturnType<typeof firstStatus>;
  readonly approvals: number;
  readonly isEntered: boolean;
}

/** Every state reachable by any sequence of events, with the number of approvals before it. */
function explore(isDraft: boolean, needsApproval: boolean): Path[] {
  const first = firstStatus({ isDraft, needsApproval });
  const open: Path[] = [{ status: first, approvals: 0, isEntered: first === 'IN_PROGRESS' }];
  const seen = new Map<string, Path>();
  for (let path = open.pop(); path; path = open.pop()) {
    const id = JSON.stringify(path);
    if (seen.has(id)) continue;
    seen.set(id, path);
    for (const event of events) {
      const status = nextStatus(path.status, event, { needsApproval });
      if (!status) continue;
      const approvals = path.approvals + (event === 'approve' ? 1 : 0);
      open.push({ status, approvals, isEntered: path.isEntered || status === 'IN_PROGRESS' });
    }
  }
  return [...seen.values()];
}

describe.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])('draft %s, approval %s', (isDraft, needsApproval) => {
  const paths = explore(isDraft, needsApproval);
  const gates = Number(isDraft) + Number(needsApproval);

  test('nothing is executed before every gate was passed, each once', () => {
    for (const path of paths) if (path.isEntered) expect(path.approvals).toBe(gates);
  });

  test('every state can be reached, and every run can end', () => {
    const reached = new Set(paths.map(({ status }) => status));
    expect(reached).toContain('SUCCESS');
    expect(reached).toContain('FAILURE');
    expect(reached.has('DECLINED')).toBe(gates > 0);
  });

  test('what has ended stays as it is', () => {
    for (const { status } of paths.filter((path) => isFinal(path.status))) {
      for (const event of events) expect(nextStatus(status, event, { needsApproval })).toBeUndefined();
    }
  });

  test('success is reported of what was executed alone', () => {
    for (const path of paths) if (path.status === 'SUCCESS') expect(path.isEntered).toBe(true);
  });
});
