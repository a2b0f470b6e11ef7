import { CirclePlay, History, IdCard, ListChecks, Play, User, Users, Zap } from 'lucide-react';
import type { FormField, WidgetKind } from './form-fields.ts';

const blueprint: FormField = { kind: 'blueprint', key: 'query.blueprint', label: 'Blueprint' };
const runFilters: readonly FormField[] = [
  {
    kind: 'choice',
    key: 'query.status',
    label: 'Only runs with the status',
    choices: [
      ['IN_PROGRESS', 'In progress'],
      ['WAITING_FOR_APPROVAL', 'Waits for approval'],
      ['SUCCESS', 'Success'],
      ['FAILURE', 'Failure'],
    ],
  },
  { kind: 'number', key: 'query.limit', label: 'Number of rows', least: 1, most: 100 },
];

/** Widget types over records of the organization (runs, changes, people) and over the user's own things. */
export const recordKinds: readonly WidgetKind[] = [
  {
    type: 'runs-table',
    title: 'Runs',
    text: 'Runs of all actions, newest first.',
    icon: Play,
    fields: runFilters,
  },
  {
    type: 'action-runs-table-widget',
    title: 'Runs of an action',
    text: 'Runs of one action, newest first.',
    icon: ListChecks,
    fields: [{ kind: 'action', key: 'action', label: 'Action', isRequired: true }, ...runFilters],
    begins: { displayMode: 'widget' },
  },
  {
    type: 'run-info',
    title: 'One run',
    text: 'How one run of an action stands.',
    icon: CirclePlay,
    fields: [{ kind: 'run', key: 'runId', label: 'Run', isRequired: true }],
  },
  {
    type: 'table-audit-log',
    title: 'Audit log',
    text: 'What was changed, by whom.',
    icon: History,
    fields: [blueprint, { kind: 'number', key: 'query.limit', label: 'Number of rows', least: 1, most: 1000 }],
    begins: { query: {} },
  },
  { type: 'users-table', title: 'Users', text: 'Everybody of the organization.', icon: User, fields: [] },
  { type: 'teams-table', title: 'Teams', text: 'All teams and how many are in them.', icon: Users, fields: [] },
  {
    type: 'user-info',
    title: 'One user',
    text: 'One person by name.',
    icon: User,
    fields: [{ kind: 'user', key: 'user_email', label: 'User', isRequired: true }],
  },
  {
    type: 'team-info',
    title: 'One team',
    text: 'One team by name.',
    icon: Users,
    fields: [{ kind: 'team', key: 'team_name', label: 'Team', isRequired: true }],
  },
  {
    type: 'my-entities',
    title: 'My entities',
    text: 'What your teams own.',
    icon: IdCard,
    fields: [],
    isForHome: true,
  },
  {
    type: 'recently-viewed-entities',
    title: 'Recently viewed',
    text: 'Entities that you looked at.',
    icon: History,
    fields: [],
    isForHome: true,
  },
  {
    type: 'recently-used-actions',
    title: 'Recently used actions',
    text: 'Actions that you ran.',
    icon: Zap,
    fields: [],
    isForHome: true,
  },
];
