import { t } from '../../../kit/translate.ts';
import { undoneBy } from './compensations.ts';
import { type Definition, findNode, isTrigger, listPreceding, type WorkflowNode } from './definition.ts';
import { outputPath } from './references.ts';

/** What an expression of a node can read, by where it comes from. */
export interface Source {
  readonly name: string;
  readonly title: string;
  readonly paths: readonly string[];
}

/** What is known of the outputs of the nodes before one, and what every node knows. */
export function readableAt(definition: Definition, identifier: string): readonly Source[] {
  // a step that undoes another reads what that one could read, and what it gave
  const undone = undoneBy(definition, identifier)?.identifier;
  const names =
    undone === undefined ? listPreceding(definition, identifier) : [undone, ...listPreceding(definition, undone)];
  const before = names.flatMap((each) => findNode(definition, each) ?? []);
  const triggers = before.filter(isTrigger);
  const started = [...new Set(triggers.flatMap((node) => outputKeys(node)))];
  return [
    ...(triggers.length === 0
      ? []
      : [{ name: 'trigger', title: t('What started the run'), paths: started.map((key) => `.outputs.trigger${key}`) }]),
    ...before
      .filter((node) => !isTrigger(node))
      .map((node) => ({
        name: node.identifier,
        title: node.title || node.identifier,
        paths: outputKeys(node).map((key) => `${outputPath(node.identifier)}${key}`),
      })),
    {
      name: '',
      title: t('The run'),
      paths: [
        '.workflowRun.identifier',
        '.workflowRun.createdAt',
        '.workflowRun.trigger.by.email',
        '.workflow.identifier',
        '.workflowNodeRun.identifier',
      ],
    },
  ];
}

function keyPath(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const known: Readonly<Record<string, readonly string[]>> = {
  EVENT_TRIGGER: [
    '.action',
    '.diff.before',
    '.diff.after',
    '.diff.after.identifier',
    '.diff.after.properties',
    '.context.blueprintIdentifier',
    '.context.entityIdentifier',
  ],
  WEBHOOK_TRIGGER: ['.body', '.headers', '.queryParams'],
  RUN_TRIGGER: ['.type', '.run.id', '.run.identifier', '.run.status', '.run.result'],
  SCHEDULE_TRIGGER: ['.scheduledAt', '.triggeredAt', '.missed'],
  WEBHOOK: ['.response.status', '.response.data'],
  UPSERT_ENTITY: ['.response.data.identifier', '.response.data.blueprint', '.response.data.created'],
  FETCH: ['.entities', '.entities[0].identifier', '.count', '.entity'],
  RUN_ACTION: ['.run.id', '.run.status', '.run.statusLabel', '.run.link', '.run.response'],
  WAIT_FOR_EVENT: ['.timeout', '.event.diff.after', '.event.diff.after.properties', '.event.context.entityIdentifier'],
  NOTIFY: ['.told', '.refused'],
  ITEM_TRIGGER: ['.item', '.index', '.parent'],
  RUN_WORKFLOW: ['.result', '.output', '.workflowRunIdentifier'],
  MAP: ['.results', '.failed'],
  REPEAT: ['.rounds', '.output'],
  AI: ['.response', '.invocationIdentifier', '.error'],
  AI_AGENT: ['.response', '.invocationIdentifier', '.error'],
};

/** What the output of a node holds, as far as its definition says it. */
function outputKeys({ config, variables }: WorkflowNode): readonly string[] {
  // they take the place of the whole output
  const made = Object.keys(variables ?? {});
  if (made.length > 0 && !config.type.endsWith('_TRIGGER')) return made.map(keyPath);
  const { properties = {} } = (config['userInputs'] ?? {}) as { properties?: object };
  const inputs = Object.keys(properties).map(keyPath);
  if (config.type === 'SELF_SERVE_TRIGGER') return inputs;
  const mapped = Object.keys((config['mapping'] ?? {}) as object).map(keyPath);
  if (config.type === 'WEBHOOK_TRIGGER' && mapped.length > 0) return mapped;
  if (config.type === 'INPUT') {
    return [
      '.selectedOutlet.identifier',
      '.responses[0].submitterInfo.submittedBy',
      ...inputs.map((input) => `.responses[0].inputs${input}`),
    ];
  }
  if (config.type === 'PARALLEL') return Object.keys((config['branches'] ?? {}) as object).map(keyPath);
  return known[config.type] ?? [''];
}
