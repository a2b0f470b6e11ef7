import type { AutomationBody } from './types.ts';

/** Four at work and one switched off. `publicUrl` is where this server answers: two of them call back into its own API. */
export function automations(publicUrl: string): AutomationBody[] {
  return [
    {
      identifier: 'triage_new_incident',
      title: 'Summarize a new incident',
      icon: 'NotebookPen',
      description: 'Asks the incident scribe about every new SEV1 and SEV2.',
      trigger: {
        type: 'automation',
        event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'incident' },
        condition: {
          type: 'JQ',
          expressions: ['.diff.after.properties.severity == "SEV1"', '.diff.after.properties.severity == "SEV2"'],
          combinator: 'or',
        },
      },
      invocationMethod: {
        type: 'WEBHOOK',
        url: `${publicUrl}/v1/agent/incident_scribe/invoke`,
        agent: false,
        synchronized: true,
        method: 'POST',
        headers: { RUN_ID: '{{ .run.id }}' },
        body: {
          query:
            'A new {{ .event.diff.after.properties.severity }} incident was opened: {{ .event.diff.after.identifier }}, "{{ .event.diff.after.title }}". Write its first summary.',
          labels: { incident: '{{ .event.diff.after.identifier }}' },
        },
      },
      publish: true,
    },
    {
      identifier: 'store_triage',
      title: 'Put the summary on the incident',
      icon: 'ClipboardCheck',
      description: 'Copies the scribe’s finished answer to the incident that its label names.',
      trigger: {
        type: 'automation',
        event: { type: 'ENTITY_UPDATED', blueprintIdentifier: '_ai_invocations' },
        condition: {
          type: 'JQ',
          expressions: [
            '.diff.after.relations.agent == "incident_scribe"',
            '.diff.after.properties.status == "Completed"',
            '.diff.before.properties.status != "Completed"',
            '.diff.after.properties.labels.incident != null',
          ],
          combinator: 'and',
        },
      },
      invocationMethod: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'incident',
        mapping: {
          identifier: '{{ .event.diff.after.properties.labels.incident }}',
          properties: { summaryByAi: '{{ .event.diff.after.properties.response }}' },
        },
      },
      publish: true,
    },
    {
      identifier: 'expire_sandbox',
      title: 'Remove a sandbox when its time is up',
      icon: 'Timer',
      description: 'Deletes the sandbox; its namespace goes with it.',
      trigger: {
        type: 'automation',
        event: { type: 'TIMER_PROPERTY_EXPIRED', blueprintIdentifier: 'devSandbox', propertyIdentifier: 'expiresAt' },
      },
      invocationMethod: {
        type: 'WEBHOOK',
        url: `${publicUrl}/v1/blueprints/devSandbox/entities/{{ .event.context.entityIdentifier | @uri }}`,
        agent: false,
        synchronized: true,
        method: 'DELETE',
      },
      publish: true,
    },
    {
      identifier: 'notify_failed_run',
      title: 'Tell the channel when a rollback fails',
      icon: 'BellRing',
      description: 'One message when a rollback turns to failure, not one for every later change.',
      trigger: {
        type: 'automation',
        event: { type: 'ANY_RUN_CHANGE', actionIdentifier: 'rollback_deployment' },
        condition: {
          type: 'JQ',
          expressions: ['.diff.before.status != "FAILURE"', '.diff.after.status == "FAILURE"'],
          combinator: 'and',
        },
      },
      invocationMethod: {
        type: 'WEBHOOK',
        url: 'https://chat.halyardfreight.example/hooks/releases',
        agent: false,
        synchronized: false,
        method: 'POST',
        body: {
          text: 'Rollback failed: {{ .event.diff.after.entity.title // .event.diff.after.entity.identifier }}',
          '{{ spreadValue() }}': '{{ {username: "Portolan", icon_emoji: ":rewind:"} }}',
          '{{ if .event.diff.after.summary then "blocks" else null end }}': [
            { type: 'section', text: { type: 'mrkdwn', text: '{{ .event.diff.after.summary }}' } },
          ],
        },
      },
      publish: true,
    },
    {
      identifier: 'page_on_every_pull_request',
      title: 'Post every pull request',
      icon: 'BellOff',
      description: 'Switched off after one loud morning.',
      trigger: { type: 'automation', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: 'pullRequest' } },
      invocationMethod: {
        type: 'WEBHOOK',
        url: 'https://chat.halyardfreight.example/hooks/engineering',
        method: 'POST',
        body: { text: '{{ .event.diff.after.title }}: {{ .event.diff.after.properties.state }}' },
      },
      publish: false,
    },
  ];
}
