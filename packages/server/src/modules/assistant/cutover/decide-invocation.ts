import type { InvokeEndpoint } from '@portolan/contract';
import type { CutoverStage } from '../../identity/index.ts';

/** Where an organization stands: its stage, and whether the operator has updated it. */
export interface CutoverNow {
  readonly stage: CutoverStage;
  readonly operatorUpdated: boolean;
}

/** What of a request the decision depends on; parameters that were not sent are absent. */
export interface InvocationForm {
  readonly endpoint: InvokeEndpoint;
  readonly stream?: boolean | undefined;
  readonly useMcp?: boolean | undefined;
  /** `Prefer: respond-async`. */
  readonly respondAsync?: boolean | undefined;
}

/** How a request is answered. */
export interface Admitted {
  readonly isRefused: false;
  readonly answer: 'stream' | 'identifier';
  /** `old` runs an agent by the fields it had before the cutover. */
  readonly generation: 'old' | 'new';
  /** Whether the limits of the new assistant apply. */
  readonly isCounted: boolean;
  /** The answer says when the endpoint goes and what follows it. */
  readonly isDeprecated: boolean;
  /** The request will be answered differently, or not at all, after the cutover. */
  readonly isOldForm: boolean;
  /** Parameters that were sent and change nothing. */
  readonly ignoredParameters: readonly string[];
}

export type Decision = Admitted | { readonly isRefused: true; readonly code: 'endpoint_removed' | 'ai_not_enabled' };

/**
 * What an organization can do at its stage (specification, Versioning; docs/decisions/0036). Pure: the same stage,
 * operator flag and request give the same answer on every replica. `Accept` plays no part.
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

/** Always streams and always uses MCP; a caller who prefers not to wait says so with `Prefer`. */
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

/** Router and agents before the cutover: both parameters have to be sent. In `legacy` there is no new assistant to use. */
function decideBefore({ endpoint, stream, useMcp, respondAsync }: InvocationForm, { stage }: CutoverNow): Admitted {
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
 * Agents at the cutover. Once the operator has updated the organization, streaming is the default, and
 * `use_mcp=false` gives an un-updated caller away: such callers read streams whatever they send as `stream`.
 */
function decideAfter({ stream, useMcp, respondAsync }: InvocationForm, { operatorUpdated }: CutoverNow): Admitted {
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
