/** How a workflow is written, for a model that is about to propose one. Each example is valid by itself. */
export const howToWrite = {
  workflow: {
    identifier: 'expire_sandbox',
    title: 'Expire a sandbox',
    description: 'Says what it does, when to use it, and what it does not do.',
    nodes: ['one trigger at least, then the steps; each {identifier, title?, config: {type, …}}'],
    connections: ['{sourceIdentifier, targetIdentifier}; of CONDITION and INPUT also sourceOutletIdentifier'],
  },
  rules: [
    'The graph has no circle. Each node leads to one other; CONDITION and INPUT lead to one for each outlet.',
    'Texts take {{ jq }}: .outputs.trigger.<input> of a form, .outputs["<node>"].response.data of a call or a write, .secrets["<name>"] in addresses, headers and bodies only.',
    'Use identifiers of blueprints, actions and agents that you have looked up; where you cannot, ask in questions.',
    'Put an INPUT before whatever is dangerous.',
  ],
  triggers: {
    SELF_SERVE_TRIGGER: { userInputs: { properties: { name: { type: 'string' } }, required: ['name'] } },
    EVENT_TRIGGER: { event: { type: 'ENTITY_UPDATED', blueprintIdentifier: 'service' } },
    SCHEDULE_TRIGGER: { cron: '0 6 * * 1' },
  },
  steps: {
    UPSERT_ENTITY: {
      blueprintIdentifier: 'note',
      mapping: { identifier: '{{ .outputs.trigger.name }}', properties: {} },
    },
    DELETE_ENTITY: { blueprintIdentifier: 'note', identifier: '{{ .outputs.trigger.name }}' },
    FETCH: { blueprintIdentifier: 'service', query: { combinator: 'and', rules: [] }, limit: 10 },
    WEBHOOK: { url: 'https://example.com/hook', method: 'POST', body: { name: '{{ .outputs.trigger.name }}' } },
    RUN_ACTION: { actionIdentifier: 'restart', entityIdentifier: '{{ .outputs.trigger.service }}', properties: {} },
    CONDITION: { outlets: [{ identifier: 'yes', title: 'Yes', expression: '.outputs.trigger.name == "a"' }] },
    INPUT: {
      userInputs: { properties: {}, buttons: [{ identifier: 'approve', label: 'Approve' }] },
      outlets: [{ identifier: 'approve', title: 'Approve', evaluationMethod: 'button', numOfResponders: 1 }],
      responders: { roles: ['Admin'] },
    },
    DELAY: { seconds: 3600 },
    TRANSFORM: { expression: '{name: .outputs.trigger.name}' },
    NOTIFY: { target: 'email', to: ['ann@example.com'], subject: 'Done', body: 'It is done.' },
    AI: { userPrompt: 'Summarize {{ .outputs.trigger.name }}', tools: ['^(list|get|search)_.*'] },
  },
} as const;
