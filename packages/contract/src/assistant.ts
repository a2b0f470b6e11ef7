import { z } from 'zod';
import type { Issue } from './errors.ts';
import { isRecord } from './json-value.ts';

/** What the assistant may use when a request names no tools (specification, `POST /v1/ai/invoke`). */
export const defaultToolPatterns: readonly string[] = ['^(list|get|search|track|describe)_.*'];

/** The values of the API; agents call the second `Approval Required`. */
export const executionModes = ['Automatic', 'Manual Approval'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** Bounds of an invoke body (assistant reference §1.9). */
export const invokeLimits = {
  questionBytesMax: 64 * 1024,
  systemPromptBytesMax: 16 * 1024,
  contextBytesMax: 16 * 1024,
  patternsMax: 50,
  patternCharactersMax: 1000,
  labelsMax: 64,
  labelsBytesMax: 16 * 1024,
} as const;

const utf8 = new TextEncoder();

function sizeOf(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).length;
}

function textUpTo(bytesMax: number) {
  return z.string().refine((text) => text.length <= bytesMax && utf8.encode(text).length <= bytesMax, {
    error: `is longer than ${bytesMax} bytes`,
  });
}

const question = textUpTo(invokeLimits.questionBytesMax).refine((text) => text.trim() !== '', {
  error: 'must not be empty',
});
const instructions = textUpTo(invokeLimits.systemPromptBytesMax);

/** Parses `Manual Approval` (the API's word) and `Approval Required` (that of agents) to one value, in any case. */
export function parseExecutionMode(text: string): ExecutionMode | undefined {
  switch (
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
  ) {
    case 'automatic':
      return 'Automatic';
    case 'manual approval':
    case 'approval required':
      return 'Manual Approval';
    default:
      return undefined;
  }
}

const executionMode = z
  .string()
  .refine((text) => parseExecutionMode(text) !== undefined, {
    error: 'must be "Automatic" or "Manual Approval" ("Approval Required" means the same)',
  })
  .meta({ type: 'string', enum: [...executionModes], default: 'Manual Approval' });

const tools = z
  .array(
    z.string().max(invokeLimits.patternCharactersMax, `is longer than ${invokeLimits.patternCharactersMax} characters`),
  )
  .max(invokeLimits.patternsMax, `holds more than ${invokeLimits.patternsMax} patterns`);

const labels = z
  .record(z.string(), z.json())
  .refine((value) => Object.keys(value).length <= invokeLimits.labelsMax, {
    error: `holds more than ${invokeLimits.labelsMax} keys`,
  })
  .refine((value) => sizeOf(value) <= invokeLimits.labelsBytesMax, {
    error: `is larger than ${invokeLimits.labelsBytesMax} bytes`,
  });

const context = z.record(z.string(), z.json()).refine((value) => sizeOf(value) <= invokeLimits.contextBytesMax, {
  error: `is larger than ${invokeLimits.contextBytesMax} bytes`,
});
/** How much an answer has to rest on what was read. */
export const receiptsModes = ['off', 'strict'] as const;
export type ReceiptsMode = (typeof receiptsModes)[number];
/** A request can only tighten what its agent and its organization ask for. */
const receiptsMode = z.literal('strict', { error: 'must be "strict"; leave it out for what the organization decided' });

/** The identifier of a conversation or an invocation. */
const reference = z.string().min(1, 'must not be empty').max(1000, 'is longer than 1000 characters');

/**
 * The body of `POST /v1/ai/invoke` as it is documented. `parseInvokeBody` reads a wider set: the names that earlier
 * and later clients use for the same fields, and fields that are known but without effect.
 */
export const invokeBody = z
  .object({
    userPrompt: question.describe("The person's question or request in natural language."),
    systemPrompt: instructions.optional().describe('Organizational context, terminology or requirements.'),
    context: context
      .optional()
      .describe(
        'What the question is about. The model is shown it as data, never as instructions. ' +
          '`{"entity": {"blueprint": "service", "identifier": "cart"}}` is the entity that the person looks at.',
      ),
    executionMode: executionMode
      .optional()
      .describe('`Manual Approval`: action tools create drafts that a person reviews. `Automatic`: they run at once.'),
    tools: tools
      .optional()
      .describe(
        'Regular expressions that select tools by name, matched from the start of the name. ' +
          `Default: ${JSON.stringify(defaultToolPatterns)}. An empty array means no tools.`,
      ),
    labels: labels.optional().describe('Free labels to track and filter invocations by.'),
    conversation: reference
      .optional()
      .describe(
        '`new` begins a conversation; an identifier continues that one, at its head unless `parent` says where.',
      ),
    parent: reference
      .nullable()
      .optional()
      .describe('Continues after this turn instead of the head: a branch. `null` asks a new first question.'),
    replaces: reference
      .optional()
      .describe('The turn that this one edits or repeats; it continues where that one did.'),
    receipts: receiptsMode
      .optional()
      .describe(
        '`strict`: nothing is said before it is compared with what was read, and an answer that is not backed is held back.',
      ),
  })
  .meta({ id: 'InvokeBody' });

/** A request to the assistant with aliases resolved. Absent fields come from the agent or from defaults. */
export interface InvokeRequest {
  /** Trimmed, never empty. */
  readonly userPrompt: string;
  readonly systemPrompt?: string;
  /** Data beside the question, never empty. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly executionMode?: ExecutionMode;
  readonly tools?: readonly string[];
  /** As sent, with types. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The identifier of the agent, from the path, or from the body of the deprecated router. */
  readonly agent?: string;
  /** Hints for choosing the model; never an error. */
  readonly provider?: string;
  readonly model?: string;
  /** `new`, or the conversation that is continued; the others only stand beside it. */
  readonly conversation?: string;
  /** Null for a new first turn. */
  readonly parent?: string | null;
  readonly replaces?: string;
  /** Nothing that is not backed by what was read. */
  readonly receipts?: 'strict';
}

const invokeFieldSchemas = { question, instructions, context, executionMode, tools, labels } as const;

/** Every name of a field, the canonical one first (assistant reference §1.9). */
const aliases = {
  question: ['userPrompt', 'prompt', 'query', 'message'],
  instructions: ['systemPrompt', 'userSystemPrompt'],
  context: ['context'],
  executionMode: ['executionMode', 'execution_mode'],
  tools: ['tools'],
  labels: ['labels'],
} as const satisfies Record<keyof typeof invokeFieldSchemas, readonly string[]>;

const turnNames = ['conversation', 'parent', 'replaces'] as const;
const agentNames = ['agent_id', 'agentIdentifier', 'agent'] as const;

/** Sent by real clients but without effect here: accepted and named in `X-Ignored-Fields`. */
export const ignoredInvokeFields = [
  'provider',
  'model',
  'chatMode',
  'toolApprovals',
  'toolApprovalOverrides',
  'outputSchema',
  'mcpServers',
] as const;

/** The three paths for questions; the router is deprecated. */
export type InvokeEndpoint = 'assistant' | 'agent' | 'router';

/** Agents have instructions of their own, and the general assistant has no agent. */
const withoutEffectOn: Readonly<Record<InvokeEndpoint, ReadonlySet<string>>> = {
  assistant: new Set([...ignoredInvokeFields, ...agentNames]),
  agent: new Set([...ignoredInvokeFields, ...aliases.instructions]),
  router: new Set([...ignoredInvokeFields, ...aliases.instructions]),
};
const effective = new Set<string>([...Object.values(aliases).flat(), ...agentNames, ...turnNames, 'receipts']);

export interface ParseInvokeOptions {
  /** `assistant` by default. */
  readonly endpoint?: InvokeEndpoint;
  /** The agent of the path; one in the body must agree. */
  readonly agent?: string;
  /** Unknown fields are ignored instead of refused (`Prefer: handling=lenient`). */
  readonly lenient?: boolean;
  /** Why a tool pattern is invalid; undefined if it is valid. */
  readonly patternProblem?: (pattern: string) => string | undefined;
}

export type ParsedInvokeBody =
  | { readonly ok: true; readonly request: InvokeRequest; readonly ignoredFields: readonly string[] }
  | { readonly ok: false; readonly code: 'invalid_request' | 'conflicting_fields'; readonly issues: readonly Issue[] };

/**
 * Reads the body of an invocation under the field names of every generation. Lists every issue with a JSON pointer. Two
 * names of one field must hold equal values; `null` counts as absent; unknown fields are issues.
 */
export function parseInvokeBody(body: unknown, options: ParseInvokeOptions = {}): ParsedInvokeBody {
  if (!isRecord(body)) {
    return { ok: false, code: 'invalid_request', issues: [{ path: '', message: 'must be an object' }] };
  }
  const fields = body as Readonly<Record<string, unknown>>;
  const issues: Issue[] = [];
  const conflicts: Issue[] = [];
  const ignoredFields: string[] = [];
  const { endpoint = 'assistant' } = options;
  const withoutEffect = withoutEffectOn[endpoint];
  for (const [name, value] of Object.entries(fields)) {
    if (effective.has(name) && !withoutEffect.has(name)) continue;
    if (withoutEffect.has(name) || options.lenient) {
      if (!isAbsent(value)) ignoredFields.push(name);
    } else issues.push({ path: pointer(name), message: 'is not a known field' });
  }

  const read = <K extends keyof typeof aliases>(field: K): z.output<(typeof invokeFieldSchemas)[K]> | undefined => {
    const schema: z.ZodType = invokeFieldSchemas[field];
    let found: { name: string; value: unknown } | undefined;
    for (const name of aliases[field]) {
      const value = fields[name];
      if (value === undefined || value === null || withoutEffect.has(name)) continue;
      const result = schema.safeParse(value);
      if (!result.success) {
        issues.push(...result.error.issues.map((issue) => fieldIssue(name, issue)));
        continue;
      }
      if (found === undefined) found = { name, value: result.data };
      else if (meaning(field, found.value) !== meaning(field, result.data)) {
        conflicts.push({ path: pointer(name), message: `differs from ${found.name}, which means the same; send one` });
      }
    }
    return found?.value as z.output<(typeof invokeFieldSchemas)[K]> | undefined;
  };

  const question = read('question');
  const instructions = read('instructions');
  const context = read('context');
  const mode = read('executionMode');
  const tools = read('tools');
  const labels = read('labels');
  if (question === undefined && aliases.question.every((name) => isAbsent(fields[name]))) {
    issues.push({ path: endpoint === 'assistant' ? '/userPrompt' : '/query', message: 'is required' });
  }
  for (const [index, pattern] of (tools ?? []).entries()) {
    const problem = options.patternProblem?.(pattern);
    if (problem) issues.push({ path: `/tools/${index}`, message: `is not a valid regular expression: ${problem}` });
  }
  const place = readPlace(fields, issues);
  const receipts = isAbsent(fields['receipts']) ? undefined : receiptsMode.safeParse(fields['receipts']);
  if (receipts?.error) issues.push(...receipts.error.issues.map((issue) => fieldIssue('receipts', issue)));
  const agent = endpoint === 'assistant' ? undefined : readAgent(fields, options.agent, issues, conflicts);
  if (issues.length + conflicts.length > 0) {
    const code = issues.length > 0 ? 'invalid_request' : 'conflicting_fields';
    return { ok: false, code, issues: [...issues, ...conflicts] };
  }
  const executionMode = mode === undefined ? undefined : parseExecutionMode(mode);
  const provider = firstText([fields['provider']]);
  const model = firstText([fields['model']]);
  return {
    ok: true,
    request: {
      userPrompt: question!.trim(),
      ...(instructions?.trim() ? { systemPrompt: instructions } : {}),
      ...(context && Object.keys(context).length > 0 ? { context } : {}),
      ...(executionMode ? { executionMode } : {}),
      ...(tools ? { tools } : {}),
      ...(labels ? { labels } : {}),
      ...(agent ? { agent } : {}),
      ...(provider ? { provider } : {}),
      ...(model ? { model } : {}),
      ...(receipts ? { receipts: 'strict' } : {}),
      ...place,
    },
    ignoredFields,
  };
}

/** Where in a conversation a question stands; only here, null differs from absent. */
function readPlace(
  fields: Readonly<Record<string, unknown>>,
  issues: Issue[],
): Pick<InvokeRequest, 'conversation' | 'parent' | 'replaces'> {
  const read = (name: (typeof turnNames)[number]): string | undefined => {
    const value = fields[name];
    if (value === undefined || value === null) return undefined;
    const result = reference.safeParse(value);
    if (result.success) return result.data;
    issues.push(...result.error.issues.map((issue) => fieldIssue(name, issue)));
    return undefined;
  };
  const [conversation, parent, replaces] = [read('conversation'), read('parent'), read('replaces')];
  const hasParent = fields['parent'] !== undefined;
  const needsNone = conversation === undefined && isAbsent(fields['conversation']);
  for (const name of ['parent', 'replaces'] as const) {
    if (needsNone && !isAbsent(fields[name])) issues.push({ path: pointer(name), message: 'needs `conversation`' });
    if (conversation === 'new' && !isAbsent(fields[name]))
      issues.push({ path: pointer(name), message: 'has no meaning in a new conversation' });
  }
  if (replaces !== undefined && hasParent)
    issues.push({ path: pointer('parent'), message: 'is taken over from the turn that is replaced; leave it out' });
  if (conversation === undefined) return {};
  return {
    conversation,
    ...(hasParent && conversation !== 'new' ? { parent: parent ?? null } : {}),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** Null and the empty text name no agent. */
function readAgent(
  fields: Readonly<Record<string, unknown>>,
  ofPath: string | undefined,
  issues: Issue[],
  conflicts: Issue[],
): string | undefined {
  let found = ofPath === undefined ? undefined : { name: 'the agent of the path', value: ofPath };
  for (const name of agentNames) {
    const value = fields[name];
    if (isAbsent(value)) continue;
    if (typeof value !== 'string') issues.push({ path: pointer(name), message: 'must be a string' });
    else if (value.length > 1000) issues.push({ path: pointer(name), message: 'is longer than 1000 characters' });
    else if (found === undefined) found = { name, value };
    else if (found.value !== value) {
      conflicts.push({ path: pointer(name), message: `differs from ${found.name}, which means the same; send one` });
    }
  }
  return found?.value;
}

/** Two spellings of one value are no conflict. */
function meaning(field: keyof typeof aliases, value: unknown): unknown {
  if (typeof value !== 'string') return JSON.stringify(value);
  return field === 'executionMode' ? parseExecutionMode(value) : value.trim();
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
}

function fieldIssue(name: string, issue: z.core.$ZodIssue): Issue {
  const path = pointer(name) + issue.path.map((part) => pointer(String(part))).join('');
  if (issue.code === 'invalid_type') return { path, message: `must be ${withArticle(issue.expected)}` };
  if (issue.code === 'invalid_union') return { path, message: 'must be a JSON value' };
  return { path, message: issue.message };
}

function withArticle(type: string): string {
  const word = type === 'record' ? 'object' : type;
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
}

function pointer(part: string): string {
  return `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
