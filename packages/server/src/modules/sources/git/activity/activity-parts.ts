import type { SourceParts } from '../../source-type.ts';
import { slug } from '../default-mapping.ts';
import type { ActivityKind } from '../git-host.ts';
import { type ActivitySettings, chosenKinds } from './activity-settings.ts';

type Json = Readonly<Record<string, unknown>>;

const text = (title: string): Json => ({ type: 'string', title });
const time = (title: string): Json => ({ type: 'string', title, format: 'date-time' });
const address: Json = { type: 'string', title: 'Link', format: 'url' };
const repository = { repository: { target: 'repository', title: 'Repository', required: false, many: false } };

function blueprint(identifier: string, title: string, icon: string, properties: Json): Json {
  return { identifier, title, icon, schema: { properties, required: [] }, relations: repository };
}

/** As the starter model `delivery` has them, which adds figures to the same blueprints. */
const blueprints: Readonly<Record<ActivityKind, Json>> = {
  'pull-request': blueprint('pullRequest', 'Pull request', 'GitPullRequest', {
    status: {
      ...text('Status'),
      enum: ['open', 'merged', 'closed'],
      enumColors: { open: 'green', merged: 'purple', closed: 'red' },
    },
    creator: text('Creator'),
    link: address,
    createdAt: time('Created'),
    mergedAt: time('Merged'),
    closedAt: time('Closed'),
    updatedAt: time('Last change'),
    draft: { type: 'boolean', title: 'Draft' },
    branch: text('Branch'),
    reviewers: { type: 'array', items: { type: 'string' }, title: 'Reviewers' },
    labels: { type: 'array', items: { type: 'string' }, title: 'Labels' },
  }),
  'pipeline-run': blueprint('pipelineRun', 'Pipeline run', 'RefreshCw', {
    status: {
      ...text('Status'),
      enum: ['success', 'failure', 'running'],
      enumColors: { success: 'green', failure: 'red', running: 'blue' },
    },
    branch: text('Branch'),
    link: address,
    createdAt: time('Began'),
    durationSeconds: { type: 'number', title: 'Seconds' },
    commit: text('Commit'),
    event: text('Event'),
  }),
  release: blueprint('release', 'Release', 'Package', {
    version: text('Version'),
    notes: { type: 'string', format: 'markdown', title: 'Notes' },
    prerelease: { type: 'boolean', title: 'Pre-release' },
    creator: text('Creator'),
    link: address,
    publishedAt: time('Published'),
  }),
};

const named = (mark: string, id: string): string => `.repository.path + "${mark}" + ${id} | ${slug}`;

function resource(kind: ActivityKind, target: string, identifier: string, title: string, properties: Json): Json {
  const relations = { repository: `.repository.path | ${slug}` };
  const mappings = { identifier, blueprint: `"${target}"`, title, properties, relations };
  return { kind, selector: { query: 'true' }, port: { entity: { mappings } } };
}

const resources: Readonly<Record<ActivityKind, Json>> = {
  'pull-request': resource('pull-request', 'pullRequest', named('/pull/', '.id'), '.title', {
    status: '.state',
    creator: '.author',
    link: '.url',
    createdAt: '.createdAt',
    mergedAt: '.mergedAt',
    closedAt: '.closedAt',
    updatedAt: '.updatedAt',
    draft: '.draft',
    branch: '.head',
    reviewers: '.reviewers',
    labels: '.labels',
  }),
  'pipeline-run': resource('pipeline-run', 'pipelineRun', named('/run/', '.id'), '.name', {
    status:
      'if .status == "success" or .status == "failure" then .status elif .status == "queued" or .status == "running" then "running" else null end',
    branch: '.branch',
    link: '.url',
    createdAt: '.createdAt',
    durationSeconds: '.durationSeconds',
    commit: '.commit',
    event: '.event',
  }),
  release: resource('release', 'release', named('/release/', '.id'), '.name', {
    version: '.tag',
    notes: '.notes',
    prerelease: '.prerelease',
    creator: '.author',
    link: '.url',
    publishedAt: '.publishedAt',
  }),
};

/** What the chosen kinds are written as unless told otherwise. */
export function activityParts(settings: Partial<ActivitySettings>): SourceParts {
  const kinds = chosenKinds(settings);
  return { blueprints: kinds.map((kind) => blueprints[kind]), mapping: kinds.map((kind) => resources[kind]) };
}
