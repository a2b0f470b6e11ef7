import { t } from '../../../kit/translate.ts';
import { approve, call, choice, connection, form, node, type Template, text, write } from './template.ts';

/** What somebody gets for a while. */
export const expiringTemplates: readonly Template[] = [
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
];
