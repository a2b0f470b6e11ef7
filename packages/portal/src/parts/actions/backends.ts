import type { InvocationMethod } from '@portolan/contract/invocation-method';
import { isRecord } from '@portolan/contract/json-value';
import { withKey } from '../../kit/json-value.ts';
import { t } from '../../kit/translate.ts';
import type { Backend } from './stored-action.ts';

/** A field of a backend, and its place in the definition. */
export interface BackendField {
  readonly path: readonly string[];
  readonly kind: 'text' | 'json' | 'switch' | 'method' | 'blueprint';
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
}

type BackendType = InvocationMethod['type'];

const text = (path: string, label: string, more: Partial<BackendField> = {}): BackendField => ({
  path: path.split('.'),
  kind: 'text',
  label,
  ...more,
});
const json = (path: string, label: string, description?: string): BackendField =>
  text(path, label, { kind: 'json', ...(description ? { description } : {}) });
const required = { isRequired: true };

const fields: Readonly<Record<BackendType, readonly BackendField[]>> = {
  WEBHOOK: [
    text('url', t('Address'), required),
    text('method', t('Method'), { kind: 'method' }),
    text('synchronized', t('The answer ends the run'), {
      kind: 'switch',
      description: t('Otherwise the called system reports the result'),
    }),
    json('headers', t('Headers'), 'A text for each name; secrets as {{ .secrets.NAME }}'),
    json('body', t('Body')),
  ],
  UPSERT_ENTITY: [
    text('blueprintIdentifier', t('Blueprint that is written'), { kind: 'blueprint' }),
    text('mapping.identifier', t('Identifier of the entity'), {
      description: t('Often a template; without one a new entity is made each time'),
    }),
    text('mapping.title', t('Title')),
    json('mapping.properties', t('Properties'), t('Properties you leave out are not changed')),
    json('mapping.relations', t('Relations')),
  ],
  GITHUB: [
    text('org', t('Organization'), required),
    text('repo', t('Repository'), required),
    text('workflow', t('Workflow'), { ...required, description: t('File name or id') }),
    text('reportWorkflowStatus', t('The workflow ends the run'), { kind: 'switch' }),
    json('workflowInputs', t('Inputs of the workflow')),
  ],
  GITLAB: [
    text('groupName', t('Group'), required),
    text('projectName', t('Project'), required),
    text('defaultRef', t('Branch or tag')),
    json('pipelineVariables', t('Variables of the pipeline')),
  ],
  AZURE_DEVOPS: [
    text('org', t('Organization'), required),
    text('webhook', t('Incoming webhook'), required),
    json('payload', t('Payload')),
  ],
  KAFKA: [json('payload', t('Payload'))],
  INTEGRATION_ACTION: [
    text('installationId', t('Integration'), { ...required, description: t('Its installation id') }),
    text('integrationActionType', t('Kind of action'), required),
    json('integrationActionExecutionProperties', t('Properties')),
  ],
};

export const backendChoices = [
  { value: 'AI', label: t('Ask an agent or the assistant') },
  { value: 'WEBHOOK', label: t('Call an address') },
  { value: 'UPSERT_ENTITY', label: t('Write an entity') },
  { value: 'GITHUB', label: t('Run a GitHub workflow') },
  { value: 'GITLAB', label: t('Run a GitLab pipeline') },
  { value: 'AZURE_DEVOPS', label: t('Run an Azure DevOps pipeline') },
  { value: 'KAFKA', label: t('Send a message to Kafka') },
  { value: 'INTEGRATION_ACTION', label: t('Run an action of an integration') },
] as const;

export function backendFields(type: BackendType): readonly BackendField[] {
  return fields[type];
}

/** What starts a run: an event or a submitted form. */
export type Start = 'event' | 'form';

const fresh: Readonly<Record<BackendType, (start: Start) => Readonly<Record<string, unknown>>>> = {
  WEBHOOK: (start) => ({ url: '', method: 'POST', body: whatIsKnown(start) }),
  UPSERT_ENTITY: (start) => ({
    blueprintIdentifier: '',
    mapping: start === 'event' ? { identifier: '{{ .event.diff.after.identifier }}' } : { properties: {} },
  }),
  GITHUB: () => ({ org: '', repo: '', workflow: '', reportWorkflowStatus: true }),
  GITLAB: () => ({ groupName: '', projectName: '' }),
  AZURE_DEVOPS: () => ({ org: '', webhook: '', payload: {} }),
  KAFKA: (start) => ({ payload: whatIsKnown(start) }),
  INTEGRATION_ACTION: () => ({
    installationId: '',
    integrationActionType: '',
    integrationActionExecutionProperties: {},
  }),
};

function whatIsKnown(start: Start): Readonly<Record<string, unknown>> {
  return start === 'event' ? { event: '{{ .event }}' } : { runId: '{{ .run.id }}', inputs: '{{ .inputs }}' };
}

/** A new backend of a type, with the usual defaults. */
export function freshBackend(type: BackendType, start: Start): Backend {
  return { type, ...fresh[type](start) };
}

/** The parts of a question to an agent or the assistant. */
export interface AiQuestion {
  /** Undefined asks the assistant itself. */
  readonly agent: string | undefined;
  readonly prompt: string;
  /** Whether MCP tools are used. A question without them is an old form (see cutover in the glossary). */
  readonly usesMcp: boolean;
  readonly labels: unknown;
}

/** A backend that asks the assistant; the default before an agent is chosen. */
export function aiBackend(home: string, start: Start): Backend {
  const prompt =
    start === 'event'
      ? 'Say what this change means for those who own it: {{ .event.diff.after | tojson }}'
      : 'Handle this request: {{ .inputs | tojson }}';
  return withQuestion({ type: 'WEBHOOK', synchronized: true }, home, {
    agent: undefined,
    prompt,
    usesMcp: true,
    labels: { source: start === 'event' ? 'automation' : 'self-service' },
  });
}

export function parseQuestion({ url, body }: Backend): AiQuestion {
  const address = String(url ?? '');
  const agent = /\/v1\/agent\/([^/?]+)\/invoke/.exec(address)?.[1];
  const { prompt, userPrompt, labels } = isRecord(body) ? body : {};
  const isTold = /[?&]use_mcp=(true|1|yes)(&|$)/i.test(address);
  return {
    agent: agent === undefined ? undefined : decoded(agent),
    prompt: typeof prompt === 'string' ? prompt : typeof userPrompt === 'string' ? userPrompt : '',
    // the assistant itself has always used MCP tools
    usesMcp: isTold || /\/v1\/ai\/invoke/.test(address),
    labels,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // not percent-encoded: keep it as written
    return part;
  }
}

/** Replaces the question of a backend; other fields of its body stay. */
export function withQuestion(backend: Backend, home: string, question: AiQuestion): Backend {
  const { agent, prompt, usesMcp, labels } = question;
  const {
    prompt: _prompt,
    userPrompt: _userPrompt,
    labels: _labels,
    ...rest
  } = isRecord(backend['body']) ? backend['body'] : {};
  const path =
    agent === undefined
      ? '/v1/ai/invoke'
      : `/v1/agent/${encodeURIComponent(agent)}/invoke${usesMcp ? '?use_mcp=true' : ''}`;
  // keep another address of the platform that an operator configured
  const given = /^https?:\/\/[^/]+/.exec(String(backend['url'] ?? ''))?.[0];
  return {
    ...backend,
    url: `${given ?? home}${path}`,
    method: 'POST',
    body: {
      ...rest,
      ...(agent === undefined ? { userPrompt: prompt } : { prompt }),
      ...(labels === undefined || labels === null ? {} : { labels }),
    },
  };
}

export function valueAt(backend: Backend, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), backend);
}

/** Sets a value of a backend; undefined removes the key. */
export function withValueAt(backend: Backend, [first = '', second]: readonly string[], value: unknown): Backend {
  if (second === undefined) return withKey(backend, first, value) as Backend;
  const inner = isRecord(backend[first]) ? backend[first] : {};
  return withKey(backend, first, withKey(inner, second, value)) as Backend;
}
