import type { ErrorBody, ErrorCode } from '@portolan/contract/errors';
import { isAdmin } from '../actor.ts';
import { AppError, asAppError } from '../errors.ts';
import { toIssues } from '../http/issues.ts';
import { unstorableIssues } from '../http/read-json.ts';
import { insufficientScope, missingToolScope } from '../scopes.ts';
import { createSecretScope } from '../secrets/secret-scope.ts';
import { outside } from '../text-authors.ts';
import { createTextsRead } from '../texts-read.ts';
import type { ToolRegistry } from './registry.ts';
import type { ApprovalRequest, ToolContext, ToolDeclaration } from './tool.ts';

/** The result of a call. Errors are content too: a model reads them and tries again. */
export type ToolOutcome =
  | {
      readonly isError: false;
      readonly content: unknown;
      /** Drafts that wait for a person because of the call. */
      readonly approvals?: readonly ApprovalRequest[];
      readonly texts?: ReadonlyMap<string, string>;
    }
  | {
      readonly isError: true;
      readonly content: ToolErrorContent;
      /** Authors of the text in the content, each with a place where it stands; for calls of invocations. */
      readonly texts?: ReadonlyMap<string, string>;
    };

export interface ToolErrorContent {
  readonly error: ErrorCode;
  readonly message: string;
  readonly details?: ErrorBody['details'];
}

export interface CallToolOptions {
  /** Time after which the call is abandoned and its signal aborted. */
  readonly deadlineMs?: number;
  /** Called for defects, which are not told the caller. */
  readonly onUnexpected?: (error: unknown, tool: string) => void;
}

const deadlineMsDefault = 30_000;

/**
 * Calls a tool by name or alias with arguments as they came from outside. Never rejects: unknown tools, arguments
 * that do not fit, refusals and defects are all outcomes with `isError`, and only an `AppError` shows its words. Secrets
 * that the call opened are masked in what it came to.
 */
export async function callTool(
  tools: Pick<ToolRegistry, 'find'>,
  name: string,
  args: unknown,
  context: ToolContext,
  options: CallToolOptions = {},
): Promise<ToolOutcome> {
  const opened = context.actor.opened ?? createSecretScope();
  const textsRead = context.invocation && createTextsRead();
  const actor = { ...context.actor, opened, ...(textsRead ? { textsRead } : {}) };
  const called = await call(tools, name, args, { ...context, actor }, options);
  const tool = tools.find(name)?.declaration;
  if (textsRead && tool && holdsForeignText(tool, called)) textsRead.add([outside], `the answer of ${tool.name}`);
  const outcome = textsRead ? { ...called, texts: textsRead.places } : called;
  return opened.isEmpty ? outcome : { ...outcome, content: opened.mask(outcome.content) as ToolErrorContent };
}

/** Errors whose words are the platform's own and those of the arguments. */
const plainErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'approval_required',
  'agent_inactive',
  'insufficient_scope',
  'invalid_request',
  'invocation_cancelled',
  'missing_permissions',
  'not_found',
  'service_unavailable',
]);

function holdsForeignText({ texts }: ToolDeclaration, outcome: ToolOutcome): boolean {
  return texts === undefined || (outcome.isError && !plainErrors.has(outcome.content.error));
}

async function call(
  tools: Pick<ToolRegistry, 'find'>,
  name: string,
  args: unknown,
  context: ToolContext,
  options: CallToolOptions,
): Promise<ToolOutcome> {
  const tool = tools.find(name)?.declaration;
  if (!tool || !isForCaller(tool, context)) {
    return toolError('not_found', `There is no tool named ${name.slice(0, 100)}`);
  }
  const missing = missingToolScope(context.actor, tool);
  if (missing !== undefined) return toolError('insufficient_scope', insufficientScope(missing).message);
  const parsed = parseArguments(tool, args);
  if ('refusal' in parsed) return parsed.refusal;
  const deadlineMs = options.deadlineMs ?? deadlineMsDefault;
  const approvals: ApprovalRequest[] = [];
  const stop = new AbortController();
  const cancel = (): void => stop.abort(context.signal.reason);
  context.signal.addEventListener('abort', cancel, { once: true });
  let deadline: NodeJS.Timeout | undefined;
  try {
    if (context.signal.aborted) return toolError('invocation_cancelled', 'The call was cancelled');
    const content = await new Promise<unknown>((resolve, reject) => {
      stop.signal.addEventListener('abort', () =>
        reject(new AppError('invocation_cancelled', 'The call was cancelled')),
      );
      deadline = setTimeout(() => {
        reject(new AppError('service_unavailable', `${tool.name} did not answer within ${deadlineMs / 1000} s`));
        stop.abort();
      }, deadlineMs);
      const requestApproval = (request: ApprovalRequest): unknown => approvals.push(request);
      tool.run({ ...context, signal: stop.signal, requestApproval }, parsed.input).then(resolve, reject);
    });
    return { isError: false, content: content ?? null, ...(approvals.length > 0 ? { approvals } : {}) };
  } catch (error) {
    const told = asAppError(error, `${tool.name} failed inside`);
    if (told.code === 'internal_error') options.onUnexpected?.(error, tool.name);
    return toolError(told.code, told.message, told.details);
  } finally {
    clearTimeout(deadline);
    context.signal.removeEventListener('abort', cancel);
  }
}

/** Builder tools are for administrators; a model never acts through them. */
function isForCaller({ audience }: ToolDeclaration, { actor }: ToolContext): boolean {
  return audience === 'developer' || (isAdmin(actor) && actor.origin !== 'AI');
}

function toolError(error: ErrorCode, message: string, details?: ErrorBody['details']): ToolOutcome {
  return { isError: true, content: { error, message, ...(details === undefined ? {} : { details }) } };
}

function parseArguments(tool: ToolDeclaration, args: unknown): { input: unknown } | { refusal: ToolOutcome } {
  try {
    const parsed = tool.input.safeParse(args ?? {});
    // what comes from models and MCP clients was read by none of our parsers
    const issues = parsed.success ? unstorableIssues(args) : toIssues(parsed.error, args ?? {});
    if (parsed.success && issues.length === 0) return { input: parsed.data };
    const message = `The arguments of ${tool.name} are not valid`;
    return { refusal: toolError('invalid_request', message, issues) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { refusal: toolError('invalid_request', `The arguments of ${tool.name} are nested too deeply`) };
  }
}
