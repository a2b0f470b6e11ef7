import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { ChildRuns } from './child-runs.tsx';

test('the runs of a step are counted, and each is a link', async () => {
  const runs = [
    { identifier: 'wfr_a', index: 0, status: 'COMPLETED', result: 'FAILED' },
    { identifier: 'wfr_b', index: 1, status: 'IN_PROGRESS', result: null },
  ] as const;
  await draw(<ChildRuns of={{ total: 130, completed: 1, failed: 1, runs: [...runs] }} />);
  await screen.findByText('1 of 130 runs ended, 1 failed');
  const progress = screen.getByRole('progressbar', { name: 'Runs ended' });
  expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['1', '130']);
  expect(screen.getByRole('link', { name: 'Run 2', hidden: true }).getAttribute('href')).toContain(
    '/workflow-runs/wfr_b',
  );
  expect(screen.getByText('and 128 more')).toBeDefined();
});
