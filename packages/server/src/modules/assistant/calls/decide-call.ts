import { anybody, outside, platformAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { ActionRisk, CallFacts, CallRule } from '../../../platform/tools/call-decision.ts';
import {
  findCover,
  type LapsedApproval,
  type StandingApproval,
  type StandingSituation,
} from '../standing/cover-call.ts';
import { type AskingText, isAskedFor } from './asked-for.ts';
import { findCarriers, type LookupToDecide } from './decide-lookup.ts';

export interface CallToDecide
  extends Pick<CallFacts, 'kind' | 'names' | 'action' | 'entity' | 'inputs' | 'isDestructive' | 'hold'>,
    Omit<LookupToDecide, 'risk' | 'inputs'> {
  readonly mode: string;
  readonly risk: ActionRisk;
  /** Authors of the text that was read before the step of the call. */
  readonly label: readonly TextAuthor[];
  readonly caller: TextAuthor;
  /** Whether notes of the caller were shown. They write them, or were talked into them: no order of the caller either way. */
  readonly areNotesShown: boolean;
  /** Authors whom an administrator trusts: their text is as good as none. */
  readonly trusted: ReadonlySet<TextAuthor>;
  /** The question, and the prompt of an agent whose editors may make the call. */
  readonly asking: readonly AskingText[];
  /** Authors who could make this very call now, without an approval. */
  readonly mayMake: ReadonlySet<TextAuthor>;
  /** Editors of the agent's prompt who have the right to run the action. */
  readonly agentEditors: ReadonlySet<TextAuthor>;
  /** Whether the same call was already executed in this run. */
  readonly isRepeated: boolean;
  /** What people let the agent run by itself; undefined where nobody did. */
  readonly standing?: StandingSituation | undefined;
}

export interface RuleDecision {
  readonly result: 'execute' | 'draft' | 'refuse';
  readonly rule: CallRule;
  /** For the rule `read`: the authors who could not make the call. */
  readonly blockedBy: readonly TextAuthor[];
  /** For the rule `egress`: the arguments that could carry out what was read. */
  readonly carriers?: readonly string[];
  /** For the rule `standing`: the approval that lets the call run. */
  readonly covering?: StandingApproval | undefined;
  /** An approval that would have let the call run, if it still held. */
  readonly lapsed?: LapsedApproval | undefined;
}

/**
 * Decides whether a call runs at once; the first line that fits counts. A call runs only if a person let the agent make
 * it, if it was asked for in so many words, if nobody whose text was read would gain by it, or if nothing was read; once
 * notes were shown, only in the first two cases.
 * Everything else waits for a person; a call that has no draft is refused. A call that only reads elsewhere is decided in
 * every mode, and by what its arguments could carry out instead.
 */
export function decideCall(call: CallToDecide): RuleDecision {
  const { mode, risk, hold, label, isDestructive } = call;
  const isStrict = risk === 'strict' || call.kind === 'connected';
  let lapsed: LapsedApproval | undefined;
  const wait = (rule: CallRule, blockedBy: readonly TextAuthor[] = []): RuleDecision => ({
    result: hasDrafts(call) ? 'draft' : 'refuse',
    rule,
    blockedBy,
    ...(lapsed ? { lapsed } : {}),
  });
  const run = (rule: CallRule): RuleDecision => ({ result: 'execute', rule, blockedBy: [] });

  if (call.kind === 'lookup') {
    if (risk === 'never') return wait('never');
    if (risk === 'open') return run('open');
    if (!call.isDataShown && risk !== 'strict') return run('nothing-read');
    const carriers = findCarriers(call);
    return carriers.length === 0 ? run('vouched') : { ...wait('egress'), carriers };
  }
  if (mode !== 'Automatic') return wait('manual');
  if (risk === 'never') return wait('never');
  if (hold !== undefined) return wait('held');
  const cover = hasDrafts(call) ? findCover({ ...call, isGuarded: isDestructive || isStrict }, call.standing) : {};
  if (cover.covering) return { ...run('standing'), covering: cover.covering };
  lapsed = cover.lapsed;
  if (!call.isRepeated && call.asking.some((text) => isAskedFor({ ...call, isStrict }, text))) return run('asked-for');
  if (risk === 'open') return run('open');
  if (isDestructive || isStrict) return wait('strict');
  if (call.areNotesShown) return wait('notes');
  const blocking = label.filter((author) => !couldMake(call, author));
  if (blocking.length === 0) return run('authority');
  if (label.every((author) => isOfTheCall(call, author))) return run('nothing-read');
  return wait('read', blocking);
}

/** Whether a person can be asked about the very call before it is made. */
export function hasDrafts({ kind }: Pick<CallFacts, 'kind'>): boolean {
  return kind === 'action' || kind === 'workflow';
}

function couldMake({ mayMake, trusted }: CallToDecide, author: TextAuthor): boolean {
  if (author === outside || author === anybody) return false;
  return author === platformAuthor || trusted.has(author) || mayMake.has(author);
}

/** Whether the author is there without anything having been read. */
function isOfTheCall({ caller, agentEditors, trusted }: CallToDecide, author: TextAuthor): boolean {
  if (author === outside || author === anybody) return false;
  return author === platformAuthor || author === caller || agentEditors.has(author) || trusted.has(author);
}
