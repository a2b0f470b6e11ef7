import { t } from '../../kit/translate.ts';
import type { Connection, Definition, NodeConfig, WorkflowNode } from './document/definition.ts';

/** A workflow to begin with. Addresses and blueprints in it are examples, which the builder asks to be changed. */
export interface Template {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly definition: Definition;
}

const node = (identifier: string, title: string, config: NodeConfig): WorkflowNode => ({ identifier, title, config });

/** `from → to`, on an outlet or as the fallback where one is named. */
function connection(from: string, to: string, outlet?: string): Connection {
  const way =
    outlet === undefined ? {} : outlet === 'otherwise' ? { fallback: true } : { sourceOutletIdentifier: outlet };
  return { sourceIdentifier: from, targetIdentifier: to, ...way };
}

const form = (properties: Readonly<Record<string, unknown>>, required: readonly string[]): NodeConfig => ({
  type: 'SELF_SERVE_TRIGGER',
  published: true,
  userInputs: { properties, required, order: Object.keys(properties) },
  permissions: { roles: ['Member'] },
});

const call = (url: string, body: unknown): NodeConfig => ({
  type: 'WEBHOOK',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
  synchronized: true,
});

const write = (blueprint: string, identifier: string, properties: object, more: object = {}): NodeConfig => ({
  type: 'UPSERT_ENTITY',
  blueprintIdentifier: blueprint,
  mapping: { identifier, ...more, properties },
});

const approve = (description: string, decline = t('Decline')): NodeConfig => ({
  type: 'INPUT',
  description,
  userInputs: {
    properties: { reason: { type: 'string', title: t('Reason') } },
    required: [],
    order: ['reason'],
    buttons: [
      { identifier: 'approve', label: t('Approve'), variant: 'PRIMARY' },
      { identifier: 'decline', label: decline, variant: 'DANGER' },
    ],
  },
  outlets: [
    { identifier: 'approve', evaluationMethod: 'button', numOfResponders: 1 },
    {
      identifier: 'decline',
      evaluationMethod: 'button',
      numOfResponders: 1,
      workflowStatusLabel: { text: t('Declined'), variant: 'alert' },
    },
  ],
  responders: { roles: ['Admin'] },
});

const text = (title: string) => ({ type: 'string', title });
const choice = (title: string, choices: readonly string[]) => ({
  type: 'string',
  title,
  enum: choices,
  default: choices[0],
});
const entity = (title: string, blueprint: string) => ({ type: 'string', format: 'entity', blueprint, title });

export const templates: readonly Template[] = [
  {
    key: 'scaffold',
    title: t('New service with approval'),
    description: t(
      'A form, the approval of an administrator, a repository by your scaffolder, and the service in the catalog.',
    ),
    definition: {
      identifier: 'scaffold_service',
      title: t('New service'),
      description: t('Creates a service after an administrator has approved it.'),
      category: t('Services'),
      nodes: [
        node(
          'request',
          t('Request a service'),
          form({ name: text(t('Name')), language: choice(t('Language'), ['typescript', 'go', 'python']) }, ['name']),
        ),
        node(
          'approval',
          t('Approval'),
          approve(t('{{ .workflowRun.trigger.by.email }} asks for the service {{ .outputs.trigger.name }}')),
        ),
        node(
          'scaffold',
          t('Create the repository'),
          call('https://scaffolder.example.com/services', {
            name: '{{ .outputs.trigger.name }}',
            language: '{{ .outputs.trigger.language }}',
          }),
        ),
        node(
          'register',
          t('Add it to the catalog'),
          write(
            'service',
            '{{ .outputs.trigger.name }}',
            { language: '{{ .outputs.trigger.language }}' },
            { title: '{{ .outputs.trigger.name }}' },
          ),
        ),
      ],
      connections: [
        connection('request', 'approval'),
        connection('approval', 'scaffold', 'approve'),
        connection('scaffold', 'register'),
      ],
    },
  },
  {
    key: 'sandbox',
    title: t('Sandbox that expires'),
    description: t('Creates a sandbox, waits for the requested hours, removes it again, and keeps the catalog right.'),
    definition: {
      identifier: 'expiring_sandbox',
      title: t('Sandbox for some hours'),
      category: t('Environments'),
      nodes: [
        node(
          'request',
          t('Request a sandbox'),
          form(
            {
              name: text(t('Name')),
              hours: { type: 'number', title: t('Hours'), minimum: 1, maximum: 168, default: 8 },
            },
            ['name', 'hours'],
          ),
        ),
        node(
          'create',
          t('Create the sandbox'),
          call('https://infra.example.com/sandboxes', { name: '{{ .outputs.trigger.name }}' }),
        ),
        node(
          'register',
          t('Add it to the catalog'),
          write('sandbox', '{{ .outputs.trigger.name }}', { state: 'running' }),
        ),
        node('lifetime', t('Wait until it expires'), { type: 'DELAY', seconds: '{{ .outputs.trigger.hours * 3600 }}' }),
        node(
          'destroy',
          t('Remove the sandbox'),
          call('https://infra.example.com/sandboxes/{{ .outputs.trigger.name }}/destroy', {}),
        ),
        node('forget', t('Mark it as gone'), write('sandbox', '{{ .outputs.trigger.name }}', { state: 'expired' })),
      ],
      connections: [
        connection('request', 'create'),
        connection('create', 'register'),
        connection('register', 'lifetime'),
        connection('lifetime', 'destroy'),
        connection('destroy', 'forget'),
      ],
    },
  },
  {
    key: 'incident',
    title: t('Incident bridge'),
    description: t('When an incident is created: opens a channel for severe ones, and writes where to find it.'),
    definition: {
      identifier: 'incident_bridge',
      title: t('Incident bridge'),
      category: t('Incidents'),
      nodes: [
        node('incident', t('An incident is created'), {
          type: 'EVENT_TRIGGER',
          published: true,
          event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'incident' },
        }),
        node('severity', t('How severe is it?'), {
          type: 'CONDITION',
          outlets: [
            {
              identifier: 'severe',
              title: t('Severe'),
              expression: '.outputs.trigger.diff.after.properties.severity | IN("critical", "high")',
            },
          ],
        }),
        node(
          'channel',
          t('Open a channel'),
          call('https://chat.example.com/channels', { name: 'incident-{{ .outputs.trigger.diff.after.identifier }}' }),
        ),
        node(
          'note',
          t('Write where it is'),
          write('incident', '{{ .outputs.trigger.diff.after.identifier }}', {
            channel: '{{ .outputs.channel.response.data.url }}',
          }),
        ),
        node('quiet', t('Not severe'), {
          type: 'STOP',
          result: 'SUCCESS',
          workflowStatusLabel: { text: t('Not severe') },
        }),
      ],
      connections: [
        connection('incident', 'severity'),
        connection('severity', 'channel', 'severe'),
        connection('severity', 'quiet', 'otherwise'),
        connection('channel', 'note'),
      ],
    },
  },
  {
    key: 'access',
    title: t('Access that expires'),
    description: t(
      'Somebody asks for access, an administrator decides, access is given, and taken again after the time.',
    ),
    definition: {
      identifier: 'access_request',
      title: t('Access for a while'),
      category: t('Access'),
      nodes: [
        node(
          'request',
          t('Ask for access'),
          form(
            {
              system: text(t('System')),
              role: choice(t('Role'), ['reader', 'writer', 'admin']),
              days: { type: 'number', title: t('Days'), minimum: 1, maximum: 30, default: 7 },
              why: text(t('Why')),
            },
            ['system', 'role', 'days', 'why'],
          ),
        ),
        node(
          'decision',
          t('Decision'),
          approve(
            t(
              '{{ .workflowRun.trigger.by.email }} asks for {{ .outputs.trigger.role }} of {{ .outputs.trigger.system }}: {{ .outputs.trigger.why }}',
            ),
          ),
        ),
        node(
          'grant',
          t('Give access'),
          call('https://access.example.com/grants', {
            user: '{{ .workflowRun.trigger.by.email }}',
            system: '{{ .outputs.trigger.system }}',
            role: '{{ .outputs.trigger.role }}',
          }),
        ),
        node('expiry', t('Wait until it expires'), { type: 'DELAY', seconds: '{{ .outputs.trigger.days * 86400 }}' }),
        node(
          'revoke',
          t('Take it again'),
          call('https://access.example.com/grants/revoke', {
            user: '{{ .workflowRun.trigger.by.email }}',
            system: '{{ .outputs.trigger.system }}',
          }),
        ),
      ],
      connections: [
        connection('request', 'decision'),
        connection('decision', 'grant', 'approve'),
        connection('grant', 'expiry'),
        connection('expiry', 'revoke'),
      ],
    },
  },
  {
    key: 'upgrade',
    title: t('Dependency upgrade'),
    description: t(
      'Asks for an upgrade of a service, opens the change, and lets the owner say whether it may be merged.',
    ),
    definition: {
      identifier: 'dependency_upgrade',
      title: t('Upgrade a dependency'),
      category: t('Services'),
      nodes: [
        node(
          'request',
          t('Request an upgrade'),
          form(
            {
              service: entity(t('Service'), 'service'),
              dependency: text(t('Dependency')),
              version: text(t('Version')),
            },
            ['service', 'dependency', 'version'],
          ),
        ),
        node(
          'change',
          t('Open the change'),
          call('https://ci.example.com/upgrades', {
            service: '{{ .outputs.trigger.service }}',
            dependency: '{{ .outputs.trigger.dependency }}',
            version: '{{ .outputs.trigger.version }}',
          }),
        ),
        node('result', t('Did its tests pass?'), {
          type: 'CONDITION',
          outlets: [
            { identifier: 'passed', title: t('Passed'), expression: '.outputs.change.response.data.passed == true' },
          ],
        }),
        node(
          'merge_decision',
          t('May it be merged?'),
          approve(t('{{ .outputs.trigger.dependency }} {{ .outputs.trigger.version }} passed its tests')),
        ),
        node(
          'merge',
          t('Merge it'),
          call('https://ci.example.com/upgrades/merge', { change: '{{ .outputs.change.response.data.id }}' }),
        ),
        node('failed', t('Tests failed'), {
          type: 'STOP',
          result: 'FAILED',
          workflowStatusLabel: { text: t('Tests failed'), variant: 'alert' },
        }),
      ],
      connections: [
        connection('request', 'change'),
        connection('change', 'result'),
        connection('result', 'merge_decision', 'passed'),
        connection('result', 'failed', 'otherwise'),
        connection('merge_decision', 'merge', 'approve'),
      ],
    },
  },
  {
    key: 'on-call',
    title: t('On-call hand-over'),
    description: t('Every Monday: asks the team for notes on the week, and sends them to the next person on call.'),
    definition: {
      identifier: 'on_call_handover',
      title: t('On-call hand-over'),
      category: t('Incidents'),
      nodes: [
        node('monday', t('Monday morning'), { type: 'SCHEDULE_TRIGGER', published: true, cron: '0 8 * * 1' }),
        node('notes', t('Ask for notes'), {
          type: 'INPUT',
          description: t('What should the next person on call know?'),
          userInputs: {
            properties: {
              notes: { type: 'string', format: 'multi-line', title: t('Notes') },
              open: { type: 'number', title: t('Open incidents'), default: 0 },
            },
            required: ['notes'],
            order: ['notes', 'open'],
            buttons: [{ identifier: 'hand_over', label: t('Hand over'), variant: 'PRIMARY' }],
          },
          outlets: [{ identifier: 'hand_over', evaluationMethod: 'button', numOfResponders: 1 }],
          responders: { roles: ['Member', 'Admin'] },
        }),
        node(
          'send',
          t('Send the notes'),
          call('https://chat.example.com/messages', {
            channel: 'on-call',
            text: '{{ .outputs.notes.responses[0].inputs.notes }}',
          }),
        ),
      ],
      connections: [connection('monday', 'notes'), connection('notes', 'send', 'hand_over')],
    },
  },
  {
    key: 'retire',
    title: t('Retire a service'),
    description: t('Two people have to agree before a service is archived.'),
    definition: {
      identifier: 'retire_service_flow',
      title: t('Retire a service'),
      category: t('Services'),
      nodes: [
        node(
          'request',
          t('Propose to retire'),
          form({ service: entity(t('Service'), 'service'), why: text(t('Why')) }, ['service', 'why']),
        ),
        node('agreement', t('Two have to agree'), {
          ...approve(t('Retire {{ .outputs.trigger.service }}: {{ .outputs.trigger.why }}')),
          outlets: [
            { identifier: 'approve', evaluationMethod: 'button', numOfResponders: 2 },
            { identifier: 'decline', evaluationMethod: 'button', numOfResponders: 1 },
          ],
        }),
        node(
          'archive',
          t('Mark as archived'),
          write('service', '{{ .outputs.trigger.service }}', { lifecycle: 'archived' }),
        ),
      ],
      connections: [connection('request', 'agreement'), connection('agreement', 'archive', 'approve')],
    },
  },
];

/** An empty workflow: a form, and nothing yet that follows. */
export const blank: Definition = {
  identifier: '',
  title: '',
  nodes: [node('form', t('Form'), form({}, []))],
  connections: [],
};

export function findTemplate(key: string | undefined): Definition | undefined {
  return templates.find((each) => each.key === key)?.definition;
}
