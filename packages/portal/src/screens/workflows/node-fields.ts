import { t } from '../../kit/translate.ts';
import { blueprint, field, type NodeField, onFailure } from './node-field.ts';
import { stepFields } from './step-fields.ts';

const prompt = field('userPrompt', 'lines', t('Question'), {
  description: t('Encrypted inputs and secrets are never part of it'),
});
const schema = field('outputSchema', 'json', t('Schema of the answer'), {
  description: t('A JSON schema of an object; without one the answer is text'),
});

const otherWorkflow: readonly NodeField[] = [
  field('nodeIdentifier', 'text', t('Form'), { description: t('Which of its forms, where it has several') }),
  field('inputs', 'json', t('Inputs'), { description: t('What is filled in there; texts may hold templates') }),
];

/** What a map asks for where it runs another workflow for each item. */
export const workflowOfMap: readonly NodeField[] = [
  field('workflowIdentifier', 'workflow', t('Workflow')),
  ...otherWorkflow,
];

const fields: Readonly<Record<string, readonly NodeField[]>> = {
  WEBHOOK: [
    field('url', 'text', t('Address'), { placeholder: 'https://' }),
    field('method', 'choice', t('Method'), {
      standard: 'POST',
      choices: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].map((value) => ({ value, label: value })),
    }),
    field('headers', 'json', t('Headers'), { description: t('A text for each name; secrets as {{ .secrets.NAME }}') }),
    field('body', 'json', t('Body')),
    field('synchronized', 'switch', t('The answer ends the step'), {
      standard: true,
      description: t('Otherwise the called system reports the result'),
    }),
    field('agent', 'switch', t('Called by the agent in your network'), { standard: false }),
    field('onTimeout', 'choice', t('If no answer comes'), {
      standard: 'fail',
      choices: [
        { value: 'fail', label: t('The step fails') },
        { value: 'continue', label: t('The run goes on') },
      ],
    }),
    onFailure,
  ],
  UPSERT_ENTITY: [
    blueprint(t('Blueprint that is written')),
    field('mapping.identifier', 'text', t('Identifier of the entity'), {
      description: t('Often a template; without one a new entity is made each time'),
    }),
    field('mapping.title', 'text', t('Title')),
    field('mapping.team', 'text', t('Owning team')),
    field('mapping.properties', 'json', t('Properties'), {
      description: t('Properties you leave out are not changed'),
    }),
    field('mapping.relations', 'json', t('Relations')),
    onFailure,
  ],
  DELETE_ENTITY: [
    blueprint(t('Blueprint of the entity')),
    field('identifier', 'text', t('Identifier of the entity')),
    field('dependents', 'switch', t('Delete what requires it too'), { standard: false }),
    onFailure,
  ],
  DELAY: [
    field('seconds', 'number', t('Seconds'), {
      description: t('A number, or a template that gives one; at most 90 days'),
    }),
    field('until', 'text', t('Until'), { description: t('A template that gives a time, instead of seconds') }),
  ],
  INTEGRATION_ACTION: [
    field('installationId', 'text', t('Integration'), { description: t('Its installation id') }),
    field('integrationProvider', 'text', t('Kind of integration'), { placeholder: 'github-ocean' }),
    field('integrationInvocationType', 'text', t('Kind of action'), { placeholder: 'dispatch_workflow' }),
    field('integrationActionExecutionProperties', 'json', t('Properties')),
    onFailure,
  ],
  KAFKA: [field('payload', 'json', t('Payload')), onFailure],
  TRANSFORM: [
    field('expression', 'jq', t('Expression'), {
      description: t('A jq expression over .outputs; its result is the output'),
      placeholder: '{ total: (.outputs.call.response.data | length) }',
    }),
    field('value', 'json', t('Or values with templates')),
    onFailure,
  ],
  AI: [
    prompt,
    field('systemPrompt', 'lines', t('Instructions')),
    field('tools', 'json', t('Tools'), {
      description: t('A list of patterns; without one all that the person may use'),
    }),
    schema,
    onFailure,
  ],
  AI_AGENT: [field('agentIdentifier', 'agent', t('Agent')), prompt, schema, onFailure],
  STOP: [
    field('result', 'choice', t('Result of the run'), {
      standard: 'SUCCESS',
      choices: [
        { value: 'SUCCESS', label: t('Success') },
        { value: 'FAILED', label: t('Failed') },
      ],
    }),
    field('workflowStatusLabel.text', 'text', t('What the run says at its end')),
  ],
  RUN_WORKFLOW: [
    field('workflowIdentifier', 'workflow', t('Workflow')),
    ...otherWorkflow,
    field('version', 'number', t('Version'), { description: t('The current one if left out') }),
    onFailure,
  ],
  MAP: [
    field('items', 'text', t('Items'), {
      description: t('A template that gives a list; each item is .outputs.trigger.item inside'),
      placeholder: '{{ .outputs.call.response.data }}',
    }),
    field('query', 'json', t('Or entities as items'), {
      description: t('An object with "blueprintIdentifier", and "combinator" and "rules" of a search'),
    }),
    field('concurrency', 'number', t('Runs at a time'), { placeholder: '5' }),
    field('maxItems', 'number', t('Most items'), { placeholder: '100' }),
    field('onItemFailure', 'choice', t('If an item fails'), {
      standard: 'stop',
      choices: [
        { value: 'stop', label: t('The step fails, and the others are stopped') },
        { value: 'continue', label: t('The others go on') },
      ],
    }),
    onFailure,
  ],
  PARALLEL: [onFailure],
  REPEAT: [
    field('until', 'jq', t('Until'), {
      description: t('A jq expression over the output of the last step inside'),
      placeholder: '.response.data.status == "done"',
    }),
    field('maxRounds', 'number', t('Most rounds'), { placeholder: '10' }),
    field('delaySeconds', 'number', t('Seconds between rounds'), { placeholder: '0' }),
    onFailure,
  ],
  SCHEDULE_TRIGGER: [
    field('cron', 'text', t('When'), {
      description: t('Minute, hour, day, month, weekday, in UTC; at most every five minutes'),
      placeholder: '0 6 * * 1-5',
    }),
  ],
};

/** The fields of a type; those with forms of their own have none here. */
export function listFields(type: string): readonly NodeField[] {
  return fields[type] ?? stepFields(type);
}
