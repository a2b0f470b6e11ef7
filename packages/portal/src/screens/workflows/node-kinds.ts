import {
  Bot,
  Braces,
  CalendarClock,
  CirclePlay,
  CircleStop,
  Columns3,
  Database,
  Flag,
  Hourglass,
  ListChecks,
  type LucideIcon,
  Megaphone,
  Plug,
  Radar,
  Radio,
  Repeat,
  Rocket,
  ScanSearch,
  Send,
  Sparkles,
  Split,
  SquareDashed,
  SquarePlay,
  Trash2,
  UserCheck,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react';
import { t } from '../../kit/translate.ts';
import type { NodeConfig } from './document/definition.ts';

export interface NodeKind {
  readonly type: string;
  readonly label: string;
  /** What it does, where it is chosen. */
  readonly description: string;
  readonly icon: LucideIcon;
  /** What identifiers of new nodes begin with. */
  readonly name: string;
  readonly fresh: () => NodeConfig;
}

const kind = (
  type: string,
  name: string,
  icon: LucideIcon,
  label: string,
  description: string,
  config: Readonly<Record<string, unknown>> = {},
): NodeKind => ({ type, name, icon, label, description, fresh: () => ({ type, ...structuredClone(config) }) });

export const triggerKinds: readonly NodeKind[] = [
  kind('SELF_SERVE_TRIGGER', 'form', CirclePlay, t('Form'), t('Somebody fills in a form in self-service'), {
    published: true,
    userInputs: { properties: {}, required: [] },
    permissions: { roles: ['Member'] },
  }),
  kind('EVENT_TRIGGER', 'event', Zap, t('Event'), t('An entity is created, changed or deleted, or a timer expires'), {
    published: true,
    event: { type: 'ENTITY_CREATED', blueprintIdentifier: '' },
  }),
  kind('SCHEDULE_TRIGGER', 'schedule', CalendarClock, t('Schedule'), t('A time comes round'), {
    published: true,
    cron: '0 6 * * 1-5',
  }),
  kind('WEBHOOK_TRIGGER', 'hook', Radio, t('Call from outside'), t('Another system calls an address of its own'), {
    published: true,
    secretName: '',
    signature: 'sha256-hmac',
  }),
  kind('RUN_TRIGGER', 'ended', Flag, t('End of a run'), t('A run of an action or of a workflow has ended'), {
    published: true,
    event: { type: 'ACTION_RUN_ENDED' },
  }),
];

/** A body with nothing but where its runs begin. */
export const freshBody = {
  nodes: [{ identifier: 'item', title: t('Beginning'), config: { type: 'ITEM_TRIGGER' } }],
  connections: [],
};

/** Where the runs of a body begin; it stands in no workflow by itself. */
export const itemKind = kind('ITEM_TRIGGER', 'item', SquarePlay, t('Beginning'), t('A run of these steps begins here'));

export const stepKinds: readonly NodeKind[] = [
  kind('WEBHOOK', 'call', Webhook, t('Call an address'), t('Sends a request, and waits for the answer'), {
    url: '',
    method: 'POST',
    synchronized: true,
  }),
  kind('UPSERT_ENTITY', 'write', Database, t('Write an entity'), t('Creates an entity of the catalog, or changes it'), {
    blueprintIdentifier: '',
    mapping: { identifier: '', properties: {} },
  }),
  kind('CONDITION', 'check', Split, t('Condition'), t('Goes on with the first branch that is true'), {
    outlets: [{ identifier: 'yes', title: t('Yes'), expression: 'true' }],
  }),
  kind(
    'INPUT',
    'approval',
    UserCheck,
    t('Ask people'),
    t('Waits until people press a button: an approval, a question'),
    {
      userInputs: {
        properties: {},
        required: [],
        buttons: [
          { identifier: 'approve', label: t('Approve'), variant: 'PRIMARY' },
          { identifier: 'decline', label: t('Decline'), variant: 'DANGER' },
        ],
      },
      outlets: [
        { identifier: 'approve', evaluationMethod: 'button', numOfResponders: 1 },
        { identifier: 'decline', evaluationMethod: 'button', numOfResponders: 1 },
      ],
      responders: { roles: ['Admin'] },
    },
  ),
  kind('DELAY', 'wait', Hourglass, t('Wait'), t('Goes on after a while, or at a moment'), { seconds: 3600 }),
  kind('INTEGRATION_ACTION', 'integration', Plug, t('Action of an integration'), t('An integration carries it out'), {
    installationId: '',
    integrationProvider: '',
    integrationInvocationType: '',
    integrationActionExecutionProperties: {},
  }),
  kind('KAFKA', 'message', Send, t('Send to Kafka'), t('Sends a message, and waits for a report'), { payload: {} }),
  kind('TRANSFORM', 'values', Braces, t('Compute values'), t('Makes new values of those before'), {
    expression: '.outputs',
  }),
  kind('AI', 'ask', Sparkles, t('Ask a model'), t('Answers a question with the tools of the assistant'), {
    userPrompt: '',
  }),
  kind('AI_AGENT', 'agent', Bot, t('Ask an agent'), t('Answers a question as one of your agents'), {
    agentIdentifier: '',
    userPrompt: '',
  }),
  kind('DELETE_ENTITY', 'remove', Trash2, t('Delete an entity'), t('Removes an entity of the catalog'), {
    blueprintIdentifier: '',
    identifier: '',
  }),
  kind('FETCH', 'read', ScanSearch, t('Read entities'), t('Finds entities of the catalog for the steps after it'), {
    blueprintIdentifier: '',
    query: { combinator: 'and', rules: [] },
  }),
  kind('RUN_ACTION', 'action', Rocket, t('Run an action'), t('Runs a self-service action, and waits for its end'), {
    actionIdentifier: '',
    properties: {},
  }),
  kind(
    'NOTIFY',
    'tell',
    Megaphone,
    t('Tell somebody'),
    t('Leaves a notice, sends a mail, or a message to Slack or an address'),
    {
      target: 'email',
      to: '',
      subject: '',
      body: '',
    },
  ),
  kind('WAIT_FOR_EVENT', 'await', Radar, t('Wait for an event'), t('Goes on when something happens to an entity'), {
    event: { type: 'ENTITY_UPDATED', blueprintIdentifier: '' },
  }),
  kind('RUN_WORKFLOW', 'other', Workflow, t('Run a workflow'), t('Starts another workflow, and waits for its end'), {
    workflowIdentifier: '',
    inputs: {},
  }),
  kind('MAP', 'each', ListChecks, t('For each item'), t('Runs the steps inside once for each item of a list'), {
    items: '',
    body: freshBody,
  }),
  kind('PARALLEL', 'branches', Columns3, t('At the same time'), t('Runs several branches at once, and waits for all'), {
    branches: { one: freshBody, two: freshBody },
  }),
  kind('REPEAT', 'again', Repeat, t('Repeat'), t('Runs the steps inside until a condition is true'), {
    body: freshBody,
    until: 'true',
    maxRounds: 10,
  }),
  kind('STOP', 'stop', CircleStop, t('Stop'), t('Ends the run here, and says why'), { result: 'SUCCESS' }),
];

const kinds = new Map([...triggerKinds, itemKind, ...stepKinds].map((each) => [each.type, each]));

/** The kind of a type; unknown types keep their name. */
export function findKind(type: string): Omit<NodeKind, 'fresh'> {
  return kinds.get(type) ?? { type, name: 'step', label: type, description: '', icon: SquareDashed };
}
