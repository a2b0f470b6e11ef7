import { t } from '../../../kit/translate.ts';
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
  const before = listPreceding(definition, identifier).flatMap((each) => findNode(definition, each) ?? []);
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
  SCHEDULE_TRIGGER: ['.scheduledAt', '.triggeredAt', '.missed'],
  WEBHOOK: ['.response.status', '.response.data'],
  UPSERT_ENTITY: ['.response.data.identifier', '.response.data.blueprint', '.response.data.created'],
  ITEM_TRIGGER: ['.item', '.index', '.parent'],
  RUN_WORKFLOW: ['.result', '.output', '.workflowRunIdentifier'],
  MAP: ['.results', '.failed'],
  REPEAT: ['.rounds', '.output'],
  FETCH: ['.entities', '.entities[0].identifier', '.count', '.entity'],
  RUN_ACTION: ['.run.id', '.run.status', '.run.statusLabel', '.run.link', '.run.response'],
  NOTIFY: ['.told', '.refused'],
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
