import { z } from 'zod';
import type { ActivityKind } from '../git-host.ts';

/** What sources of hosts that tell of activity are asked besides. */
export const activitySettings = {
  pullRequests: z
    .boolean()
    .default(false)
    .meta({ title: 'Pull requests', description: 'All open ones, and the latest of the others.' }),
  pipelineRuns: z
    .boolean()
    .default(false)
    .meta({ title: 'Pipeline runs', description: 'The latest of each repository.' }),
  releases: z.boolean().default(false).meta({ title: 'Releases' }),
  latest: z.int().min(1).max(1_000).default(50).meta({
    title: 'How many of each',
    description: 'Of pull requests, pipeline runs and releases, the latest of each repository. Older entities stay.',
  }),
};

const settings = z.object(activitySettings);
export type ActivitySettings = z.output<typeof settings>;

/** The kinds that the settings wish for. */
export function chosenKinds(chosen: Partial<ActivitySettings>): readonly ActivityKind[] {
  return [
    ...(chosen.pullRequests ? (['pull-request'] as const) : []),
    ...(chosen.pipelineRuns ? (['pipeline-run'] as const) : []),
    ...(chosen.releases ? (['release'] as const) : []),
  ];
}
