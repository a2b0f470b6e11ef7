import { counted, equals, type Integration, text, url, when } from './integration.ts';

/** Projects, sprints and issues: a relation to itself, people as texts, shares computed of counts. */
export const tickets: Integration = {
  name: 'tickets',
  blueprints: [
    {
      identifier: 'ticketProject',
      title: 'Project',
      schema: { properties: { url } },
      calculationProperties: {
        done: {
          type: 'number',
          calculation: 'if .properties.all > 0 then (.properties.closed / .properties.all * 100 | floor) else 0 end',
        },
      },
      aggregationProperties: {
        all: counted('All', 'ticket', undefined, { pathFilter: [{ path: ['project'], fromBlueprint: 'ticket' }] }),
        closed: counted('Closed', 'ticket', [equals('status', 'Done')], {
          pathFilter: [{ path: ['project'], fromBlueprint: 'ticket' }],
        }),
      },
    },
    {
      identifier: 'ticket',
      title: 'Ticket',
      schema: {
        properties: {
          status: text,
          issueType: text,
          components: { type: 'array' },
          labels: { type: 'array', items: { type: 'string' } },
          assignee: { type: 'string', format: 'user' },
          points: { type: 'number', default: 1 },
          created: when,
          resolved: when,
        },
      },
      relations: {
        project: { target: 'ticketProject', title: 'Project', many: false, required: false },
        parentTicket: { target: 'ticket', title: 'Parent', many: false, required: false },
        subtasks: { target: 'ticket', title: 'Sub-tasks', many: true, required: false },
        assignee_user: { target: '_user', title: 'Assignee', many: false, required: false },
      },
      mirrorProperties: {
        epic: { path: 'parentTicket.parentTicket.$title' },
        subtaskStates: { path: 'subtasks.status' },
        projectDone: { path: 'project.done' },
      },
      calculationProperties: {
        handlingDays: {
          type: 'number',
          calculation:
            'if (.properties.resolved != null and .properties.created != null) then ((.properties.resolved | sub("\\\\.[0-9]+"; "") | fromdateiso8601) - (.properties.created | sub("\\\\.[0-9]+"; "") | fromdateiso8601)) / 86400 else null end',
        },
        key: { type: 'string', calculation: '.identifier | split("-") | .[0]' },
        isBlocked: { type: 'boolean', calculation: '.properties.labels // [] | any(. == "blocked")' },
        allSubtasksDone: { type: 'boolean', calculation: '.properties.subtaskStates | all(. == "Done")' },
      },
      aggregationProperties: {
        subtaskPoints: {
          title: 'Points of sub-tasks',
          target: 'ticket',
          calculationSpec: { calculationBy: 'property', func: 'sum', property: 'points' },
          pathFilter: [{ path: ['subtasks'] }],
        },
      },
    },
  ],
  entities: [
    ['ticketProject', { identifier: 'WEB', title: 'Web' }],
    ['ticketProject', { identifier: 'NONE' }],
    ['ticket', { identifier: 'WEB-1', title: 'Epic', properties: { status: 'Open' }, relations: { project: 'WEB' } }],
    [
      'ticket',
      {
        identifier: 'WEB-2',
        title: 'Story',
        properties: {
          status: 'Done',
          points: 5,
          created: '2026-01-01T00:00:00.000Z',
          resolved: '2026-01-03T12:00:00.000Z',
          labels: ['blocked', 'ui'],
          components: ['front', { id: 1 }],
        },
        relations: { project: 'WEB', parentTicket: 'WEB-1' },
      },
    ],
    [
      'ticket',
      {
        identifier: 'WEB-3',
        properties: { status: 'Done' },
        relations: { project: 'WEB', parentTicket: 'WEB-2', subtasks: ['WEB-4', 'WEB-2'] },
      },
    ],
  ],
  expected: {
    'ticketProject/WEB': { all: 3, closed: 2, done: 66 },
    'ticketProject/NONE': { all: 0, closed: 0, done: 0 },
    'ticket/WEB-2': { handlingDays: 2.5, key: 'WEB', isBlocked: true, epic: null, projectDone: 66 },
    'ticket/WEB-3': {
      epic: 'Epic',
      subtaskStates: ['Done'],
      allSubtasksDone: true,
      // one of the two is only a name yet, and has no points
      subtaskPoints: 5,
      handlingDays: null,
      points: 1,
    },
  },
};
