import { CirclePlay, History, IdCard, ListChecks, Play, User, Users, Workflow, Zap } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import type { FormField, WidgetKind } from './form-fields.ts';

const blueprint: FormField = { kind: 'blueprint', key: 'query.blueprint', label: t('Blueprint') };
const runFilters: readonly FormField[] = [
  {
    kind: 'choice',
    key: 'query.status',
    label: t('Only runs with the status'),
    choices: [
      ['IN_PROGRESS', t('In progress')],
      ['WAITING_FOR_APPROVAL', t('Waits for approval')],
      ['SUCCESS', t('Success')],
      ['FAILURE', t('Failure')],
    ],
  },
  { kind: 'number', key: 'query.limit', label: t('Number of rows'), least: 1, most: 100 },
];

/** Widget types over records of the organization (runs, changes, people) and over the user's own things. */
export const recordKinds: readonly WidgetKind[] = [
  {
    type: 'runs-table',
    title: t('Runs'),
    text: t('Runs of all actions, newest first.'),
    icon: Play,
    fields: runFilters,
  },
  {
    type: 'action-runs-table-widget',
    title: t('Runs of an action'),
    text: t('Runs of one action, newest first.'),
    icon: ListChecks,
    fields: [{ kind: 'action', key: 'action', label: t('Action'), isRequired: true }, ...runFilters],
    begins: { displayMode: 'widget' },
  },
  {
    type: 'workflow-runs-history-table',
    title: t('Runs of a workflow'),
    text: t('The newest runs of one workflow, or of all.'),
    icon: Workflow,
    fields: [
      { kind: 'workflow', key: 'query.workflow', label: t('Workflow') },
      {
        kind: 'choice',
        key: 'query.result',
        label: t('Only runs that ended as'),
        choices: [
          ['SUCCESS', t('Success')],
          ['FAILED', t('Failure')],
          ['CANCELLED', t('Cancelled')],
        ],
      },
      { kind: 'number', key: 'query.limit', label: t('Number of rows'), least: 1, most: 100 },
    ],
  },
  {
    type: 'run-info',
    title: t('One run'),
    text: t('How one run of an action stands.'),
    icon: CirclePlay,
    fields: [{ kind: 'run', key: 'runId', label: t('Run'), isRequired: true }],
  },
  {
    type: 'table-audit-log',
    title: t('Audit log'),
    text: t('What was changed, by whom.'),
    icon: History,
    fields: [blueprint, { kind: 'number', key: 'query.limit', label: t('Number of rows'), least: 1, most: 1000 }],
    begins: { query: {} },
  },
  { type: 'users-table', title: t('Users'), text: t('Everybody of the organization.'), icon: User, fields: [] },
  { type: 'teams-table', title: t('Teams'), text: t('All teams and how many are in them.'), icon: Users, fields: [] },
  {
    type: 'user-info',
    title: t('One user'),
    text: t('One person by name.'),
    icon: User,
    fields: [{ kind: 'user', key: 'user_email', label: t('User'), isRequired: true }],
  },
  {
    type: 'team-info',
    title: t('One team'),
    text: t('One team by name.'),
    icon: Users,
    fields: [{ kind: 'team', key: 'team_name', label: t('Team'), isRequired: true }],
  },
  {
    type: 'my-entities',
    title: t('My entities'),
    text: t('What your teams own.'),
    icon: IdCard,
    fields: [],
    isForHome: true,
  },
  {
    type: 'recently-viewed-entities',
    title: t('Recently viewed'),
    text: t('Entities that you looked at.'),
    icon: History,
    fields: [],
    isForHome: true,
  },
  {
    type: 'recently-used-actions',
    title: t('Recently used actions'),
    text: t('Actions that you ran.'),
    icon: Zap,
    fields: [],
    isForHome: true,
  },
];
