import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '../../../platform/db/database.ts';
import { anybody, outside, platformAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallDecision, CallFacts } from '../../../platform/tools/call-decision.ts';
import type { Standings } from '../standing/standings.ts';
import { type AskingText, ordersAny } from './asked-for.ts';
import { decideCall, type RuleDecision } from './decide-call.ts';
import { explainCall } from './explain-call.ts';
import { findOrigins, type VouchedTexts } from './find-origins.ts';
import { joinTexts } from './join-texts.ts';
import { findNamedAlone } from './named-entities.ts';
import { type AiPolicy, readPolicy } from './policy.store.ts';
import type { ReadSoFar, ShownResult } from './run-label.ts';
import { findTrustedAuthors } from './trusted-sources.ts';

/** More drafts of one invocation would wear the person down who decides. */
const draftsMax = 3;

export interface JudgedInvocation {
  readonly orgId: string;
  readonly mode: string;
  readonly caller: TextAuthor;
  /** What the caller vouches for; empty where a template filled in texts of others. */
  readonly question: string;
  /** The entity that the person looks at. */
  readonly lookedAt?: string | undefined;
  readonly agent?: { readonly prompt: string; readonly editors: readonly TextAuthor[] } | undefined;
  /** Of the agent, if one answers. */
  readonly standings?: Standings | undefined;
}

export interface JudgeDeps {
  readonly database: Reader;
  readonly clock: { now(): Date };
}

/** Decides the calls of one invocation by what it had read before their step. */
export type CallJudge = (callId: string, read: ReadSoFar, facts: CallFacts) => Promise<CallDecision>;

export function createCallJudge(deps: JudgeDeps, invocation: JudgedInvocation): CallJudge {
  const { orgId, mode, caller, question, lookedAt, agent, standings } = invocation;
  // by call, because a call may be decided again when its action changes meanwhile
  const executed = new Map<string, CallFacts>();
  const drafted = new Map<string, CallFacts>();
  let policy: Promise<AiPolicy> | undefined;

  const judge: CallJudge = async (callId, read, facts) => {
    policy ??= readPolicy(deps.database, orgId, deps.clock.now());
    const { injection, risks, trustedSources } = await policy;
    const risk = risks[facts.identifier] ?? (facts.isDestructive || facts.kind === 'connected' ? 'strict' : 'standard');
    const texts: VouchedTexts = { question, agentPrompt: agent?.prompt, lookedAt };
    const base = { label: read.label, risk, origins: findOrigins(facts, texts, read) };
    const isJudgedByReaders = mode === 'Automatic' && facts.kind !== 'lookup';
    const rights = isJudgedByReaders ? await findRights(facts, read.label, invocation) : noRights;
    const standing = isJudgedByReaders ? await standings?.describe(callId, facts) : undefined;
    executed.delete(callId);
    const isRepeated = hasOther(executed, callId, facts);
    const decided = decideCall({
      ...facts,
      ...rights,
      ...describeOutgoing(facts, read),
      vouching: [question, ...(agent ? [agent.prompt] : [])].filter((text) => text !== ''),
      lookedAt,
      mode,
      risk,
      label: read.label,
      trusted: findTrustedAuthors(read.label, trustedSources),
      caller,
      asking: await listAsking(deps.database, facts, invocation, rights),
      isRepeated,
      standing,
    });
    if (decided.result === 'execute') {
      executed.set(callId, facts);
      const { rule, covering } = decided;
      return {
        ...base,
        result: 'execute',
        rule,
        ...(covering ? { standing: { id: covering.id, givenBy: covering.givenBy } } : {}),
      };
    }
    const reason = explainCall(decided, facts, read.places);
    if (injection === 'observe' && isObserved(decided)) {
      return {
        ...base,
        result: 'execute',
        rule: decided.rule,
        observed: { result: decided.result, rule: decided.rule, reason },
      };
    }
    if (decided.result === 'draft' && decided.rule !== 'manual') {
      if (hasOther(drafted, callId, facts))
        return {
          ...base,
          result: 'refuse',
          rule: 'limit',
          reason: `The same call already waits for a person: ${reason}`,
        };
      if (drafted.size >= draftsMax && !drafted.has(callId))
        return {
          ...base,
          result: 'refuse',
          rule: 'limit',
          reason: `${draftsMax} calls already wait for a person: ${reason}`,
        };
      drafted.set(callId, facts);
    }
    return { ...base, result: decided.result, rule: decided.rule, reason };
  };

  // one after the other: of two equal calls of a step the second is the repeated one
  let last: Promise<unknown> = Promise.resolve();
  return (callId, read, facts) => {
    const next = last.then(() => judge(callId, read, facts));
    last = next.catch(() => undefined);
    return next;
  };
}

function hasOther(calls: ReadonlyMap<string, CallFacts>, callId: string, facts: CallFacts): boolean {
  return [...calls].some(([id, each]) => id !== callId && isSameCall(each, facts));
}

/** Only what the rule for what was read adds is watched before it holds; all else held before. */
function isObserved({ rule }: RuleDecision): boolean {
  return rule === 'read' || rule === 'strict' || rule === 'egress';
}

/** What was shown beside answers of the server that gets the call, and what of it stands in those. */
function describeOutgoing({ server }: CallFacts, { results, startsWithData }: ReadSoFar) {
  const isOwn = ({ tool }: ShownResult): boolean => server?.tools.includes(tool) ?? false;
  return {
    isDataShown: startsWithData || results.some((result) => !isOwn(result)),
    // errors may repeat what a refused call would have sent
    ownAnswers: results.filter((result) => isOwn(result) && !result.isError).map(({ content }) => joinTexts(content)),
  };
}

function isSameCall(one: CallFacts, other: CallFacts): boolean {
  const [a, b] = [one, other].map(({ identifier, entity, inputs }) => ({ identifier, entity, inputs }));
  return isDeepStrictEqual(a, b);
}

interface Rights {
  readonly mayMake: ReadonlySet<TextAuthor>;
  readonly agentEditors: ReadonlySet<TextAuthor>;
}

const noRights: Rights = { mayMake: new Set(), agentEditors: new Set() };

/** Rights are looked for only where they could decide: text of anybody decides by itself. */
async function findRights(
  facts: CallFacts,
  label: readonly TextAuthor[],
  { caller, agent }: JudgedInvocation,
): Promise<Rights> {
  const isOpen = label.includes(outside) || label.includes(anybody);
  const editors = agent?.editors ?? [];
  const asked = new Set([...editors, ...(isOpen ? [] : label)]);
  const allowed = new Set<TextAuthor>([caller]);
  for (const author of asked) {
    if (author === platformAuthor || author === outside || author === anybody || author === caller) continue;
    if (await facts.mayMake(author)) allowed.add(author);
  }
  return {
    mayMake: facts.needsApproval ? new Set() : allowed,
    agentEditors: new Set(editors.filter((author) => allowed.has(author))),
  };
}

/** The texts that can ask for a call, with what they name of the entities it is about. */
async function listAsking(
  reader: Reader,
  facts: CallFacts,
  { orgId, question, agent }: JudgedInvocation,
  { agentEditors }: Rights,
): Promise<readonly AskingText[]> {
  const isVouched = agent?.editors.every((author) => author === platformAuthor || agentEditors.has(author)) ?? false;
  const texts = [question, ...(agent && isVouched ? [agent.prompt] : [])];
  const asking: AskingText[] = [];
  for (const text of texts.filter((each) => ordersAny(each, facts.names)))
    asking.push({ text, namedAlone: await findNamedAlone(reader, orgId, facts, text) });
  return asking;
}
