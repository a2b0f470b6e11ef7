import { t } from '../../../kit/translate.ts';
import { call, connection, node, type Template, write } from './template.ts';

const incidentCreated = node('incident', t('An incident is created'), {
  type: 'EVENT_TRIGGER',
  published: true,
  event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'incident' },
});

/** What happens when something breaks. */
export const incidentTemplates: readonly Template[] = [
  {
    key: 'incident',
    title: t('Incident bridge'),
    description: t('When an incident is created: opens a channel for severe ones, and writes where to find it.'),
    definition: {
      identifier: 'incident_bridge',
      title: t('Incident bridge'),
      category: t('Incidents'),
      nodes: [
        incidentCreated,
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
    key: 'triage',
    title: t('Triage of incidents'),
    description: t('A model looks into a new incident, adds its assessment, and tells the team on call.'),
    definition: {
      identifier: 'incident_triage',
      title: t('Triage of incidents'),
      category: t('Incidents'),
      nodes: [
        incidentCreated,
        node('assess', t('Ask a model'), {
          type: 'AI',
          userPrompt: t(
            'Which service does the incident {{ .outputs.trigger.diff.after.identifier }} concern, who owns it, what depends on it, and what changed of it in the last day? Answer in five lines.',
          ),
        }),
        node(
          'note',
          t('Add it to the incident'),
          write('incident', '{{ .outputs.trigger.diff.after.identifier }}', {
            triage: '{{ .outputs.assess.response }}',
          }),
        ),
        node('tell', t('Tell who is on call'), {
          type: 'NOTIFY',
          target: 'portal',
          to: ['on-call'],
          subject: t('Incident {{ .outputs.trigger.diff.after.title }}'),
          body: '{{ .outputs.assess.response }}',
          link: '/e/incident/{{ .outputs.trigger.diff.after.identifier }}',
        }),
      ],
      connections: [connection('incident', 'assess'), connection('assess', 'note'), connection('note', 'tell')],
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
];
