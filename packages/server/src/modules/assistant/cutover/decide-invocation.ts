import type { InvokeEndpoint } from '@portolan/contract/assistant';
import type { CutoverStage } from '../../organizations/index.ts';

/** An organization's stage, and whether the operator has updated it. */
export interface CutoverNow {
  readonly stage: CutoverStage;
  readonly operatorUpdated: boolean;
}

/** The part of a request that the decision depends on; absent parameters were not sent. */
export interface InvocationForm {
  readonly endpoint: InvokeEndpoint;
  readonly stream?: boolean | undefined;
  readonly useMcp?: boolean | undefined;
  readonly respondAsync?: boolean | undefined;
}

export interface AdmittedInvocation {
  readonly isRefused: false;
  readonly answer: 'stream' | 'identifier';
  /** `old` uses an agent's fields from before the cutover. */
  readonly generation: 'old' | 'new';
  /** Whether the new assistant's limits apply. */
  readonly isCounted: boolean;
  /** The answer announces the end of the endpoint and its successor. */
  readonly isDeprecated: boolean;
  /** The cutover will change the answer, or remove it. */
  readonly isOldForm: boolean;
  readonly ignoredParameters: readonly string[];
}

export type Decision =
  | AdmittedInvocation
  | { readonly isRefused: true; readonly code: 'endpoint_removed' | 'ai_not_enabled' };

/**
 * Decides what a request may do at the organization's stage (specification, Versioning; decision 0036). Pure: equal
 * stage, operator flag and request give the same answer on every replica. `Accept` has no influence.
 */
export function decideInvocation(form: InvocationForm, now: CutoverNow): Decision {
  switch (form.endpoint) {
    case 'assistant':
      return decideAssistant(form, now);
    case 'router':
      return now.stage === 'cutover' ? { isRefused: true, code: 'endpoint_removed' } : decideBefore(form, now);
    case 'agent':
      return now.stage === 'cutover' ? decideAfter(form, now) : decideBefore(form, now);
  }
}

/** Always streams and uses MCP; callers that do not want to wait send `Prefer`. */
function decideAssistant({ stream, useMcp, respondAsync }: InvocationForm, { stage }: CutoverNow): Decision {
  if (stage === 'legacy') return { isRefused: true, code: 'ai_not_enabled' };
  return {
    ...admitted,
    answer: respondAsync ? 'identifier' : 'stream',
    ignoredParameters: [...(stream === false ? ['stream'] : []), ...(useMcp === false ? ['use_mcp'] : [])],
  };
}

const admitted = {
  isRefused: false,
  generation: 'new',
  isCounted: true,
  isDeprecated: false,
  isOldForm: false,
} as const;

/** Router and agents before the cutover: both parameters must be sent. In `legacy` there is no new assistant. */
function decideBefore(
  { endpoint, stream, useMcp, respondAsync }: InvocationForm,
  { stage }: CutoverNow,
): AdmittedInvocation {
  const isLegacy = stage === 'legacy';
  const isRouter = endpoint === 'router';
  return {
    ...admitted,
    answer: stream && !respondAsync ? 'stream' : 'identifier',
    generation: useMcp && !isLegacy ? 'new' : 'old',
    isCounted: !isLegacy,
    isDeprecated: isRouter && !isLegacy,
    isOldForm: isRouter || !stream || !useMcp,
    ignoredParameters: isLegacy && useMcp ? ['use_mcp'] : [],
  };
}

/**
 * Agents at the cutover. Once the operator has updated the organization, streaming is the default; `use_mcp=false`
 * identifies callers that were not updated, which read streams whatever `stream` they send.
 */
function decideAfter(
  { stream, useMcp, respondAsync }: InvocationForm,
  { operatorUpdated }: CutoverNow,
): AdmittedInvocation {
  const isUnaware = useMcp === false;
  const ignored = isUnaware ? ['use_mcp'] : [];
  if (!operatorUpdated) {
    return { ...admitted, answer: stream && !respondAsync ? 'stream' : 'identifier', ignoredParameters: ignored };
  }
  const isPatient = respondAsync || (stream === false && !isUnaware);
  return {
    ...admitted,
    answer: isPatient ? 'identifier' : 'stream',
    ignoredParameters: [...(isUnaware && stream === false ? ['stream'] : []), ...ignored],
  };
}
