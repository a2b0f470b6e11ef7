import { t } from '../../../kit/translate.ts';
import { approve, call, choice, connection, entity, form, node, type Template, text, write } from './template.ts';

/** What happens to services. */
export const serviceTemplates: readonly Template[] = [
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
    key: 'deploy',
    title: t('Deployment with rollback'),
    description: t('An administrator approves, the version is deployed, and is rolled back if it is not healthy.'),
    definition: {
      identifier: 'deploy_to_production',
      title: t('Deploy to production'),
      category: t('Services'),
      nodes: [
        node(
          'request',
          t('Request a deployment'),
          form({ service: entity(t('Service'), 'service'), version: text(t('Version')) }, ['service', 'version']),
        ),
        node(
          'decision',
          t('Approval'),
          approve(
            t(
              '{{ .workflowRun.trigger.by.email }} wants to deploy {{ .outputs.trigger.service }} {{ .outputs.trigger.version }}',
            ),
          ),
        ),
        {
          ...node(
            'deploy',
            t('Deploy'),
            call('https://ci.example.com/deployments', {
              service: '{{ .outputs.trigger.service }}',
              version: '{{ .outputs.trigger.version }}',
            }),
          ),
          compensatedBy: 'roll_back',
        },
        node('settle', t('Wait for it to settle'), { type: 'DELAY', seconds: 600 }),
        node(
          'health',
          t('Check its health'),
          call('https://ci.example.com/deployments/{{ .outputs.deploy.response.data.id }}/health', {}),
        ),
        node('healthy', t('Is it healthy?'), {
          type: 'CONDITION',
          outlets: [
            { identifier: 'healthy', title: t('Healthy'), expression: '.outputs.health.response.data.healthy == true' },
          ],
        }),
        node(
          'record',
          t('Record the version'),
          write('service', '{{ .outputs.trigger.service }}', { version: '{{ .outputs.trigger.version }}' }),
        ),
        node('unhealthy', t('Not healthy'), {
          type: 'STOP',
          result: 'FAILED',
          workflowStatusLabel: { text: t('Rolled back'), variant: 'alert' },
        }),
        node(
          'roll_back',
          t('Roll back'),
          call('https://ci.example.com/deployments/{{ .outputs.deploy.response.data.id }}/roll-back', {}),
        ),
      ],
      connections: [
        connection('request', 'decision'),
        connection('decision', 'deploy', 'approve'),
        connection('deploy', 'settle'),
        connection('settle', 'health'),
        connection('health', 'healthy'),
        connection('healthy', 'record', 'healthy'),
        connection('healthy', 'unhealthy', 'otherwise'),
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
    key: 'owners',
    title: t('Services without an owner'),
    description: t('Every quarter: finds services that nobody owns, and asks an administrator to give them owners.'),
    definition: {
      identifier: 'services_without_owner',
      title: t('Services without an owner'),
      category: t('Services'),
      nodes: [
        node('quarter', t('First day of a quarter'), {
          type: 'SCHEDULE_TRIGGER',
          published: true,
          cron: '0 8 1 1,4,7,10 *',
        }),
        node('find', t('Find services'), {
          type: 'FETCH',
          blueprintIdentifier: 'service',
          query: { combinator: 'and', rules: [{ property: '$team', operator: 'isEmpty' }] },
          include: ['$identifier', '$title'],
          limit: 1000,
        }),
        node('any', t('Are there any?'), {
          type: 'CONDITION',
          outlets: [{ identifier: 'some', title: t('Some found'), expression: '.outputs.find.count > 0' }],
        }),
        node('ask', t('Ask for owners'), {
          type: 'INPUT',
          description: t(
            '{{ .outputs.find.count }} services have no owner: {{ [.outputs.find.entities[].identifier] | join(", ") }}',
          ),
          userInputs: {
            properties: {},
            required: [],
            order: [],
            buttons: [{ identifier: 'done', label: t('Done'), variant: 'PRIMARY' }],
          },
          outlets: [{ identifier: 'done', evaluationMethod: 'button', numOfResponders: 1 }],
          responders: { roles: ['Admin'] },
        }),
        node('clean', t('Every service has an owner'), {
          type: 'STOP',
          result: 'SUCCESS',
          workflowStatusLabel: { text: t('All owned'), variant: 'success' },
        }),
        node('seen', t('Done'), { type: 'STOP', result: 'SUCCESS' }),
      ],
      connections: [
        connection('quarter', 'find'),
        connection('find', 'any'),
        connection('any', 'ask', 'some'),
        connection('any', 'clean', 'otherwise'),
        connection('ask', 'seen', 'done'),
      ],
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
